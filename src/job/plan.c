/* SPDX-License-Identifier: MIT */
/* What will be done with a drive, decided before anything is done. */
#include "job/plan.h"

#include <assert.h>
#include <string.h>

/* Direct I/O on a file has to match the blocks of the drive below it, which have at most this size.
 */
enum { FILE_ALIGN = 4096, SECTOR_MIN = 512, SECTOR_MAX = 65536 };

#define MIB (UINT64_C(1) << 20)

static bool power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static uint32_t plan_align(const struct drive_facts *facts)
{
	if (facts->kind == DRIVE_FILE)
		return FILE_ALIGN;
	return power_of_two(facts->logical) ? facts->logical : SECTOR_MIN;
}

/* A drive can fail no less than a physical sector; what it says of itself is believed within
 * reason. */
static uint32_t plan_sector(const struct drive_facts *facts, uint32_t align)
{
	uint32_t physical = facts->kind == DRIVE_FILE ? align : facts->physical;

	if (!power_of_two(physical) || physical > SECTOR_MAX)
		return align;
	return physical > align ? physical : align;
}

static void plan_add(struct plan *plan, enum pass_kind kind, unsigned key, uint64_t bytes)
{
	assert(plan->count < PLAN_PASSES_MAX);
	plan->passes[plan->count++] = (struct pass){ .kind = kind, .key = key, .bytes = bytes };
	plan->bytes += bytes;
}

void plan_make(const struct drive_facts *facts, enum verify_choice verify, struct plan *ret_plan)
{
	struct plan plan = { .keys = 1 };

	assert(facts->size > 0);
	plan.align = plan_align(facts);
	plan.sector = plan_sector(facts, plan.align);
	plan.direct_bytes = facts->size - facts->size % plan.align;
	plan_add(&plan, PASS_WRITE, 0, facts->size);
	if (verify == VERIFY_FULL)
		plan_add(&plan, PASS_VERIFY, 0, facts->size);
	*ret_plan = plan;
}

uint64_t plan_typical_rate(const struct drive_facts *facts)
{
	static const struct {
		const char *bus;
		enum tristate rotational;
		uint64_t rate;
	} typical[] = {
		{ "NVMe", NO, 1500 * MIB }, { "SATA", NO, 400 * MIB },	{ "SATA", YES, 150 * MIB },
		{ "SCSI", NO, 400 * MIB },  { "SCSI", YES, 150 * MIB }, { "USB", NO, 30 * MIB },
		{ "USB", YES, 100 * MIB },  { "MMC", NO, 30 * MIB },
	};

	for (size_t i = 0; i < sizeof(typical) / sizeof(*typical); i++)
		if (!strcmp(facts->bus, typical[i].bus) &&
		    facts->rotational == typical[i].rotational)
			return typical[i].rate;
	return 500 * MIB;
}
