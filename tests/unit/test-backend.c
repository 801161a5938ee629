/* SPDX-License-Identifier: MIT */
/* Both real backends on a file in memory: the same content, and the kernel's own errors. */
#include "engine/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/engine.h"
#include "keystream/keystream.h"

enum {
	SIZE = 3 * 1024 * 1024 + 4097,
	CHUNK = 64 * 1024,
	DEPTH = 8,
	LONG_MS = 60000,
	NOBODY = 65534,
	LITTLE = 65536
};

typedef int backend_maker(int fd, const struct io_buffers *buffers, struct backend **ret_backend);

static uint8_t stream_byte(uint64_t position)
{
	return (uint8_t)(position * UINT64_C(0x9E3779B97F4A7C15) >> 56);
}

static int stream_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	(void)ks;
	for (size_t i = 0; i < length; i++)
		((uint8_t *)buf)[i] = stream_byte(position + i);
	return 0;
}

static void stream_free(struct keystream *ks)
{
	(void)ks;
}

static const struct keystream_ops stream_ops = { .fill = stream_fill, .free = stream_free };

struct bench {
	int fd;
	struct engine *engine;
	struct backend *backend;
};

static int open_drive(int flags)
{
	char path[64];
	int memory = memfd_create("drive", MFD_CLOEXEC), fd;

	assert_true(memory >= 0);
	assert_int_equal(ftruncate(memory, SIZE), 0);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	fd = open(path, flags | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(close(memory), 0);
	return fd;
}

/* Skips the test where the kernel does not let us have this backend. */
static void bench_make(struct bench *b, backend_maker *make, int flags)
{
	int r;

	b->fd = open_drive(flags);
	assert_int_equal(engine_new(CHUNK, DEPTH, &b->engine), 0);
	r = make(b->fd, engine_buffers(b->engine), &b->backend);
	if (r == -EPERM || r == -ENOSYS || r == -ENOMEM) {
		engine_free(b->engine);
		(void)close(b->fd);
		print_message("# skipped: no io_uring here: %s\n", strerror(-r));
		skip();
	}
	assert_int_equal(r, 0);
}

static void bench_done(struct bench *b)
{
	backend_free(b->backend);
	engine_free(b->engine);
	(void)close(b->fd);
}

static struct io_completion one(struct bench *b)
{
	struct io_completion done[DEPTH];

	assert_int_equal(b->backend->ops->reap(b->backend, done, DEPTH, LONG_MS), 1);
	return done[0];
}

static void run(struct bench *b, enum engine_mode mode)
{
	struct keystream ks = { &stream_ops };
	struct extent_map bad = { 0 }, wrong = { 0 };
	struct engine_progress progress = { 0 };
	struct engine_result result = { .bad = &bad, .wrong = &wrong };
	const struct engine_params params = {
		.mode = mode,
		.length = SIZE,
		.sector = 512,
		.align = 1,
		.flush_every = 1 << 20,
	};

	assert_int_equal(extent_map_init(&bad, 8), 0);
	assert_int_equal(extent_map_init(&wrong, 8), 0);
	engine_run(b->engine, b->backend, &ks, &params, &progress, &result);
	assert_int_equal(result.end, ENGINE_DONE);
	assert_int_equal(progress.done, SIZE);
	extent_map_done(&bad);
	extent_map_done(&wrong);
}

static int uring_new(int fd, const struct io_buffers *buffers, struct backend **ret_backend)
{
	return backend_uring_new(fd, buffers, 0, ret_backend);
}

static int uring_new_plain(int fd, const struct io_buffers *buffers, struct backend **ret_backend)
{
	return backend_uring_new(fd, buffers, URING_PLAIN_BUFFERS | URING_PLAIN_RING, ret_backend);
}

static void writes_the_stream_and_reads_it_back(backend_maker *make)
{
	struct bench b;
	const uint8_t *content;

	bench_make(&b, make, O_RDWR);
	run(&b, ENGINE_WRITE);
	content = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, b.fd, 0);
	assert_true(content != MAP_FAILED);
	for (uint64_t i = 0; i < SIZE; i++) {
		if (content[i] != stream_byte(i))
			fail_msg("wrong at %lu", (unsigned long)i);
	}
	assert_int_equal(lseek(b.fd, 0, SEEK_END), SIZE);
	run(&b, ENGINE_VERIFY);
	(void)munmap((void *)(uintptr_t)content, SIZE);
	bench_done(&b);
}

static void reports_short_counts_and_errors_as_they_are(backend_maker *make)
{
	struct bench b;
	struct io_request request = { .op = IO_READ, .length = 4096, .tag = 5 };
	struct io_completion done;

	bench_make(&b, make, O_RDONLY);
	request.buf = engine_buffers(b.engine)->base;
	request.offset = SIZE - 100;
	assert_int_equal(b.backend->ops->submit(b.backend, &request), 0);
	done = one(&b);
	assert_int_equal(done.tag, 5);
	assert_int_equal(done.result, 100);
	request.offset = SIZE;
	request.tag = 6;
	assert_int_equal(b.backend->ops->submit(b.backend, &request), 0);
	done = one(&b);
	assert_int_equal(done.tag, 6);
	assert_int_equal(done.result, 0);
	request.op = IO_WRITE;
	assert_int_equal(b.backend->ops->submit(b.backend, &request), 0);
	assert_int_equal(one(&b).result, -EBADF);
	bench_done(&b);
}

static void returns_at_the_timeout_with_nothing_in_flight(backend_maker *make)
{
	struct io_completion done[DEPTH];
	struct bench b;
	uint64_t size = 0;

	bench_make(&b, make, O_RDWR);
	assert_int_equal(b.backend->ops->reap(b.backend, done, DEPTH, 1), 0);
	assert_int_equal(b.backend->ops->reap(b.backend, done, DEPTH, 1), 0);
	assert_int_equal(b.backend->ops->flush(b.backend), 0);
	assert_int_equal(b.backend->ops->size(b.backend, &size), 0);
	assert_int_equal(size, SIZE);
	bench_done(&b);
}

/* The buffers go away right after: what was in flight must be over by then. */
static void waits_for_what_is_in_flight_when_freed(backend_maker *make)
{
	struct bench b;

	bench_make(&b, make, O_RDWR);
	for (uint32_t i = 0; i < DEPTH; i++) {
		struct io_request request = {
			.op = IO_READ,
			.buf = (uint8_t *)engine_buffers(b.engine)->base + i * CHUNK,
			.length = CHUNK,
			.offset = i * CHUNK,
			.tag = i,
		};

		assert_int_equal(b.backend->ops->submit(b.backend, &request), 0);
	}
	bench_done(&b);
}

#define BOTH(what)                                                                                 \
	static void sync_##what(void **state)                                                      \
	{                                                                                          \
		(void)state;                                                                       \
		what(backend_sync_new);                                                            \
	}                                                                                          \
	static void uring_##what(void **state)                                                     \
	{                                                                                          \
		(void)state;                                                                       \
		what(uring_new);                                                                   \
	}

BOTH(writes_the_stream_and_reads_it_back)
BOTH(reports_short_counts_and_errors_as_they_are)
BOTH(returns_at_the_timeout_with_nothing_in_flight)
BOTH(waits_for_what_is_in_flight_when_freed)

/* As somebody who is not root and may lock a ring, and no buffers. */
static int uring_new_with_little_memory(int fd, const struct io_buffers *buffers,
					struct backend **ret_backend)
{
	struct rlimit before, little;
	uid_t uid = geteuid();
	int r;

	assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &before), 0);
	little = (struct rlimit){ LITTLE, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &little), 0);
	assert_int_equal(uid ? 0 : seteuid(NOBODY), 0);
	r = backend_uring_new(fd, buffers, 0, ret_backend);
	assert_int_equal(seteuid(uid), 0);
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &before), 0);
	return r;
}

static void uring_works_as_on_older_kernels(void **state)
{
	(void)state;
	writes_the_stream_and_reads_it_back(uring_new_plain);
}

static void uring_does_without_registered_buffers(void **state)
{
	(void)state;
	writes_the_stream_and_reads_it_back(uring_new_with_little_memory);
}

static void the_choice_is_kept_and_the_reason_told(void **state)
{
	struct bench b;
	int why_not = -1, r;

	(void)state;
	bench_make(&b, backend_sync_new, O_RDWR);
	backend_free(b.backend);
	assert_int_equal(
		backend_open(IO_SYNC, b.fd, engine_buffers(b.engine), &b.backend, &why_not), 0);
	assert_string_equal(b.backend->ops->name, "sync");
	assert_int_equal(why_not, 0);
	backend_free(b.backend);
	assert_int_equal(
		backend_open(IO_AUTO, b.fd, engine_buffers(b.engine), &b.backend, &why_not), 0);
	assert_string_equal(b.backend->ops->name, why_not ? "sync" : "io_uring");
	backend_free(b.backend);
	b.backend = NULL;
	r = backend_open(IO_URING, b.fd, engine_buffers(b.engine), &b.backend, NULL);
	assert_int_equal(r, -why_not);
	bench_done(&b);
}

static void the_size_of_what_has_none_is_an_error(void **state)
{
	uint64_t size = 77;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_true(backend_fd_size(fd, &size) < 0);
	assert_int_equal(backend_fd_size(-1, &size), -EBADF);
	assert_int_equal(size, 77);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sync_writes_the_stream_and_reads_it_back),
		cmocka_unit_test(uring_writes_the_stream_and_reads_it_back),
		cmocka_unit_test(sync_reports_short_counts_and_errors_as_they_are),
		cmocka_unit_test(uring_reports_short_counts_and_errors_as_they_are),
		cmocka_unit_test(sync_returns_at_the_timeout_with_nothing_in_flight),
		cmocka_unit_test(uring_returns_at_the_timeout_with_nothing_in_flight),
		cmocka_unit_test(sync_waits_for_what_is_in_flight_when_freed),
		cmocka_unit_test(uring_waits_for_what_is_in_flight_when_freed),
		cmocka_unit_test(uring_works_as_on_older_kernels),
		cmocka_unit_test(uring_does_without_registered_buffers),
		cmocka_unit_test(the_choice_is_kept_and_the_reason_told),
		cmocka_unit_test(the_size_of_what_has_none_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
