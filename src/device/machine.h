/* SPDX-License-Identifier: MIT */
/* Everything that is to be known of the machine around a drive, read at one moment. */
#ifndef DEVICE_MACHINE_H
#define DEVICE_MACHINE_H

#include "device/boot.h"
#include "device/inventory.h"
#include "device/tables.h"

struct machine {
	struct tables *tables;
	struct inventory inventory;
	struct boot boot;
};

/* Opens no drive. Returns 0; -ENOMEM and the like. machine_done() takes an emptied struct, too. */
int machine_read(const struct system_roots *roots, struct machine *ret_machine);
void machine_done(struct machine *machine);

#endif
