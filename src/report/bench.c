/* SPDX-License-Identifier: MIT */
/* Builds the document of `bench --json`; docs/bench.md describes every field of it. */
#include "report/bench.h"

#include "report/values.h"

enum { BENCH_VERSION = 1 };

static json_t *cipher_object(const struct bench_input *in, const struct bench_cipher *c)
{
	return json_pack("{s:s, s:s, s:b, s:b, s:o, s:o}", "cipher", c->kind->cipher,
			 "implementation", c->kind->name, "works", c->one > 0, "chosen",
			 c->kind == in->chosen, "bytes_per_s", number_or_null(c->one),
			 "threads_bytes_per_s", number_or_null(c->together));
}

static json_t *chosen_object(const struct bench_input *in)
{
	uint64_t one = 0;

	if (!in->chosen)
		return json_null();
	for (unsigned i = 0; i < in->cipher_count; i++)
		if (in->ciphers[i].kind == in->chosen)
			one = in->ciphers[i].one;
	return json_pack("{s:s, s:s, s:o, s:o}", "cipher", in->chosen->cipher, "implementation",
			 in->chosen->name, "bytes_per_s", number_or_null(one), "why",
			 text_or_null(in->why));
}

static json_t *figure_object(const struct trial_figure *f)
{
	if (!f->started)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "bytes_done", number(f->bytes),
			 "duration_s", seconds(f->ns), "bytes_per_s",
			 f->bytes ? rate(f->bytes, f->ns) : json_null(), "bad_bytes",
			 number(f->bad_bytes), "bad_first",
			 f->bad_bytes ? number(f->bad_first) : json_null(), "error",
			 error_name(f->code ? f->code : f->bad_code), "error_code",
			 error_code(f->code ? f->code : f->bad_code));
}

static json_t *places_array(const struct trial_result *result)
{
	static const char *const names[TRIAL_PLACES] = { "start", "middle", "end" };
	json_t *places = json_array();

	for (unsigned i = 0; result && i < TRIAL_PLACES; i++)
		if (result->ranges[i].length)
			append(&places, json_pack("{s:s, s:o, s:o, s:o, s:o}", "place", names[i],
						  "offset", number(result->ranges[i].offset),
						  "length", number(result->ranges[i].length),
						  "read", figure_object(&result->read[i]), "write",
						  figure_object(&result->write[i])));
	return places;
}

static json_t *drive_result(const struct bench_drive *d)
{
	const struct trial_result *result = d->result;

	return json_pack("{s:o, s:i, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "drive",
			 drive_object(d->facts), "exit_status", (int)d->status, "reason",
			 text_or_null(d->reason), "backend",
			 text_or_null(result ? result->backend : NULL), "direct",
			 result ? json_boolean(result->direct) : json_null(), "wrote",
			 result && result->wrote, "places", places_array(result), "wipe_s",
			 d->outlook.wipe_ns ? seconds(d->outlook.wipe_ns) : json_null(), "limit",
			 d->outlook.wipe_ns ? json_string(d->outlook.cpu_limits ? "cpu" : "drive")
					    : json_null());
}

static json_t *bench_object(const struct bench_input *in)
{
	json_t *ciphers = json_array(), *drives = json_array();

	for (unsigned i = 0; i < in->cipher_count; i++)
		append(&ciphers, cipher_object(in, &in->ciphers[i]));
	for (unsigned i = 0; i < in->drive_count; i++)
		append(&drives, drive_result(&in->drives[i]));
	return json_pack("{s:i, s:{s:s, s:s}, s:i, s:i, s:o, s:o, s:o}", "bench_version",
			 BENCH_VERSION, "tool", "name", "stormwipe", "version", STORMWIPE_VERSION,
			 "cpus", (int)in->cpus, "threads", (int)in->threads, "ciphers", ciphers,
			 "chosen", chosen_object(in), "drives", drives);
}

int bench_build(const struct bench_input *input, char **ret_text)
{
	return document_line(bench_object(input), ret_text);
}
