/* SPDX-License-Identifier: MIT */
/* The sentences about what the gate has found, and why a claim failed. */
#include <errno.h>
#include <string.h>

#include "base/fmt.h"
#include "base/text.h"
#include "cli/words-inside.h"

#define NOTHING " Nothing was written."

/* Whether nothing lies between the drive, or a partition of it, and what uses it. */
static bool is_direct(const struct drive_facts *facts, const struct use *use)
{
	const char *arrow = strstr(use->chain, " -> ");

	return !arrow || (!strstr(arrow + 1, " -> ") &&
			  !strncmp(arrow + strlen(" -> "), facts->name, strlen(facts->name)));
}

/* The last thing on the way: the partition of "sdb -> sdb1". */
static const char *last_link(const struct use *use)
{
	const char *last = use->chain;

	for (const char *p = last; (p = strstr(p, " -> "));)
		last = p += strlen(" -> ");
	return last;
}

static void add_mount(char buf[WORDS_MAX], const struct drive_facts *facts, const struct use *use)
{
	if (is_direct(facts, use))
		add(buf, "%s is mounted on %s", last_link(use), use->what);
	else
		add(buf, "%s -> %s (mounted)", use->chain, use->what);
	if (use->pid)
		add(buf, ", as %s (pid %d) sees it, and not this one. End that first.",
		    use->command, (int)use->pid);
	else
		add(buf, ". Unmount it first (umount %s).", use->what);
}

static void add_file_system(char buf[WORDS_MAX], const struct use *use)
{
	add(buf,
	    "%s holds a file system (%s) that is still active, though no mount of it can be seen: "
	    "it was "
	    "unmounted lazily, or is mounted out of sight.",
	    use->chain, use->what);
	if (use->pid)
		add(buf, " %s (pid %d) works in it: end that first.", use->command, (int)use->pid);
	else
		add(buf, " End what works in it first.");
}

static void add_use(char buf[WORDS_MAX], const struct drive_facts *facts, const struct use *use)
{
	bool file = facts->kind == DRIVE_FILE && !strstr(use->chain, " -> ");

	switch (use->kind) {
	case USE_MOUNT:
		add_mount(buf, facts, use);
		break;
	case USE_SWAP:
		add(buf, "%s is active swap. Switch it off first (swapoff %s).",
		    is_direct(facts, use) ? last_link(use) : use->chain, use->what);
		break;
	case USE_HOLDER:
		add(buf, "%s is held by %s. Take it out of use first.",
		    is_direct(facts, use) ? last_link(use) : use->chain, use->what);
		break;
	case USE_LOOP:
		add(buf, "%s is behind the loop device %s. Detach it first (losetup -d /dev/%s).",
		    file		    ? "it"
		    : is_direct(facts, use) ? last_link(use)
					    : use->chain,
		    use->what, use->what);
		break;
	case USE_FILE_SYSTEM:
		add_file_system(buf, use);
		break;
	case USE_HIBERNATION:
		add(buf, "%s is where the system hibernates to (/sys/power/resume).", use->chain);
		break;
	case USE_WRITER:
	case USE_READER:
		add(buf, "%s is open for %s by %s (pid %d). End that first.",
		    file ? "it" : last_link(use), use->kind == USE_WRITER ? "writing" : "reading",
		    use->command, (int)use->pid);
		break;
	}
}

/* "this is the drive the system runs from (/, /boot/efi)"; further away with the way there. */
static void add_system(char buf[WORDS_MAX], const struct drive_facts *facts,
		       const struct gate_finding *finding)
{
	const struct use *use = finding->use;

	add(buf, "this is the drive the system runs from (");
	for (unsigned i = 0; i < finding->uses; i++)
		add(buf, "%s%s", i ? ", " : "", *use[i].what ? use[i].what : "hibernation");
	add(buf, ")");
	if (!is_direct(facts, use))
		add(buf, ": %s -> %s", use->chain, use->what);
	add(buf, ". It cannot be wiped from here.");
}

static void add_unexpected(char buf[WORDS_MAX], const struct drive_facts *facts,
			   const struct expectation *expect)
{
	char number[FMT_MAX];

	switch (expect->key) {
	case EXPECT_SERIAL:
		add(buf, "expected serial %s, this drive says %s.", expect->text,
		    *facts->serial ? facts->serial : "nothing");
		break;
	case EXPECT_WWN:
		add(buf, "expected WWN %s, this drive says %s.", expect->text,
		    *facts->wwn ? facts->wwn : "nothing");
		break;
	case EXPECT_SIZE:
		add(buf, "expected a size of %s, this drive has %s bytes.", expect->text,
		    fmt_grouped(number, facts->size));
		break;
	case EXPECT_DISKSEQ:
		add(buf, "expected diskseq %s, this drive has %llu.", expect->text,
		    (unsigned long long)facts->diskseq);
		break;
	}
	add(buf, NOTHING);
}

static const char *what_it_is(enum drive_kind kind)
{
	switch (kind) {
	case DRIVE_DIRECTORY:
		return "is a directory";
	case DRIVE_FIFO:
		return "is a pipe (FIFO)";
	case DRIVE_SOCKET:
		return "is a socket";
	case DRIVE_CHAR:
		return "is a character device";
	default:
		return "is something else";
	}
}

/* 'sdb2 ("backup")', or "it" for the whole drive. */
static void add_place(char buf[WORDS_MAX], const struct drive_facts *facts,
		      const struct signature *signature)
{
	char name[FACTS_TEXT_MAX];

	add(buf, "%s",
	    signature->partition ? words_partition(name, facts, signature->partition) : "it");
	if (*signature->label)
		add(buf, " (\"%s\")", signature->label);
}

static void add_signature(char buf[WORDS_MAX], const struct drive_facts *facts,
			  const struct gate_finding *finding)
{
	const struct signature *s = finding->signature;

	add_place(buf, facts, s);
	switch (finding->code) {
	case GATE_CLUSTER:
		add(buf,
		    " holds %s, which other machines may be using at this moment. Name the drive "
		    "exactly "
		    "(--expect serial=, wwn= or diskseq=)." NOTHING,
		    s->type);
		break;
	case GATE_NOTE_CLUSTER:
		add(buf, " holds %s, which other machines may be using at this moment", s->type);
		break;
	case GATE_NOTE_MEMBER:
		add(buf,
		    " belongs to a RAID array, volume group or pool (%s) that is not running now: "
		    "the "
		    "others of it may need it",
		    s->type);
		break;
	default:
		add(buf, " is an encrypted volume (LUKS) that is not open now: what is in it goes "
			 "for good");
	}
}

/* Those that say the same of every drive. */
static const char *fixed_sentence(enum gate_code code)
{
	static const char *const sentences[] = {
		[GATE_OPTICAL] = "is an optical drive, not something stormwipe wipes.",
		[GATE_READ_ONLY] =
			"is write-protected (a switch, a flag or the drive itself)." NOTHING,
		[GATE_ZONED] =
			"is a zoned drive (host-managed SMR or ZNS), which cannot be overwritten "
			"like others." NOTHING,
		[GATE_HIDDEN] = "is one path of a multipath drive. Name the drive itself.",
		[GATE_RESERVED] = "is reserved (a SCSI persistent reservation): this or another "
				  "machine uses it. "
				  "Have it released first." NOTHING,
		[GATE_UNCHECKED] = "cannot tell whether it is in use, because /proc or /sys is "
				   "missing here. Name "
				   "it exactly with --expect." NOTHING,
		[GATE_NOTE_UNCHECKED] =
			"/proc or /sys is missing here: who uses it could not be looked up",
		[GATE_NOTE_UNSEEN] =
			"not every process may be looked at: whether one has it open is not known",
		[GATE_NOTE_SERIAL] = "its serial number is not its own alone, so it tells nothing",
		[GATE_BESIDE] =
			"is a partition of the drive the system runs from. It cannot be wiped "
			"from here.",
		[GATE_NOTE_LARGER] = "it is larger than the drive that the system runs from",
		[GATE_NOTE_BOOT] = "it may be what this machine was started from",
		[GATE_NOTE_VOLUME] =
			"a logical volume of a RAID controller: the drives, spares and cache "
			"behind it are not covered",
		[GATE_NOTE_FLASH] =
			"flash memory keeps spare cells that no overwrite reaches: this is "
			"Clear, not Purge",
		[GATE_NOTE_CACHED] =
			"a loop device without direct I/O: what is read back may come from "
			"memory (losetup --direct-io=on)",
		[GATE_NOTE_RELOCATES] =
			"its file system never overwrites in place: what it held before "
			"stays on the drive below",
		[GATE_NOTE_SHARED] =
			"other files or snapshots share its blocks (reflink): they keep what "
			"it held",
		[GATE_NOTE_FILE] =
			"a file: copies, snapshots and earlier blocks elsewhere are not reached",
	};

	return code < sizeof(sentences) / sizeof(*sentences) ? sentences[code] : NULL;
}

/* What does not keep a drive from being wiped, but should be known before. */
static void add_note(char buf[WORDS_MAX], const struct drive_facts *facts,
		     const struct gate_finding *finding)
{
	char number[FMT_MAX];

	switch (finding->code) {
	case GATE_NOTE_READER:
		add(buf, "%s is open for reading by %s (pid %d)", last_link(finding->use),
		    finding->use->command, (int)finding->use->pid);
		break;
	case GATE_NOTE_TWIN:
		add(buf, "%s is another way to the same drive; it is held as well", finding->twin);
		break;
	case GATE_NOTE_OLD:
		add(buf, "there are %u years of file systems on it", finding->years);
		break;
	case GATE_NOTE_BRIDGE:
		add(buf, "behind a USB bridge (%s), which may hide a part of the drive%s",
		    facts->bridge,
		    facts->bridge_serial ? "; the serial number is the bridge's" : "");
		break;
	case GATE_NOTE_HOLES:
		add(buf, "a sparse file: filling it takes up to %s more room",
		    fmt_bytes(number, facts->image.unfilled));
		break;
	default:
		break;
	}
}

static void add_users(char buf[WORDS_MAX], const struct drive_facts *facts,
		      const struct gate_finding *finding)
{
	if (finding->twin)
		add(buf, "is the same drive as %s. ", finding->twin);
	if (finding->code == GATE_SYSTEM) {
		add_system(buf, facts, finding);
	} else {
		add(buf, "in use: ");
		add_use(buf, facts, finding->use);
	}
}

char *words_finding(char buf[WORDS_MAX], const struct drive_facts *facts,
		    const struct gate_finding *finding)
{
	const char *fixed = fixed_sentence(finding->code);

	*buf = '\0';
	if (fixed) {
		add(buf, "%s", fixed);
		return buf;
	}
	switch (finding->code) {
	case GATE_NOT_A_DRIVE:
		add(buf, "%s, not a drive. Name a drive, a partition or an image file.",
		    what_it_is(facts->kind));
		break;
	case GATE_EMPTY:
		add(buf, facts->kind == DRIVE_FILE
				 ? "is an empty file: there is nothing to do."
				 : "has size 0: no medium, or its size is unknown." NOTHING);
		break;
	case GATE_SYSTEM:
	case GATE_USED:
		add_users(buf, facts, finding);
		break;
	case GATE_UNEXPECTED:
		add_unexpected(buf, facts, finding->expect);
		break;
	case GATE_UNNAMED:
		add(buf,
		    "the serial number %s is not this drive's alone. Name it by --expect wwn= or "
		    "diskseq=." NOTHING,
		    facts->serial);
		break;
	case GATE_CLUSTER:
	case GATE_NOTE_CLUSTER:
	case GATE_NOTE_MEMBER:
	case GATE_NOTE_LUKS:
		add_signature(buf, facts, finding);
		break;
	default:
		add_note(buf, facts, finding);
	}
	return buf;
}

char *words_scan(char buf[WORDS_MAX], int error)
{
	*buf = '\0';
	add(buf, "%s.", error == ENOENT ? "there is no such drive or file" : strerror(error));
	return buf;
}

char *words_claim(char buf[WORDS_MAX], int error)
{
	*buf = '\0';
	switch (error) {
	case EACCES:
		add(buf, "cannot open it: permission denied. Run as root, or with access to it.");
		break;
	case EPERM:
		add(buf, "cannot open it: not permitted (an immutable file, or missing rights).");
		break;
	case EROFS:
		add(buf,
		    "is write-protected: it cannot be opened for writing. Nothing was written.");
		break;
	case EBUSY:
		add(buf, "in use: somebody else holds it exclusively. Take it out of use first.");
		break;
	case EWOULDBLOCK:
		add(buf, "in use: another program has locked it (flock). Wait for it, or end it.");
		break;
	case ESTALE:
		add(buf, "is not the drive any more that was found under this name. Nothing was "
			 "written.");
		break;
	case ETXTBSY:
		add(buf, "in use: it is being run as a program, or used as swap.");
		break;
	default:
		add(buf, "cannot open it: %s.", strerror(error));
	}
	return buf;
}
