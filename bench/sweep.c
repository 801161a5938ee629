/* SPDX-License-Identifier: MIT */
/*
 * The engine with other settings than stormwipe's: what does each pay? One process, one open drive;
 * before each setting the default is run, so that both see the same state of the machine. Prints
 * lines of "TABLE<tab>SETTING<tab>RATE<tab>RATE OF THE DEFAULT", bytes a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/extent.h"
#include "base/parse.h"
#include "engine/engine.h"
#include "keystream/keystream.h"
#include "nothing.h"
#include "streaming.h"

enum { WORKERS_MAX = 2, NAME_MAX_BYTES = 96, SECTOR = 4096, ALIGN = 512, KIB = 1024 };

enum source { RANDOM, CONSTANT, SAME, STREAMING };

/* Zeros mean: as stormwipe does it. */
struct setting {
	const char *table, *name;
	enum engine_mode mode;
	uint32_t chunk;
	unsigned depth;
	enum source source;
	const struct keystream_kind *kind;
	unsigned without; /* URING_PLAIN_... */
	bool sync;
	bool small_pages;
	unsigned helped;  /* threads at most, when the drive waits for data */
	unsigned workers; /* threads from the start, a part of the drive each */
};

static const struct setting singles[] = {
	{ .table = "single", .name = "the default once more: how far noise goes" },
	{ .table = "single", .name = "constant buffers, nothing generated", .source = CONSTANT },
	{ .table = "single",
	  .name = "buffers filled anew with one value (memset)",
	  .source = SAME },
	{ .table = "single", .name = "buffers not registered", .without = URING_PLAIN_BUFFERS },
	{ .table = "single",
	  .name = "a ring without flags (no `DEFER_TASKRUN`)",
	  .without = URING_PLAIN_RING },
	{ .table = "single",
	  .name = "neither of the two",
	  .without = URING_PLAIN_BUFFERS | URING_PLAIN_RING },
	{ .table = "single", .name = "no huge pages", .small_pages = true },
	{ .table = "single", .name = "plain calls by threads (`--io sync`)", .sync = true },
	{ .table = "single", .name = "a second thread when the drive waits", .helped = 2 },
	{ .table = "single", .name = "2 threads from the start, 8 requests each", .workers = 2 },
	{ .table = "single",
	  .name = "2 threads from the start, 4 requests each",
	  .workers = 2,
	  .depth = 4 },
	{ .table = "single", .name = "non-temporal stores", .source = STREAMING },
	{ .table = "single",
	  .name = "working set of 512 KiB: 128 KiB × 4",
	  .chunk = 128 * KIB,
	  .depth = 4 },
	{ .table = "single",
	  .name = "the same, non-temporal stores",
	  .chunk = 128 * KIB,
	  .depth = 4,
	  .source = STREAMING },
	/* What is compared is what the default wrote just before. */
	{ .table = "single", .name = "verification", .mode = ENGINE_VERIFY },
	{ .table = "single", .name = "reading, nothing compared", .mode = ENGINE_READ },
};

static const uint32_t chunks[] = { 64 * KIB,   128 * KIB,  256 * KIB, 512 * KIB,
				   1024 * KIB, 2048 * KIB, 4096 * KIB };
static const unsigned depths[] = { 1, 2, 4, 8, 16, 32 };

static const uint8_t key[KEYSTREAM_KEY_BYTES] = { 's', 'w', 'e', 'e', 'p' };
static const struct keystream_kind *chosen;

struct worker {
	const struct setting *setting;
	int fd;
	uint64_t start, length;
	pthread_barrier_t *ready;
	struct extent_map bad, wrong;
	struct engine *engine;
	struct backend *backend;
	struct keystream *ks;
	int result;
	pthread_t thread;
};

/* ---- one worker ---- */

static int make_keystream(const struct setting *s, struct keystream **ret_ks)
{
	const struct keystream_kind *kind = s->kind ? s->kind : chosen;
	struct keystream *inner;
	int r;

	if (s->source == CONSTANT)
		return nothing_new(key, ret_ks);
	if (s->source == SAME)
		return same_new(key, ret_ks);
	r = kind->make(key, s->source == STREAMING ? &inner : ret_ks);
	if (r || s->source != STREAMING)
		return r;
	r = streaming_new(inner, ret_ks);
	if (r)
		keystream_free(inner);
	return r;
}

static int help_keystream(void *arg, struct keystream **ret_ks)
{
	const struct worker *w = arg;

	return make_keystream(w->setting, ret_ks);
}

static int help_backend(void *arg, const struct io_buffers *buffers, struct backend **ret_backend)
{
	const struct worker *w = arg;

	if (w->setting->sync)
		return backend_sync_new(w->fd, buffers, ret_backend);
	return backend_uring_new(w->fd, buffers, w->setting->without, ret_backend);
}

static int prepare(struct worker *w)
{
	int r = extent_map_init(&w->bad, 1);

	if (!r)
		r = extent_map_init(&w->wrong, 1);
	if (!r)
		r = engine_new(w->setting->chunk, w->setting->depth, &w->engine);
	if (!r)
		r = help_backend(w, engine_buffers(w->engine), &w->backend);
	if (!r)
		r = make_keystream(w->setting, &w->ks);
	return r;
}

static int work(struct worker *w)
{
	const struct engine_help help = { .threads_max = w->setting->helped,
					  .open_backend = help_backend,
					  .make_keystream = help_keystream,
					  .arg = w };
	const struct engine_params params = { .mode = w->setting->mode,
					      .start = w->start,
					      .length = w->length,
					      .sector = SECTOR,
					      .align = ALIGN,
					      .help = w->setting->helped ? &help : NULL };
	struct engine_result result = { .bad = &w->bad, .wrong = &w->wrong };
	struct engine_progress progress = { 0 };
	int r = 0;

	engine_run(w->engine, w->backend, w->ks, &params, &progress, &result);
	if (w->setting->mode == ENGINE_WRITE)
		r = engine_flush(w->backend, &progress);
	if (!r && (result.end != ENGINE_DONE || w->bad.count || w->wrong.count))
		r = -EIO;
	return r;
}

static void *worker_thread(void *arg)
{
	struct worker *w = arg;

	w->result = prepare(w);
	(void)pthread_barrier_wait(w->ready);
	if (!w->result)
		w->result = work(w);
	keystream_free(w->ks);
	backend_free(w->backend);
	engine_free(w->engine);
	extent_map_done(&w->bad);
	extent_map_done(&w->wrong);
	return NULL;
}

/* ---- one setting ---- */

/* Threads that cannot be started leave the others at the barrier: nothing to be saved then. */
static int run_workers(const struct setting *s, int fd, uint64_t size, unsigned count,
		       uint64_t *ret_ns)
{
	struct worker workers[WORKERS_MAX] = { 0 };
	uint64_t share = size / count / SECTOR * SECTOR, begin;
	pthread_barrier_t ready;
	int r = -pthread_barrier_init(&ready, NULL, count + 1);

	if (r)
		return r;
	for (unsigned i = 0; i < count; i++) {
		workers[i] = (struct worker){ .setting = s,
					      .fd = fd,
					      .start = i * share,
					      .length = i + 1 < count ? share : size - i * share,
					      .ready = &ready };
		if (pthread_create(&workers[i].thread, NULL, worker_thread, &workers[i]))
			return -EAGAIN;
	}
	(void)pthread_barrier_wait(&ready);
	begin = clock_monotonic_ns();
	for (unsigned i = 0; i < count; i++) {
		(void)pthread_join(workers[i].thread, NULL);
		r = r ? r : workers[i].result;
	}
	*ret_ns = clock_monotonic_ns() - begin;
	(void)pthread_barrier_destroy(&ready);
	return r;
}

/* Bytes a second. */
static int measure(const struct setting *s, int fd, uint64_t size, uint64_t *ret_rate)
{
	uint64_t ns = 0;
	int r;

	(void)prctl(PR_SET_THP_DISABLE, s->small_pages, 0, 0, 0);
	r = run_workers(s, fd, size, s->workers ? s->workers : 1, &ns);
	(void)prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	if (!r)
		*ret_rate = (uint64_t)((double)size * (double)NS_PER_S / (double)(ns ? ns : 1));
	return r;
}

/* A setting that this machine does not have is left out of the tables. */
static int compare(const struct setting *s, int fd, uint64_t size)
{
	const struct setting normal = { .name = "the default" };
	uint64_t rate, normal_rate;
	int r = measure(&normal, fd, size, &normal_rate);

	if (!r)
		r = measure(s, fd, size, &rate);
	if (r == -ENOTSUP)
		return 0;
	if (r)
		fprintf(stderr, "sweep: %s: %s\n", s->name, strerror(-r));
	else
		printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\n", s->table, s->name, rate, normal_rate);
	return r;
}

/* ---- all of them ---- */

static int sweep_sizes(int fd, uint64_t size)
{
	enum { CHUNKS = sizeof(chunks) / sizeof(*chunks) };
	enum { DEPTHS = sizeof(depths) / sizeof(*depths) };
	char name[NAME_MAX_BYTES];
	struct setting s = { .name = name };
	int r = 0;

	for (unsigned i = 0; !r && i < CHUNKS * DEPTHS; i++) {
		s.chunk = chunks[i / DEPTHS];
		s.depth = depths[i % DEPTHS];
		(void)snprintf(name, sizeof(name), "%" PRIu32 " %u", s.chunk / KIB, s.depth);
		s.table = "random";
		s.source = RANDOM;
		r = compare(&s, fd, size);
		if (r)
			break;
		s.table = "constant";
		s.source = CONSTANT;
		r = compare(&s, fd, size);
	}
	return r;
}

static int sweep_kinds(int fd, uint64_t size)
{
	char name[NAME_MAX_BYTES];
	int r = 0;

	for (const struct keystream_kind *kind = keystream_kinds; !r && kind->make; kind++) {
		const struct setting s = { .table = "single", .name = name, .kind = kind };

		(void)snprintf(name, sizeof(name), "%s by %s", kind->title, kind->name);
		r = compare(&s, fd, size);
	}
	return r;
}

static int sweep(const char *path, uint64_t rounds)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC);
	uint64_t size;
	int r = fd < 0 ? -errno : backend_fd_size(fd, &size);

	if (r) {
		fprintf(stderr, "sweep: %s: %s\n", path, strerror(-r));
		return r;
	}
	for (uint64_t round = 1; !r && round <= rounds; round++) {
		fprintf(stderr, "round %" PRIu64 " of %" PRIu64 "\n", round, rounds);
		for (unsigned i = 0; !r && i < sizeof(singles) / sizeof(*singles); i++)
			r = compare(&singles[i], fd, size);
		if (!r)
			r = sweep_kinds(fd, size);
		if (!r)
			r = sweep_sizes(fd, size);
	}
	return r;
}

int main(int argc, char **argv)
{
	uint64_t rounds = 0;

	if (argc != 3 || parse_u64(argv[2], &rounds) || !rounds) {
		fprintf(stderr, "usage: sweep DEVICE ROUNDS\n");
		return 2;
	}
	chosen = keystream_choose(NULL);
	if (!chosen) {
		fprintf(stderr, "sweep: no cipher works here\n");
		return 1;
	}
	return sweep(argv[1], rounds) || fflush(stdout) ? 1 : 0;
}
