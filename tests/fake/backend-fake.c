/* SPDX-License-Identifier: MIT */
/* The drive in memory: requests wait in a stack and are answered last in, first out. */
#include "backend-fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* No run of any test needs more: an engine that goes round for ever is found out here. */
enum { CALLS_MAX = 4000000, WAIT_MAX_S = 60 };

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool touches(struct fake_fault *f, uint64_t offset, uint64_t length)
{
	return f->offset < offset + length && offset < f->offset + f->length;
}

/* Counts down a fault that is not for ever; a spent one touches nothing. */
static void spend(struct fake_fault *f)
{
	if (f->times && !--f->times)
		f->length = 0;
}

static struct fake_fault *find(struct fake *fake, const struct io_request *request)
{
	unsigned op = request->op == IO_WRITE ? FAKE_WRITES : FAKE_READS;

	for (unsigned i = 0; i < fake->fault_count; i++) {
		struct fake_fault *f = &fake->faults[i];

		if (f->ops & op && request->length > f->harmless &&
		    touches(f, request->offset, request->length))
			return f;
	}
	return NULL;
}

static int32_t move(struct fake *fake, const struct io_request *request, uint32_t length)
{
	uint64_t room = request->offset < fake->size_now ? fake->size_now - request->offset : 0;

	length = (uint32_t)min(length, room);
	if (request->op == IO_READ) {
		memcpy(request->buf, fake->cache + request->offset, length);
		return (int32_t)length;
	}
	if (!length)
		return -ENOSPC;
	memcpy(fake->cache + request->offset, request->buf, length);
	if (fake->cached) {
		memset(fake->dirty + request->offset, 1, length);
		fake->dirty_from = min(fake->dirty_from, request->offset);
		fake->dirty_to = max(fake->dirty_to, request->offset + length);
	}
	return (int32_t)length;
}

static int32_t fault_answer(struct fake *fake, struct fake_fault *f,
			    const struct io_request *request)
{
	uint32_t n = request->length, value = (uint32_t)f->value;

	switch (f->kind) {
	case FAKE_FAIL:
		return -f->value;
	case FAKE_ZERO:
		return 0;
	case FAKE_DROP:
		return (int32_t)n;
	case FAKE_SHORT:
		return move(fake, request, n > value ? n - value : n);
	case FAKE_HALF:
		return move(fake, request, (uint32_t)min(n, (n / 2 / value + 1) * value));
	}
	return -EIO;
}

static int32_t answer(struct fake *fake, const struct io_request *request)
{
	struct fake_fault *f = find(fake, request);
	int32_t result;

	if (fake->gone)
		return -ENODEV;
	if (fake->readonly && request->op == IO_WRITE)
		return -EROFS;
	if (++fake->completions == fake->plan.fail_at)
		return -fake->plan.code;
	if (!f)
		return move(fake, request, request->length);
	result = fault_answer(fake, f, request);
	spend(f);
	return result;
}

static void check_request(const struct fake_port *port, const struct io_request *request)
{
	const uint8_t *base = port->buffers->base, *buf = request->buf;
	const struct fake *fake = port->fake;

	assert_true(port->in_flight < port->buffers->depth);
	assert_true(request->length > 0);
	assert_int_equal(request->offset % fake->align, 0);
	assert_int_equal(request->length % fake->align, 0);
	assert_int_equal((uintptr_t)buf % fake->align, 0);
	assert_true(buf >= base && buf + request->length <= base + port->buffers->length);
	assert_true(request->offset + request->length <= fake->size);
}

static int submit(struct fake_port *port, const struct io_request *request)
{
	struct fake *fake = port->fake;
	const struct fake_plan *plan = &fake->plan;
	unsigned n = ++fake->submits;

	assert_true(n < CALLS_MAX);
	check_request(port, request);
	if (fake->watched && (n == 1 || *fake->watched < fake->watched_min))
		fake->watched_min = *fake->watched;
	if (n == plan->shrink_at)
		fake->size_now = plan->shrink_to;
	if (n == plan->vanish_at)
		fake->gone = true;
	if (n == plan->readonly_at)
		fake->readonly = true;
	if (n == plan->stop_at)
		fake->stop = true;
	if (n == plan->refuse_at)
		return -plan->code;
	port->pending[port->in_flight++] = *request;
	return 0;
}

static int fake_submit(struct backend *b, const struct io_request *request)
{
	struct fake_port *port = (struct fake_port *)b;
	int r;

	pthread_mutex_lock(&port->fake->lock);
	r = submit(port, request);
	pthread_mutex_unlock(&port->fake->lock);
	return r;
}

/* One at a time, or two: enough to keep the rest waiting out of order. */
static int reap(struct fake_port *port, struct io_completion *out, unsigned most)
{
	struct fake *fake = port->fake;
	unsigned n = 0;

	if (++fake->reaps == fake->plan.reap_at)
		return -fake->plan.code;
	if (!port->in_flight) {
		assert_true(++fake->idle < CALLS_MAX);
		if (fake->idle == fake->plan.idle_stop)
			fake->stop = true;
	}
	while (port->in_flight && n < most && (fake->fast || n < 1 + fake->reaps % 2)) {
		const struct io_request *request = &port->pending[--port->in_flight];

		out[n++] = (struct io_completion){ request->tag, answer(fake, request) };
	}
	return (int)n;
}

/* A test must not depend on which thread is faster: all begin together. */
static void wait_for_others(struct fake_port *port)
{
	struct fake *fake = port->fake;
	bool first = port == &fake->port;
	struct timespec limit;

	port->reaps++;
	if (!first && port->in_flight && !port->busy) {
		port->busy = true;
		fake->busy++;
		pthread_cond_broadcast(&fake->news);
	}
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += WAIT_MAX_S;
	while (fake->busy < fake->wait_for && (!first || port->reaps >= fake->patience_at))
		assert_int_equal(pthread_cond_timedwait(&fake->news, &fake->lock, &limit), 0);
}

static int fake_reap(struct backend *b, struct io_completion *out, unsigned most, int timeout_ms)
{
	struct fake_port *port = (struct fake_port *)b;
	int n;

	assert_true(timeout_ms > 0);
	pthread_mutex_lock(&port->fake->lock);
	wait_for_others(port);
	n = reap(port, out, most);
	pthread_mutex_unlock(&port->fake->lock);
	return n;
}

static void write_back(struct fake *fake, bool lose)
{
	for (uint64_t at = fake->dirty_from; at < fake->dirty_to; at++) {
		if (fake->dirty[at] && !lose)
			fake->disk[at] = fake->cache[at];
		fake->dirty[at] = 0;
	}
	fake->dirty_from = UINT64_MAX;
	fake->dirty_to = 0;
}

/* Bytes that cannot be written back are lost, and told of once, as by a page cache. */
static int write_back_faults(struct fake *fake)
{
	int r = 0;

	for (unsigned i = 0; i < fake->flush_fault_count; i++) {
		struct fake_fault *f = &fake->flush_faults[i];
		uint64_t end = min(f->offset + f->length, fake->dirty_to);
		bool hit = false;

		for (uint64_t at = max(f->offset, fake->dirty_from); at < end; at++) {
			hit |= fake->dirty[at];
			fake->dirty[at] = 0;
		}
		if (!hit)
			continue;
		r = -f->value;
		spend(f);
	}
	return r;
}

static int fake_flush(struct backend *b)
{
	struct fake *fake = ((struct fake_port *)b)->fake;
	const struct fake_plan *plan = &fake->plan;
	unsigned n = ++fake->flushes;
	bool fails = n == plan->flush_at || (n > plan->flush_at && n <= plan->flush_until);
	int r;

	assert_int_equal(fake->port.in_flight, 0);
	if (fake->gone)
		return -ENODEV;
	if (fails) {
		write_back(fake, plan->flush_loses);
		return -plan->code;
	}
	r = write_back_faults(fake);
	write_back(fake, false);
	return r;
}

static int fake_size(struct backend *b, uint64_t *ret_size)
{
	struct fake *fake = ((struct fake_port *)b)->fake;

	if (fake->gone || fake->plan.no_size)
		return -ENODEV;
	*ret_size = fake->size_now;
	return 0;
}

static void fake_ops_free(struct backend *b)
{
	fake_free(((struct fake_port *)b)->fake);
}

static const struct backend_ops fake_ops = {
	.name = "fake",
	.submit = fake_submit,
	.reap = fake_reap,
	.flush = fake_flush,
	.size = fake_size,
	.free = fake_ops_free,
};

struct fake *fake_new(uint64_t size, uint32_t align, const struct io_buffers *buffers)
{
	struct fake *fake = calloc(1, sizeof(*fake));

	assert_non_null(fake);
	fake->port =
		(struct fake_port){ .backend.ops = &fake_ops, .fake = fake, .buffers = buffers };
	(void)pthread_mutex_init(&fake->lock, NULL);
	(void)pthread_cond_init(&fake->news, NULL);
	fake->size = fake->size_now = size;
	fake->align = align;
	fake->disk = malloc(size);
	fake->dirty = calloc(1, size);
	assert_true(fake->disk && fake->dirty);
	memset(fake->disk, FAKE_OLD, size);
	fake->cache = fake->disk;
	fake->dirty_from = UINT64_MAX;
	return fake;
}

static void port_free(struct backend *b)
{
	struct fake_port *port = (struct fake_port *)b;

	/* Unless a reap failed on purpose: then what it has does not come back. */
	if (!port->fake->plan.reap_at)
		assert_int_equal(port->in_flight, 0);
	free(port);
}

struct backend *fake_port_new(struct fake *fake, const struct io_buffers *buffers)
{
	static const struct backend_ops ops = {
		.name = "fake",
		.submit = fake_submit,
		.reap = fake_reap,
		.flush = fake_flush,
		.size = fake_size,
		.free = port_free,
	};
	struct fake_port *port = malloc(sizeof(*port));

	assert_non_null(port);
	*port = (struct fake_port){ .backend.ops = &ops, .fake = fake, .buffers = buffers };
	pthread_mutex_lock(&fake->lock);
	fake->ports++;
	pthread_mutex_unlock(&fake->lock);
	return &port->backend;
}

void fake_set_cached(struct fake *fake)
{
	fake->cached = true;
	fake->cache = malloc(fake->size);
	assert_non_null(fake->cache);
	memcpy(fake->cache, fake->disk, fake->size);
}

void fake_free(struct fake *fake)
{
	if (fake->cached)
		free(fake->cache);
	free(fake->disk);
	free(fake->dirty);
	(void)pthread_cond_destroy(&fake->news);
	(void)pthread_mutex_destroy(&fake->lock);
	free(fake);
}

void fake_add(struct fake *fake, struct fake_fault fault)
{
	assert_true(fake->fault_count < FAKE_FAULTS_MAX);
	fake->faults[fake->fault_count++] = fault;
}

void fake_add_flush(struct fake *fake, struct fake_fault fault)
{
	assert_true(fake->flush_fault_count < 64);
	fake->flush_faults[fake->flush_fault_count++] = fault;
}

void fake_fail(struct fake *fake, uint64_t offset, uint64_t length, unsigned ops, int error)
{
	fake_add(fake, (struct fake_fault){ .offset = offset,
					    .length = length,
					    .ops = ops,
					    .kind = FAKE_FAIL,
					    .value = error });
}

void fake_fail_flush(struct fake *fake, uint64_t offset, uint64_t length, int error)
{
	fake_add_flush(fake,
		       (struct fake_fault){ .offset = offset, .length = length, .value = error });
}
