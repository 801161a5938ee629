/* SPDX-License-Identifier: MIT */
/* Findings, plans and verdicts -> sentences. No decisions here. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "device/gate.h"
#include "device/probe.h"
#include "job/result.h"

enum { WORDS_MAX = 2048 };

/* One sentence for a finding, without the drive's name: what, why, what to do. Returns @buf. */
char *words_finding(char buf[WORDS_MAX], const struct drive_facts *facts,
		    const struct gate_finding *finding);

/* One sentence for a name that leads to nothing (positive errno of scan_path()). Returns @buf. */
char *words_scan(char buf[WORDS_MAX], int error);

/* One sentence for a claim that failed with @error (positive errno). Returns @buf. */
char *words_claim(char buf[WORDS_MAX], int error);

/* "SATA hard disk", "NVMe SSD", "USB flash drive", "image file", "loop device". Returns @buf. */
char *words_medium(char buf[WORDS_MAX], const struct drive_facts *facts);

/* The kernel's name of a partition: "sdb1", "nvme0n1p1"; for an image just "1". Returns @buf. */
char *words_partition(char buf[FACTS_TEXT_MAX], const struct drive_facts *facts, unsigned number);

/* 'last used 2026-11-02: sdb1 ext4 "backup"; …', "" where nothing tells. Returns @buf. */
char *words_age(char buf[WORDS_MAX], const struct drive_facts *facts,
		const struct contents *contents);

/* 'gpt, 2 partitions: sdb1 ext4 "backup", sdb2 swap' or "nothing recognised". Returns @buf. */
char *words_contents(char buf[WORDS_MAX], const struct drive_facts *facts,
		     const struct contents *contents);

/* The verdict on a drive, one to three lines, the first without the drive's name. Returns @buf. */
char *words_verdict(char buf[WORDS_MAX], const struct drive_facts *facts,
		    const struct job_result *result, enum verdict verdict);

#endif
