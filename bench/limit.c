/* SPDX-License-Identifier: MIT */
/*
 * The limit that stormwipe is measured against: the same engine, the same requests, but nothing is
 * generated ("write": a constant buffer) or compared ("read"), and the drive is not looked at
 * before. Prints bytes a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "nothing.h"

static int run(struct engine *engine, struct backend *backend, enum engine_mode mode, uint64_t size)
{
	struct keystream *nothing = NULL;
	struct engine_params params = {
		.mode = mode, .length = size, .sector = 4096, .align = 512
	};
	struct engine_progress progress = { 0 };
	struct extent_map bad = { 0 };
	struct engine_result result = { .bad = &bad };
	int r = extent_map_init(&bad, 1);

	if (r)
		return r;
	(void)nothing_new(NULL, &nothing);
	engine_run(engine, backend, nothing, &params, &progress, &result);
	if (mode == ENGINE_WRITE)
		r = engine_flush(backend, &progress);
	if (!r && (result.end != ENGINE_DONE || bad.count))
		r = -EIO;
	extent_map_done(&bad);
	return r;
}

static int measure(const char *path, bool reading, uint64_t *ret_size, uint64_t *ret_ns)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC);
	struct engine *engine = NULL;
	struct backend *backend = NULL;
	uint64_t begin;
	int r = fd < 0 ? -errno : backend_fd_size(fd, ret_size);

	if (!r)
		r = engine_new(0, 0, &engine);
	if (!r)
		r = backend_open(IO_AUTO, fd, engine_buffers(engine), &backend, NULL);
	begin = clock_monotonic_ns();
	if (!r)
		r = run(engine, backend, reading ? ENGINE_READ : ENGINE_WRITE, *ret_size);
	*ret_ns = clock_monotonic_ns() - begin;
	backend_free(backend);
	engine_free(engine);
	return r;
}

int main(int argc, char **argv)
{
	bool reading = argc == 3 && !strcmp(argv[1], "read");
	uint64_t size = 0, ns = 0;
	int r;

	if (argc != 3 || (!reading && strcmp(argv[1], "write"))) {
		fprintf(stderr, "usage: limit write|read DEVICE\n");
		return 2;
	}
	r = measure(argv[2], reading, &size, &ns);
	if (r || !ns) {
		fprintf(stderr, "limit: %s: %s\n", argv[2], strerror(-r));
		return 1;
	}
	printf("%" PRIu64 "\n", (uint64_t)((double)size * (double)NS_PER_S / (double)ns));
	return 0;
}
