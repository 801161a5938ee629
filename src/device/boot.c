/* SPDX-License-Identifier: MIT */
/* The medium this machine was booted from. */
#include "device/boot.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>

#include "base/io.h"
#include "base/parse.h"
#include "base/text.h"

enum { CMDLINE_MAX = 4096 };

/* The variable in which systemd-boot leaves the partition it was started from (Boot Loader
 * Interface). */
#define LOADER_VARIABLE                                                                            \
	"firmware/efi/efivars/LoaderDevicePartUUID-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

/* An EFI variable begins with its attributes; the text is UTF-16. */
enum { EFI_ATTRIBUTES = 4, EFI_VARIABLE_MAX = 128 };

/* Words that only live systems have. */
static bool says_live(const char *word)
{
	static const char *const starts[] = {
		"boot=live", "boot=casper", "root=live:", "rd.live.", "archiso",   "live-media",
		"findiso=",  "fromiso=",    "iso-scan/",  "toram",    "copytoram",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (text_starts_with(word, starts[i]))
			return true;
	return false;
}

/* The name behind a key that names the medium; NULL if @word has none. */
static const char *medium_of(const char *word)
{
	static const char *const keys[] = { "root=",	   "archisolabel=", "archisodevice=",
					    "live-media=", "bootfrom=",	    "img_dev=" };
	static const char *const prefixes[] = {
		"live:",
		"CDLABEL=",
		"LABEL=",
		"PARTUUID=",
		"UUID=",
		"/dev/disk/by-label/",
		"/dev/disk/by-uuid/",
		"/dev/disk/by-partuuid/",
	};
	const char *name = NULL;

	for (size_t i = 0; !name && i < sizeof(keys) / sizeof(*keys); i++)
		if (text_starts_with(word, keys[i]))
			name = word + strlen(keys[i]);
	for (size_t i = 0; name && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (text_starts_with(name, prefixes[i]))
			name += strlen(prefixes[i]);
	return name && *name ? name : NULL;
}

static void add_name(struct boot *boot, const char *name)
{
	char raw[BOOT_NAME_MAX];
	size_t n = 0;

	if (boot->count == BOOT_NAMES_MAX)
		return;
	for (; *name && n + 1 < sizeof(raw); n++) {
		uint8_t byte;

		if (text_starts_with(name, "\\x") && name[2] && name[3] &&
		    !parse_hex((char[]){ name[2], name[3], '\0' }, &byte, 1)) {
			raw[n] = (char)byte;
			name += 4;
		} else {
			raw[n] = *name++;
		}
	}
	raw[n] = '\0';
	text_clean(boot->names[boot->count++], BOOT_NAME_MAX, raw);
}

void boot_parse(const char *cmdline, struct boot *ret_boot)
{
	char text[CMDLINE_MAX], *rest = text, *word;

	*ret_boot = (struct boot){ 0 };
	(void)text_print(text, sizeof(text), "%s", cmdline);
	while ((word = strsep(&rest, " \n"))) {
		const char *name = medium_of(word);

		ret_boot->live |= says_live(word);
		if (name)
			add_name(ret_boot, name);
	}
}

static void read_loader(const struct system_roots *roots, struct boot *boot)
{
	char path[PATH_MAX], raw[EFI_VARIABLE_MAX] = { 0 }, name[EFI_VARIABLE_MAX] = "";
	ssize_t length = -1;
	size_t n = 0;

	if (text_print(path, sizeof(path), "%s/%s", roots->sys, LOADER_VARIABLE))
		length = io_read_text(AT_FDCWD, path, raw, sizeof(raw));
	for (ssize_t i = EFI_ATTRIBUTES; i < length && raw[i]; i += 2)
		name[n++] = raw[i];
	name[n] = '\0';
	if (n)
		add_name(boot, name);
}

void boot_read(const struct system_roots *roots, struct boot *ret_boot)
{
	char path[PATH_MAX], cmdline[CMDLINE_MAX];

	if (!text_print(path, sizeof(path), "%s/cmdline", roots->proc) ||
	    io_read_text(AT_FDCWD, path, cmdline, sizeof(cmdline)) < 0)
		*cmdline = '\0';
	boot_parse(cmdline, ret_boot);
	/* root=UUID= of an installed system names its clones as well: they may be wiped. */
	if (!ret_boot->live)
		ret_boot->count = 0;
	read_loader(roots, ret_boot);
}

static bool has_name(const struct boot *boot, const char *name)
{
	for (unsigned i = 0; i < boot->count; i++)
		if (*name && !strcasecmp(boot->names[i], name))
			return true;
	return false;
}

bool boot_medium(const struct boot *boot, const struct contents *contents)
{
	for (unsigned i = 0; i < contents->count; i++) {
		const struct signature *s = &contents->items[i];

		if (has_name(boot, s->label) || has_name(boot, s->uuid) ||
		    has_name(boot, s->partition_uuid))
			return true;
		if (boot->live && !strcmp(s->type, "iso9660"))
			return true;
	}
	return false;
}
