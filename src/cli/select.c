/* SPDX-License-Identifier: MIT */
/* All drives but some. */
#include "cli/select.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/values.h"
#include "cli/words.h"
#include "device/gate.h"
#include "device/medium.h"
#include "device/same.h"

/* What the selection is made from. */
struct choice {
	const struct machine *machine;
	const char *const *patterns;
	unsigned pattern_count;
	time_t now;
	const struct console *console;
	struct selection *into;
};

static bool fits(const char *pattern, const char *text)
{
	return *text && !fnmatch(pattern, text, 0);
}

bool select_matches(const char *pattern, const struct drive_facts *facts)
{
	const char *slash = strrchr(facts->by_id, '/');

	return fits(pattern, facts->node) || fits(pattern, facts->name) ||
	       fits(pattern, facts->by_id) || fits(pattern, slash ? slash + 1 : facts->by_id) ||
	       fits(pattern, facts->serial) || fits(pattern, facts->wwn) ||
	       fits(pattern, facts->model);
}

/* Whether @path leads to the drive or to a partition of it. */
static bool leads_to(const char *path, const struct drive_facts *facts)
{
	_cleanup_free_ struct drive_facts *found = malloc(sizeof(*found));

	return found && !scan_path(&system_roots_real, path, found) && found->disk_rdev &&
	       found->disk_rdev == facts->rdev;
}

/* A drive has many names, of which its facts hold the most telling one. */
static bool link_matches(const char *pattern, const struct drive_facts *facts)
{
	static const char *const folders[] = { "by-id",	     "by-path",	   "by-label",
					       "by-uuid",    "by-diskseq", "by-partlabel",
					       "by-partuuid" };
	char folder[PATH_MAX], path[PATH_MAX];

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		_cleanup_closedir_ DIR *dir = NULL;
		const struct dirent *entry;

		(void)text_print(folder, sizeof(folder), "%s/disk/%s", system_roots_real.dev,
				 folders[i]);
		dir = opendir(folder);
		while (dir && (entry = readdir(dir)))
			if (*entry->d_name != '.' &&
			    text_print(path, sizeof(path), "%s/%s", folder, entry->d_name) &&
			    (fits(pattern, entry->d_name) || fits(pattern, path)) &&
			    leads_to(path, facts))
				return true;
	}
	return false;
}

static bool means(const char *pattern, const struct drive_facts *facts)
{
	return select_matches(pattern, facts) || leads_to(pattern, facts) ||
	       link_matches(pattern, facts);
}

/* An exclusion that fits nothing is a slip of the finger, and what it was to protect would be
 * wiped. */
static int check_patterns(const struct choice *c)
{
	const struct inventory *all = &c->machine->inventory;

	for (unsigned p = 0; p < c->pattern_count; p++) {
		bool found = false;

		for (unsigned i = 0; !found && i < all->count; i++)
			found = means(c->patterns[p], &all->drives[i]);
		if (found)
			continue;
		console_error(
			c->console,
			"--exclude %s: no drive of this machine fits it. Nothing was written.",
			c->patterns[p]);
		return -EINVAL;
	}
	return 0;
}

static void leave_out(const struct choice *c, const struct drive_facts *facts, const char *why)
{
	console_say(c->console, "%s: left out: %s", facts->path, why);
}

static bool is_excluded(const struct choice *c, const struct drive_facts *facts)
{
	char why[WORDS_MAX];

	for (unsigned p = 0; p < c->pattern_count; p++) {
		if (!means(c->patterns[p], facts))
			continue;
		(void)text_print(why, sizeof(why), "--exclude %s", c->patterns[p]);
		leave_out(c, facts, why);
		return true;
	}
	return false;
}

static bool is_refused(const struct choice *c, const struct drive_facts *facts,
		       const struct usage *usage)
{
	static const struct gate_policy policy = { .person = true };
	_cleanup_free_ struct gate_result *result = malloc(sizeof(*result));
	struct surroundings around;
	char why[WORDS_MAX];

	if (!result)
		return true;
	inventory_around(&c->machine->inventory, facts, &around);
	gate_check(
		&(struct gate_view){
			.facts = facts, .usage = usage, .surroundings = &around, .now = c->now },
		&policy, result);
	if (result->refusals)
		leave_out(c, facts, words_finding(why, facts, &result->items[0]));
	return result->refusals > 0;
}

static bool is_chosen_already(const struct choice *c, const struct drive_facts *facts)
{
	const struct inventory *all = &c->machine->inventory;
	char why[WORDS_MAX];

	for (unsigned i = 0; i < all->count && &all->drives[i] != facts; i++) {
		bool chosen = false;

		for (unsigned k = 0; k < c->into->count; k++)
			chosen |= c->into->names[k] == all->drives[i].path;
		if (!chosen || facts_same(&all->drives[i], facts) == SAME_NOT)
			continue;
		(void)text_print(why, sizeof(why), "another way to %s, which is among them",
				 all->drives[i].path);
		leave_out(c, facts, why);
		return true;
	}
	return false;
}

static bool is_boot_medium(const struct choice *c, const struct drive_facts *facts)
{
	_cleanup_free_ struct contents *contents = malloc(sizeof(*contents));

	if (!contents)
		return true;
	probe_drive(facts, contents);
	if (!boot_medium(&c->machine->boot, contents))
		return false;
	leave_out(c, facts, "it may be what this machine was started from. Name it to wipe it.");
	return true;
}

static void say_no_drives(const struct choice *c)
{
	const struct inventory *all = &c->machine->inventory;
	char names[WORDS_MAX] = "";

	for (unsigned i = 0; i < all->count; i++)
		if (!facts_listed(&all->drives[i]))
			(void)text_append(names, sizeof(names), "%s%s", *names ? ", " : "",
					  all->drives[i].name);
	if (*names)
		console_say(c->console, "left out, as they are no drives of their own: %s", names);
}

int select_all(const struct machine *machine, const char *const *patterns, unsigned pattern_count,
	       time_t now, const struct console *console, struct selection *ret_selection)
{
	struct selection into = { .names = calloc(TARGETS_MAX, sizeof(*into.names)) };
	const struct choice c = { .machine = machine,
				  .patterns = patterns,
				  .pattern_count = pattern_count,
				  .now = now,
				  .console = console,
				  .into = &into };
	const struct inventory *all = &machine->inventory;
	int r = into.names ? check_patterns(&c) : -ENOMEM;

	if (r) {
		selection_done(&into);
		return r;
	}
	for (unsigned i = 0; i < all->count && into.count < TARGETS_MAX; i++) {
		struct drive_facts *facts = &all->drives[i];

		if (facts_listed(facts) && !is_excluded(&c, facts) &&
		    !is_refused(&c, facts, &all->usages[i]) && !is_chosen_already(&c, facts) &&
		    !is_boot_medium(&c, facts))
			into.names[into.count++] = facts->path;
	}
	say_no_drives(&c);
	*ret_selection = into;
	return 0;
}

void selection_done(struct selection *selection)
{
	free(selection->names);
	*selection = (struct selection){ 0 };
}
