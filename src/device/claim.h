/* SPDX-License-Identifier: MIT */
/* The claim on a drive: one exclusive descriptor, held from before the question until after the
 * last read. */
#ifndef DEVICE_CLAIM_H
#define DEVICE_CLAIM_H

#include "device/facts.h"
#include "device/inventory.h"
#include "device/scan.h"

enum claim_mode {
	CLAIM_WIPE, /* for reading and writing: O_RDWR, O_EXCL (block devices), flock LOCK_EX */
	CLAIM_LOOK, /* read-only: would a claim work? For --dry-run; nothing is changed */
	CLAIM_READ, /* read-only and shared: nobody who uses the drive is in the way or disturbed */
};

struct claim {
	int fd;		      /* blocking; -EBADF: not held */
	int twins[TWINS_MAX]; /* other ways to the same drive, held so that nobody comes in by
				       them */
	unsigned twin_count;
	bool direct; /* O_DIRECT is on and was tried with a read */
	enum claim_mode mode;
	struct drive_facts facts; /* what the descriptor said when it was claimed */
};

/*
 * Opens what @seen describes by its path, never creating or truncating, compares it with @seen,
 * locks it. Returns 0; -ESTALE: it is not the drive that was seen; -EBUSY: somebody else has it
 * (exclusive open); -EWOULDBLOCK: locked by flock; -EACCES, -EPERM, -EROFS; other -errno. Nothing
 * is held after a failure.
 */
int claim_drive(const struct system_roots *roots, const struct drive_facts *seen,
		enum claim_mode mode, struct claim *ret_claim);

/*
 * Holds another way to the claimed drive ("/dev/sdc") for as long as the claim: read-only,
 * exclusive, locked like the drive itself. For CLAIM_LOOK it only tries. Returns 0; -EBUSY and the
 * like as claim_drive(); -ESTALE: it is of another size; -ENOSPC: too many ways.
 */
int claim_twin(struct claim *claim, const char *node);

/*
 * Whether the descriptor still is the drive that was claimed. claim_still_same() asks the
 * descriptor alone (size, diskseq), which costs next to nothing; claim_recheck() also compares what
 * sysfs says of the drive with that number (serial number, WWN). Any thread. Both return 0;
 * -ESTALE: it is another one, or has another size; -ENODEV: it is gone.
 */
int claim_still_same(const struct claim *claim);
int claim_recheck(const struct system_roots *roots, const struct claim *claim);

/*
 * Before the first write: writes out and drops what the kernel still caches of the drive by way of
 * its partitions (or, of a partition, by way of the whole drive), then takes the partitions out of
 * the kernel's list, so that nothing of them can be written back over the new data. Returns how
 * many partitions stayed, because somebody has them open; their caches are clean.
 */
unsigned claim_drop_partitions(const struct system_roots *roots, const struct claim *claim);

/* Switches O_DIRECT on the held descriptor. Call with nothing in flight. Returns 0; -errno. */
int claim_set_direct(struct claim *claim, bool direct);

/*
 * Drops what the kernel caches of [offset, offset + length), so that the next read comes from the
 * medium (POSIX_FADV_DONTNEED; BLKFLSBUF where allowed and the drive is ours alone, for it also
 * writes what others left to be written). Returns 0; -errno if that was refused.
 */
int claim_drop_cache(const struct claim *claim, uint64_t offset, uint64_t length);

enum reread_result { REREAD_NOT_NEEDED, REREAD_DONE, REREAD_BUSY };

/*
 * Makes the kernel forget the partitions of a whole drive whose table was overwritten: BLKRRPART,
 * else partition by partition (BLKPG). REREAD_BUSY: somebody holds one; it vanishes when they let
 * go.
 */
enum reread_result claim_reread_table(const struct system_roots *roots, const struct claim *claim);

/* Unlocks and closes. Accepts a claim that is not held. */
void claim_release(struct claim *claim);

#endif
