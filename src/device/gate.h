/* SPDX-License-Identifier: MIT */
/*
 * PURE: facts + usage + policy -> refusals and warnings. The only place that decides whether a
 * drive may be written. Run twice: on what the name says, and again on what the claimed descriptor
 * says.
 */
#ifndef DEVICE_GATE_H
#define DEVICE_GATE_H

#include "device/facts.h"
#include "device/usage.h"

enum gate_code {
	/* refusals */
	GATE_NOT_A_DRIVE, /* directory, FIFO, character device, socket */
	GATE_OPTICAL,
	GATE_EMPTY, /* size 0 or unknown */
	GATE_READ_ONLY,
	GATE_ZONED,   /* not supported yet: ordinary overwriting fails on it */
	GATE_HIDDEN,  /* an NVMe multipath member */
	GATE_MOUNTED, /* use: which */
	GATE_SWAP,
	GATE_HELD,
	GATE_LOOP,
	GATE_UNEXPECTED, /* an --expect does not hold; expect: which */
	GATE_UNCHECKED,	 /* usage could not be determined and nobody named the drive by --expect */
	GATE_REFUSALS_END,
	/* warnings */
	GATE_NOTE_UNCHECKED = GATE_REFUSALS_END, /* usage unknown; the exclusive open decides */
	GATE_NOTE_FLASH,			 /* an overwrite does not reach spare cells */
	GATE_NOTE_CACHED, /* what is read back can come from the memory of a loop device's file */
	GATE_NOTE_RELOCATES, /* copy-on-write: what the file held before is not overwritten */
	GATE_NOTE_SHARED,    /* reflinks or snapshots keep what the file held before */
	GATE_NOTE_HOLES,     /* a sparse file that will be filled */
	GATE_NOTE_FILE,	     /* an image file: its content is replaced, not a drive erased */
};

enum expect_key { EXPECT_SERIAL, EXPECT_WWN, EXPECT_SIZE, EXPECT_DISKSEQ };
enum { EXPECT_MAX = 64, GATE_MAX = USAGE_MAX + 16 };

struct expectation {
	enum expect_key key;
	const char *text; /* as given on the command line, after the '='; the options' */
	uint64_t number;  /* EXPECT_SIZE, EXPECT_DISKSEQ */
};

struct gate_policy {
	struct expectation expect[EXPECT_MAX];
	unsigned expect_count;
	bool person; /* somebody will be asked: unknown usage is shown instead of refused */
};

struct gate_finding {
	enum gate_code code;
	const struct use *use; /* in the caller's struct usage; NULL if not about a use */
	const struct expectation *expect; /* in the caller's policy; NULL if not about one */
};

struct gate_result {
	struct gate_finding items[GATE_MAX]; /* refusals first, of them GATE_UNEXPECTED */
	unsigned count;
	unsigned refusals; /* 0: the drive may be written */
};

/*
 * For each key given, the drive's value must be among the values given for that key. Serials are
 * compared without surrounding spaces; WWNs without case, and without a leading "0x", "naa." or
 * "eui.".
 */
void gate_check(const struct drive_facts *facts, const struct usage *usage,
		const struct gate_policy *policy, struct gate_result *ret_result);

/* What keeps a drive even from being read: it is none, or it is empty. Whoever uses it does not. */
void gate_check_reading(const struct drive_facts *facts, struct gate_result *ret_result);

/*
 * Whether @facts satisfy this one expectation. Without sysfs the name alone tells neither size nor
 * diskseq: until the descriptor was asked (facts.logical is 0), such an expectation counts as met
 * and size 0 is no refusal. The second run of the gate decides.
 */
bool gate_expectation_met(const struct drive_facts *facts, const struct expectation *expect);

#endif
