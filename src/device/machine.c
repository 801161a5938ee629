/* SPDX-License-Identifier: MIT */
/* The machine around the drives. */
#include "device/machine.h"

int machine_read(const struct system_roots *roots, struct machine *ret_machine)
{
	struct machine m = { 0 };
	int r = tables_read(roots, &m.tables);

	if (!r)
		r = inventory_read(roots, m.tables, &m.inventory);
	if (r) {
		machine_done(&m);
		return r;
	}
	boot_read(roots, &m.boot);
	*ret_machine = m;
	return 0;
}

void machine_done(struct machine *machine)
{
	inventory_done(&machine->inventory);
	tables_free(machine->tables);
	*machine = (struct machine){ 0 };
}
