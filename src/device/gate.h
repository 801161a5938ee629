/* SPDX-License-Identifier: MIT */
/*
 * PURE: facts + usage + policy -> refusals and warnings. The only place that decides whether a
 * drive may be written. Run twice: on what the name says, and again on what the claimed descriptor
 * says.
 */
#ifndef DEVICE_GATE_H
#define DEVICE_GATE_H

#include "device/boot.h"
#include "device/facts.h"
#include "device/inventory.h"
#include "device/probe.h"
#include "device/usage.h"

enum gate_code {
	/* refusals */
	GATE_NOT_A_DRIVE, /* directory, FIFO, character device, socket */
	GATE_SYSTEM,	  /* the running system stands on it; use: the first that says so */
	GATE_BESIDE,	  /* a partition of the drive that the running system stands on */
	GATE_OPTICAL,
	GATE_EMPTY, /* size 0 or unknown */
	GATE_READ_ONLY,
	GATE_ZONED,	 /* not supported yet: ordinary overwriting fails on it */
	GATE_HIDDEN,	 /* an NVMe multipath member */
	GATE_RESERVED,	 /* by a host, which may be another one */
	GATE_USED,	 /* use: how */
	GATE_UNEXPECTED, /* an --expect does not hold; expect: which */
	GATE_UNNAMED,	 /* an --expect serial= holds, but that serial number is no drive's own */
	GATE_CLUSTER,	 /* something that other hosts may be using, and nobody named the drive;
			    signature: which */
	GATE_UNCHECKED,	 /* usage could not be determined and nobody named the drive by --expect */
	GATE_REFUSALS_END,
	/* warnings */
	GATE_NOTE_UNCHECKED = GATE_REFUSALS_END, /* usage unknown; the exclusive open decides */
	GATE_NOTE_UNSEEN,  /* not all processes could be looked at; the exclusive open decides */
	GATE_NOTE_READER,  /* use: who has it open for reading */
	GATE_NOTE_CLUSTER, /* signature: which */
	GATE_NOTE_MEMBER,  /* of a RAID array, volume group or pool that is not running; signature:
			      which */
	GATE_NOTE_LUKS,	  /* signature: encrypted data, whose key may be the only thing that is lost
			   */
	GATE_NOTE_TWIN,	  /* twin: another name of the same drive, which is held as well */
	GATE_NOTE_SERIAL, /* its serial number is one that other drives have, too */
	GATE_NOTE_LARGER, /* than the drive that the system runs from */
	GATE_NOTE_OLD,	  /* years: file systems on it are older than GATE_OLD_YEARS */
	GATE_NOTE_BOOT,	  /* may be what this machine was booted from */
	GATE_NOTE_BRIDGE, /* behind a USB bridge, which may hide a part of the drive */
	GATE_NOTE_VOLUME, /* of a RAID controller: drives, spares and cache behind it are not
			     reached */
	GATE_NOTE_FLASH,  /* an overwrite does not reach spare cells */
	GATE_NOTE_CACHED, /* what is read back can come from the memory of a loop device's file */
	GATE_NOTE_RELOCATES, /* copy-on-write: what the file held before is not overwritten */
	GATE_NOTE_SHARED,    /* reflinks or snapshots keep what the file held before */
	GATE_NOTE_HOLES,     /* a sparse file that will be filled */
	GATE_NOTE_FILE,	     /* an image file: its content is replaced, not a drive erased */
};

enum expect_key { EXPECT_SERIAL, EXPECT_WWN, EXPECT_SIZE, EXPECT_DISKSEQ };
enum { EXPECT_MAX = 64, GATE_MAX = USAGE_MAX + 3 * TWINS_MAX + 32, GATE_OLD_YEARS = 5 };

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

/* What the gate looks at. */
struct gate_view {
	const struct drive_facts *facts;
	const struct usage *usage;
	const struct contents *contents;	 /* NULL: not looked at yet */
	const struct surroundings *surroundings; /* NULL: unknown */
	const struct boot *boot;		 /* NULL: unknown */
	time_t now;
};

/* The pointers go into the caller's view and policy; NULL where a finding is not about such a
 * thing. */
struct gate_finding {
	enum gate_code code;
	const struct use
		*use;  /* GATE_SYSTEM: the first of those of the system, which stand together */
	unsigned uses; /* GATE_SYSTEM: how many */
	const struct expectation *expect;
	const struct signature *signature;
	const char *twin;
	unsigned years;
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
void gate_check(const struct gate_view *view, const struct gate_policy *policy,
		struct gate_result *ret_result);

/* What keeps a drive even from being read: it is none, or it is empty. Whoever uses it does not. */
void gate_check_reading(const struct drive_facts *facts, struct gate_result *ret_result);

/* Whether an expectation about its serial number, WWN or diskseq names this drive. */
bool gate_names(const struct gate_policy *policy, const struct drive_facts *facts);

/*
 * Whether @facts satisfy this one expectation. Without sysfs the name alone tells neither size nor
 * diskseq: until the descriptor was asked (facts.logical is 0), such an expectation counts as met
 * and size 0 is no refusal. The second run of the gate decides.
 */
bool gate_expectation_met(const struct drive_facts *facts, const struct expectation *expect);

#endif
