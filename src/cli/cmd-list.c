/* SPDX-License-Identifier: MIT */
/*
 * stormwipe list: the drives, what is on them, who uses them, and whether `wipe` would accept them.
 * Opens drives for reading only and never exclusively, so that it is in nobody's way.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/list-options.h"
#include "cli/words.h"
#include "device/machine.h"
#include "device/medium.h"
#include "device/reservation.h"
#include "report/list.h"
#include "ui/console.h"
#include "ui/table.h"

struct list {
	struct list_options options;
	struct console console;
	struct machine machine;
	struct list_row *rows;
	struct usage *usages; /* of the drives that were named, one for each row */
	unsigned count;
	bool missing; /* not everything that was named is there */
};

/* ---- which ones ---- */

static int take_rows(struct list *l, unsigned count)
{
	l->rows = calloc(count + 1, sizeof(*l->rows));
	return l->rows ? 0 : -ENOMEM;
}

/* A name that leads to nothing does not keep the others from being shown. */
static int add_named(struct list *l, const char *name)
{
	struct list_row *row = &l->rows[l->count];
	struct usage *usage = &l->usages[l->count];
	char clean[LIST_TEXT_MAX], sentence[WORDS_MAX];
	int r = scan_path(&system_roots_real, name, &row->facts);

	if (r) {
		console_error(&l->console, "%s: %s", text_clean(clean, sizeof(clean), name),
			      words_scan(sentence, -r));
		l->missing = true;
		return 0;
	}
	row->usage = usage;
	l->count++;
	return usage_collect(l->machine.tables, &row->facts, usage);
}

static int pick_named(struct list *l)
{
	int r = take_rows(l, l->options.target_count);

	l->usages = calloc(l->options.target_count, sizeof(*l->usages));
	if (!l->usages)
		r = -ENOMEM;
	for (unsigned i = 0; !r && i < l->options.target_count; i++)
		r = add_named(l, l->options.targets[i]);
	return r;
}

static int pick_all(struct list *l)
{
	const struct inventory *inventory = &l->machine.inventory;
	int r = take_rows(l, inventory->count);

	for (unsigned i = 0; !r && i < inventory->count; i++) {
		if (!l->options.all && !facts_listed(&inventory->drives[i]))
			continue;
		l->rows[l->count].facts = inventory->drives[i];
		l->rows[l->count++].usage = &inventory->usages[i];
	}
	return r;
}

/* ---- what each is ---- */

/* An empty drive has nothing to read, an optical one would begin to spin, and a hidden one is only
 * a way to another. */
static bool worth_opening(const struct drive_facts *f)
{
	if (f->kind != DRIVE_DISK && f->kind != DRIVE_PARTITION && f->kind != DRIVE_FILE)
		return false;
	/* Without sysfs the size is known only from the descriptor. */
	return !f->hidden && (f->size || (f->kind != DRIVE_FILE && !f->sysfs_seen));
}

static int look(struct list_row *row)
{
	_cleanup_close_ int fd =
		open(row->facts.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	int r = fd < 0 ? -errno : scan_descriptor(&system_roots_real, fd, &row->facts);

	if (r || !row->facts.size)
		return r;
	row->facts.reserved = reservation_held(fd, &row->facts);
	probe_contents(fd, row->facts.size, &row->contents);
	return row->contents.readable ? 0 : -EIO;
}

static int say_findings(struct list_row *row)
{
	char words[WORDS_MAX];

	row->sentences = calloc(row->gate.count + 1, sizeof(*row->sentences));
	if (!row->sentences)
		return -ENOMEM;
	for (unsigned i = 0; i < row->gate.count; i++) {
		words_finding(words, &row->facts, &row->gate.items[i]);
		row->sentences[i] = strdup(words);
		if (!row->sentences[i])
			return -ENOMEM;
	}
	return 0;
}

static int judge(const struct machine *machine, struct list_row *row)
{
	/* As `wipe` does it: whoever is asked sees what is not known. */
	static const struct gate_policy policy = { .person = true };
	const struct gate_view view = { .facts = &row->facts,
					.usage = row->usage,
					.contents = row->contents.readable ? &row->contents : NULL,
					.surroundings = &row->around,
					.boot = &machine->boot,
					.now = time(NULL) };

	inventory_around(&machine->inventory, &row->facts, &row->around);
	gate_check(&view, &policy, &row->gate);
	return say_findings(row);
}

static int read_all(struct list *l)
{
	int r = machine_read(&system_roots_real, &l->machine);

	if (!r)
		r = l->options.target_count ? pick_named(l) : pick_all(l);
	for (unsigned i = 0; !r && i < l->count; i++) {
		if (worth_opening(&l->rows[i].facts))
			l->rows[i].error = -look(&l->rows[i]);
		r = judge(&l->machine, &l->rows[i]);
	}
	return r;
}

/* ---- how it is shown ---- */

static int add_row(struct table *table, const struct list_columns *columns,
		   const struct list_row *row)
{
	char buf[LIST_TEXT_MAX];
	char *cells[LIST_COLUMNS_MAX] = { NULL };
	int r = 0;

	for (unsigned i = 0; !r && i < columns->count; i++) {
		cells[i] = strdup(list_cell(buf, columns->items[i], row));
		r = cells[i] ? 0 : -ENOMEM;
	}
	if (!r)
		r = table_add(table, (const char *const *)cells);
	for (unsigned i = 0; i < columns->count; i++)
		free(cells[i]);
	return r;
}

static int new_table(const struct list_options *o, struct table **ret_table)
{
	struct table_column columns[LIST_COLUMNS_MAX];
	int r;

	for (unsigned i = 0; i < o->columns.count; i++) {
		const struct list_column *column = o->columns.items[i];

		columns[i] =
			(struct table_column){ column->heading ? column->heading : column->name,
					       column->right };
	}
	r = table_new(columns, o->columns.count, ret_table);
	if (!r && o->noheadings)
		table_hide_heading(*ret_table);
	return r;
}

static int print_table(const struct list *l)
{
	_cleanup_free_ char *text = NULL;
	struct table *table;
	int r = new_table(&l->options, &table);

	if (r)
		return r;
	for (unsigned i = 0; !r && i < l->count; i++)
		r = add_row(table, &l->options.columns, &l->rows[i]);
	if (!r)
		r = table_text(table, &text);
	table_free(table);
	if (!r)
		fputs(text, stdout);
	return r;
}

static int print_json(const struct list *l)
{
	_cleanup_free_ struct list_drive *drives = calloc(l->count + 1, sizeof(*drives));
	_cleanup_free_ char *text = NULL;
	int r;

	if (!drives)
		return -ENOMEM;
	for (unsigned i = 0; i < l->count; i++) {
		const struct list_row *row = &l->rows[i];

		drives[i] = (struct list_drive){
			.facts = &row->facts,
			.usage = row->usage,
			.contents = row->contents.readable ? &row->contents : NULL,
			.error = row->error,
			.around = &row->around,
			.gate = &row->gate,
			.sentences = row->sentences,
		};
	}
	r = list_build(drives, l->count, &text);
	if (!r)
		fputs(text, stdout);
	return r;
}

/* After the table, for it says what the table cannot. */
static void say_rest(const struct list *l)
{
	char words[LIST_TEXT_MAX];

	(void)fflush(stdout);
	list_words_unseen(words, l->rows, l->count, !geteuid());
	if (*words)
		console_error(&l->console, "%s", words);
	if (!l->count && !l->options.target_count)
		console_error(&l->console, "there is no drive to list%s.",
			      l->options.all ? "" : " (--all shows loop devices and the like)");
}

static enum exit_status list_run(struct list *l)
{
	int r = read_all(l);

	if (!r && !l->options.target_count && !l->machine.inventory.sysfs_seen) {
		console_error(&l->console, "cannot list drives: /sys is missing here. Name them.");
		return STATUS_SYSTEM;
	}
	if (!r)
		r = l->options.json ? print_json(l) : print_table(l);
	if (r) {
		console_error(&l->console, "cannot list drives: %s.", strerror(-r));
		return STATUS_SYSTEM;
	}
	say_rest(l);
	return l->missing ? STATUS_SYSTEM : STATUS_OK;
}

static void list_done(struct list *l)
{
	for (unsigned i = 0; l->rows && i < l->count; i++) {
		for (unsigned k = 0; l->rows[i].sentences && k < l->rows[i].gate.count; k++)
			free(l->rows[i].sentences[k]);
		free(l->rows[i].sentences);
	}
	free(l->rows);
	free(l->usages);
	machine_done(&l->machine);
}

struct cli_result cmd_list(int argc, char **argv)
{
	struct cli_result result = { .status = STATUS_SYSTEM };
	char error[OPTIONS_ERROR_MAX];
	struct list l = { 0 };

	console_init(&l.console, STDERR_FILENO, getenv("TERM"), "stormwipe");
	if (list_options_parse(argc, argv, &l.options, error)) {
		console_error(&l.console, "%s. See stormwipe list --help.", error);
		return (struct cli_result){ .status = STATUS_USAGE };
	}
	if (l.options.help) {
		list_options_help();
		return (struct cli_result){ .status = STATUS_OK };
	}
	if (!io_writable(STDOUT_FILENO)) {
		console_error(&l.console, "standard output is closed. Send the list to a terminal, "
					  "a pipe or a file.");
		return result;
	}
	result.status = list_run(&l);
	list_done(&l);
	return result;
}
