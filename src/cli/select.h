/* SPDX-License-Identifier: MIT */
/* `--all`: which drives that means. */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include "device/machine.h"
#include "ui/console.h"

struct selection {
	char **names; /* nodes; into the machine's inventory, only the array is the selection's */
	unsigned count;
};

/*
 * PURE: whether an exclusion means this drive: a shell pattern for its node or its name
 * ("/dev/sd[b-d]", "nvme*"), its by-id name, serial number, World Wide Name or model.
 */
bool select_matches(const char *pattern, const struct drive_facts *facts);

/*
 * Every drive of the machine that the gate accepts, but those that one of @patterns means (or that
 * a link under /dev/disk that fits it leads to) and what the machine may have been booted from.
 * Says on the console which drives were left out, and why. Opens those that are left for reading,
 * to see what is on them. Returns 0; -EINVAL: a pattern fits nothing, which was said, and nothing
 * was opened; -ENOMEM.
 */
int select_all(const struct machine *machine, const char *const *patterns, unsigned pattern_count,
	       time_t now, const struct console *console, struct selection *ret_selection);
void selection_done(struct selection *selection);

#endif
