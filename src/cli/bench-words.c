/* SPDX-License-Identifier: MIT */
/* The sentences of `bench`. */
#include "cli/bench-words.h"

#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/text.h"

#define MB UINT64_C(1000000)

/*
 * What the fastest of a kind take, in the units that are printed on them. Not the rates of
 * plan_typical_rate(), which are for an estimate of the time and therefore cautious: here, to be
 * cautious is to think of faster drives.
 */
static const struct drive_class {
	const char *name;
	uint64_t rate; /* bytes a second */
} classes[] = {
	{ "NVMe SSD", 7000 * MB }, /* PCIe 4, four lanes */
	{ "SATA SSD", 550 * MB },
	{ "hard disk", 250 * MB },
};

enum { CLASSES = sizeof(classes) / sizeof(*classes), SHORT_FROM = 1 };

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

char *bench_words_enough(char buf[WORDS_MAX], uint64_t rate)
{
	for (unsigned i = SHORT_FROM; i < CLASSES; i++) {
		uint64_t n = rate / classes[i].rate;

		if (!n)
			continue;
		(void)text_print(buf, WORDS_MAX, "%llu %s%s", (unsigned long long)n,
				 classes[i].name, plural(n));
		return buf;
	}
	(void)text_print(buf, WORDS_MAX, "less than a hard disk");
	return buf;
}

const char *bench_words_missing(const struct keystream_kind *kind)
{
	/* OpenSSL needs no instructions; but it can be set up without the cipher. */
	return strcmp(kind->name, "openssl") ? "not on this CPU" : "not in this OpenSSL";
}

const char *bench_words_why(const struct keystream_kind *chosen, const struct bench_cipher *ciphers,
			    unsigned count)
{
	unsigned working = 0;
	bool aes = false;

	for (unsigned i = 0; i < count; i++) {
		working += ciphers[i].one && !strcmp(ciphers[i].kind->cipher, chosen->cipher);
		aes |= ciphers[i].one && !strcmp(ciphers[i].kind->cipher, CIPHER_AES);
	}
	if (strcmp(chosen->cipher, CIPHER_AES))
		return aes ? "AES has no hardware here" : "AES does not work here";
	return working > 1 ? "the fastest AES here" : "the AES that works here";
}

static void add(char buf[WORDS_MAX], const char *text)
{
	size_t length = strlen(buf);

	(void)text_print(buf + length, WORDS_MAX - length, "%s", text);
}

/* "1 NVMe SSD (7.0 GB/s), 19 SATA SSDs (550 MB/s each) or 43 hard disks (250 MB/s each)" */
static void add_classes(char buf[WORDS_MAX], uint64_t rate)
{
	char text[WORDS_MAX], speed[FMT_MAX];
	bool any = false;

	for (unsigned i = 0; i < CLASSES; i++) {
		uint64_t n = rate / classes[i].rate;

		if (!n)
			continue;
		(void)text_print(text, sizeof(text), "%s%llu %s%s (%s/s%s)",
				 !any		   ? ""
				 : i < CLASSES - 1 ? ", "
						   : " or ",
				 (unsigned long long)n, classes[i].name, plural(n),
				 fmt_bytes_si(speed, classes[i].rate), n > 1 ? " each" : "");
		add(buf, text);
		any = true;
	}
}

char *bench_words_chosen(char buf[WORDS_MAX], const struct keystream_kind *chosen,
			 const struct bench_rates *rates)
{
	const struct drive_class *slowest = &classes[CLASSES - 1];
	char speed[FMT_MAX], text[WORDS_MAX];

	(void)text_print(buf, WORDS_MAX, "wipe would use %s by %s: one core is ", chosen->title,
			 chosen->name);
	if (rates->one >= slowest->rate) {
		add(buf, "enough for ");
		add_classes(buf, rates->one);
	} else {
		add(buf, "not enough for a fast hard disk (");
		add(buf, fmt_bytes_si(speed, slowest->rate));
		add(buf, "/s)");
	}
	add(buf, ".");
	if (rates->threads > 1) {
		(void)text_print(text, sizeof(text),
				 " Where a drive is faster than one core, up to %u work for it.",
				 rates->threads);
		add(buf, text);
	}
	return buf;
}

char *bench_words_outlook(char buf[WORDS_MAX], const struct trial_outlook *outlook,
			  const struct bench_rates *rates)
{
	bool one = outlook->one_core || rates->threads == 1;
	char took[FMT_MAX], speed[FMT_MAX], text[WORDS_MAX];

	(void)text_print(buf, WORDS_MAX,
			 "To wipe and verify all of it would take about %s at these rates%s. The "
			 "%s is the limit: ",
			 fmt_duration(took, outlook->wipe_ns),
			 outlook->measured ? "" : ", if it writes as fast as it reads",
			 outlook->cpu_limits ? "CPU" : "drive");
	if (one)
		(void)text_print(text, sizeof(text), "one core makes ");
	else
		(void)text_print(text, sizeof(text), "%u cores make ", rates->threads);
	add(buf, text);
	add(buf, outlook->cpu_limits ? "only " : "");
	add(buf, fmt_rate(speed, one ? rates->one : rates->all, NS_PER_S));
	add(buf, " of random data.");
	return buf;
}

char *bench_words_plan(char buf[WORDS_MAX], const struct trial_range ranges[TRIAL_PLACES])
{
	bool several = ranges[TRIAL_MIDDLE].length > 0;
	char each[FMT_MAX];

	(void)text_print(buf, WORDS_MAX,
			 "%s%s of it%s are overwritten with random data and read again, to measure "
			 "how fast it is. A partition table or file system on it will be broken. "
			 "This is not a wipe: the rest stays as it is.",
			 several ? "up to 3 x " : "", fmt_bytes(each, ranges[TRIAL_START].length),
			 several ? " (start, middle, end)" : "");
	return buf;
}

char *bench_words_fault(char buf[WORDS_MAX], const struct trial_figure *figure, bool write,
			const char *place)
{
	const char *done = write ? "written" : "read";
	char bytes[FMT_MAX], first[FMT_MAX];

	*buf = '\0';
	if (figure->bad_bytes)
		(void)text_print(buf, WORDS_MAX,
				 "%s bytes at its %s could not be %s (%s), first at byte %s.",
				 fmt_grouped(bytes, figure->bad_bytes), place, done,
				 strerror(figure->bad_code), fmt_grouped(first, figure->bad_first));
	else if (figure->end == ENGINE_GONE)
		(void)text_print(buf, WORDS_MAX, "the drive went away at its %s (%s).", place,
				 strerror(figure->code));
	else if (figure->end == ENGINE_DENIED)
		(void)text_print(buf, WORDS_MAX, "the drive turned read-only at its %s.", place);
	else if (figure->end == ENGINE_FAILED)
		(void)text_print(buf, WORDS_MAX, "its %s could not be %s: %s.", place, done,
				 strerror(figure->code));
	else if (figure->code)
		(void)text_print(buf, WORDS_MAX,
				 "the drive failed to flush its cache after its %s was written "
				 "(%s).",
				 place, strerror(figure->code));
	return buf;
}
