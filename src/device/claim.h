/* SPDX-License-Identifier: MIT */
/* The claim on a drive: one exclusive descriptor, held from before the question until after the
 * last read. */
#ifndef DEVICE_CLAIM_H
#define DEVICE_CLAIM_H

#include "device/facts.h"
#include "device/scan.h"

enum claim_mode {
	CLAIM_WIPE, /* for reading and writing: O_RDWR, O_EXCL (block devices), flock LOCK_EX */
	CLAIM_LOOK, /* read-only: would a claim work? For --dry-run; nothing is changed */
	CLAIM_READ, /* read-only and shared: nobody who uses the drive is in the way or disturbed */
};

struct claim {
	int fd;	     /* blocking; -EBADF: not held */
	bool direct; /* O_DIRECT is on and was tried with a read */
	enum claim_mode mode;
	struct drive_facts facts; /* what the descriptor says */
};

/*
 * Opens what @seen describes by its path, never creating or truncating, compares it with @seen,
 * locks it. Returns 0; -ESTALE: it is not the drive that was seen; -EBUSY: somebody else has it
 * (exclusive open); -EWOULDBLOCK: locked by flock; -EACCES, -EPERM, -EROFS; other -errno. Nothing
 * is held after a failure.
 */
int claim_drive(const struct system_roots *roots, const struct drive_facts *seen,
		enum claim_mode mode, struct claim *ret_claim);

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
