/* SPDX-License-Identifier: MIT */
/* What the numbers of a running drive mean for people: how fast, how far, how long still. */
#include "ui/meter.h"

#include "base/clock.h"

enum { PERCENT_ALL = 100 };

/* An estimate of eleven years says nothing; no JSON integer holds more than INT64_MAX. */
#define ETA_MAX_S (UINT64_C(100000) * 3600 - 1)
#define RATE_MAX  ((uint64_t)INT64_MAX)

#define WINDOW_NS (METER_WINDOW_MS * NS_PER_MS)
#define SAMPLE_NS (WINDOW_NS / (METER_SAMPLES - 1))

void meter_init(struct meter *meter)
{
	*meter = (struct meter){ 0 };
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t per_second(uint64_t bytes, uint64_t ns)
{
	double rate = ns ? (double)bytes * (double)NS_PER_S / (double)ns : 0;

	return rate < (double)RATE_MAX ? (uint64_t)rate : RATE_MAX;
}

/* Rounded down, and without overflow: 100 means all of it. */
static unsigned percent_of(uint64_t part, uint64_t whole)
{
	uint64_t percent;

	if (!whole || part >= whole)
		return whole ? PERCENT_ALL : 0;
	if (part <= UINT64_MAX / PERCENT_ALL)
		percent = part * PERCENT_ALL / whole;
	else
		percent = part / (whole / PERCENT_ALL);
	return percent < PERCENT_ALL ? (unsigned)percent : PERCENT_ALL - 1;
}

static void add_sample(struct meter *meter, uint64_t ns, uint64_t done)
{
	meter->samples[meter->next].ns = ns;
	meter->samples[meter->next].done = done;
	meter->next = (meter->next + 1) % METER_SAMPLES;
	if (meter->count < METER_SAMPLES)
		meter->count++;
}

/* Number @back before the newest. */
static unsigned sample_index(const struct meter *meter, unsigned back)
{
	return (meter->next + METER_SAMPLES - 1 - back) % METER_SAMPLES;
}

static void begin_pass(struct meter *meter, const struct job_snapshot *s)
{
	meter->last_pass_rate = meter->mean_rate;
	meter->mean_rate = 0;
	meter->pass = s->pass;
	meter->pass_done = 0;
	meter->count = 0;
	add_sample(meter, minus(s->job_ns, s->pass_ns), 0);
}

/* From the oldest sample within the window to now; where all are older, from the newest of them. */
static uint64_t present_rate(const struct meter *meter, uint64_t now)
{
	uint64_t ns = 0, bytes = 0;

	for (unsigned back = 0; back < meter->count; back++) {
		unsigned i = sample_index(meter, back);
		uint64_t age = minus(now, meter->samples[i].ns);

		if (ns && age > WINDOW_NS)
			break;
		ns = age;
		bytes = minus(meter->pass_done, meter->samples[i].done);
	}
	return per_second(bytes, ns);
}

/*
 * The rest of this pass at its own pace, what comes after it at this pass's mean. A pass that has
 * only just begun says little: until the window is full, the pass before is the better guess.
 */
static void estimate(const struct meter *meter, const struct job_snapshot *s,
		     struct meter_reading *ret)
{
	uint64_t rest = minus(minus(s->pass_bytes, s->pass_done), s->pass_bad);
	uint64_t all = minus(minus(s->work_bytes, s->work_done), s->work_bad);
	uint64_t mean = ret->mean_rate, now = mean / 2 + ret->rate / 2;
	double seconds;

	if (meter->last_pass_rate && (s->pass_ns < WINDOW_NS || !mean))
		now = mean = meter->last_pass_rate;
	if (s->phase == JOB_WAITING || !now || !mean)
		return;
	seconds = (double)rest / (double)now + (double)minus(all, rest) / (double)mean;
	if (seconds >= (double)ETA_MAX_S)
		return;
	ret->eta_known = true;
	ret->eta_s = (uint64_t)seconds;
	if ((double)ret->eta_s < seconds)
		ret->eta_s++;
}

static unsigned plan_percent(const struct job_snapshot *s)
{
	unsigned percent = percent_of(s->work_done, s->work_bytes);
	bool perfect = s->phase == JOB_FINISHED && !s->work_bad && !s->bad_count;

	return percent == PERCENT_ALL && !perfect ? PERCENT_ALL - 1 : percent;
}

void meter_read(struct meter *meter, const struct job_snapshot *s, struct meter_reading *ret)
{
	struct meter_reading reading = { 0 };
	unsigned percent = plan_percent(s);

	if (!meter->count || s->pass != meter->pass)
		begin_pass(meter, s);
	if (s->pass_done > meter->pass_done)
		meter->pass_done = s->pass_done < s->pass_bytes ? s->pass_done : s->pass_bytes;
	if (percent > meter->percent)
		meter->percent = percent;
	reading.rate = present_rate(meter, s->job_ns);
	reading.mean_rate = per_second(meter->pass_done, s->pass_ns);
	if (minus(s->job_ns, meter->samples[sample_index(meter, 0)].ns) >= SAMPLE_NS)
		add_sample(meter, s->job_ns, meter->pass_done);
	meter->mean_rate = reading.mean_rate;

	reading.pass_done = meter->pass_done;
	reading.pass_percent = percent_of(meter->pass_done, s->pass_bytes);
	reading.percent = meter->percent;
	if (s->phase == JOB_FINISHED)
		reading.eta_known = true;
	else
		estimate(meter, s, &reading);
	*ret = reading;
}
