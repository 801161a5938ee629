/* SPDX-License-Identifier: MIT */
/* The backend for where io_uring is not: a few threads, each with one pread or pwrite at a time. */
#include "engine/backend.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

enum {
	SYNC_WORKERS_MAX = 8,
	SYNC_STACK_BYTES = 128 * 1024,
};

struct sync {
	struct backend backend;
	int fd;
	unsigned depth;
	unsigned workers;
	pthread_t threads[SYNC_WORKERS_MAX];

	pthread_mutex_t lock; /* for everything below */
	pthread_cond_t work;  /* a request was queued, or quit */
	pthread_cond_t news;  /* a request was completed */
	bool quit;
	unsigned queued, completed;
	unsigned first; /* index of the oldest queued request */
	struct io_completion *completions;
	struct io_request requests[]; /* a ring of depth */
};

static int32_t sync_do(int fd, const struct io_request *request)
{
	off_t offset = (off_t)request->offset;
	ssize_t n = request->op == IO_WRITE ? pwrite(fd, request->buf, request->length, offset)
					    : pread(fd, request->buf, request->length, offset);

	return n < 0 ? -errno : (int32_t)n;
}

/* Waits for a request and takes it out; false at the end. The lock is held. */
static bool sync_next(struct sync *s, struct io_request *ret_request)
{
	while (!s->queued && !s->quit)
		(void)pthread_cond_wait(&s->work, &s->lock);
	if (!s->queued)
		return false;
	*ret_request = s->requests[s->first];
	s->first = (s->first + 1) % s->depth;
	s->queued--;
	return true;
}

static void *sync_worker(void *arg)
{
	struct sync *s = arg;
	struct io_request request;

	(void)pthread_mutex_lock(&s->lock);
	while (sync_next(s, &request)) {
		int32_t result;

		(void)pthread_mutex_unlock(&s->lock);
		result = sync_do(s->fd, &request);
		(void)pthread_mutex_lock(&s->lock);
		s->completions[s->completed++] = (struct io_completion){ request.tag, result };
		(void)pthread_cond_signal(&s->news);
	}
	(void)pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int sync_submit(struct backend *b, const struct io_request *request)
{
	struct sync *s = (struct sync *)b;

	(void)pthread_mutex_lock(&s->lock);
	assert(s->queued < s->depth);
	s->requests[(s->first + s->queued++) % s->depth] = *request;
	(void)pthread_cond_signal(&s->work);
	(void)pthread_mutex_unlock(&s->lock);
	return 0;
}

static struct timespec in_ms(int timeout_ms)
{
	uint64_t ns = clock_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	return (struct timespec){ (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };
}

static int sync_reap(struct backend *b, struct io_completion *out, unsigned max, int timeout_ms)
{
	struct sync *s = (struct sync *)b;
	struct timespec until = in_ms(timeout_ms);
	unsigned n = 0;
	int r = 0;

	(void)pthread_mutex_lock(&s->lock);
	while (!s->completed && !r)
		r = pthread_cond_timedwait(&s->news, &s->lock, &until);
	while (s->completed && n < max)
		out[n++] = s->completions[--s->completed];
	(void)pthread_mutex_unlock(&s->lock);
	return r && r != ETIMEDOUT ? -r : (int)n;
}

static int sync_flush(struct backend *b)
{
	return backend_fd_flush(((struct sync *)b)->fd);
}

static int sync_size(struct backend *b, uint64_t *ret_size)
{
	return backend_fd_size(((struct sync *)b)->fd, ret_size);
}

static void sync_free(struct backend *b)
{
	struct sync *s = (struct sync *)b;

	(void)pthread_mutex_lock(&s->lock);
	s->quit = true;
	(void)pthread_cond_broadcast(&s->work);
	(void)pthread_mutex_unlock(&s->lock);
	for (unsigned i = 0; i < s->workers; i++)
		(void)pthread_join(s->threads[i], NULL);
	(void)pthread_cond_destroy(&s->news);
	(void)pthread_cond_destroy(&s->work);
	(void)pthread_mutex_destroy(&s->lock);
	free(s->completions);
	free(s);
}

static const struct backend_ops sync_ops = {
	.name = "sync",
	.submit = sync_submit,
	.reap = sync_reap,
	.flush = sync_flush,
	.size = sync_size,
	.free = sync_free,
};

/* Fewer threads than wanted are enough, none is not. */
static int sync_start(struct sync *s)
{
	unsigned wanted = s->depth < SYNC_WORKERS_MAX ? s->depth : SYNC_WORKERS_MAX;
	pthread_attr_t attr;
	int r = pthread_attr_init(&attr);

	if (!r)
		r = pthread_attr_setstacksize(&attr, SYNC_STACK_BYTES);
	while (!r && s->workers < wanted) {
		r = pthread_create(&s->threads[s->workers], &attr, sync_worker, s);
		if (!r)
			s->workers++;
	}
	(void)pthread_attr_destroy(&attr);
	return s->workers ? 0 : -r;
}

static void sync_init_locks(struct sync *s)
{
	pthread_condattr_t attr;

	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_cond_init(&s->work, &attr);
	(void)pthread_cond_init(&s->news, &attr);
	(void)pthread_condattr_destroy(&attr);
}

int backend_sync_new(int fd, const struct io_buffers *buffers, struct backend **ret_backend)
{
	_cleanup_free_ struct io_completion *completions = NULL;
	struct sync *s;
	int r;

	completions = calloc(buffers->depth, sizeof(*completions));
	s = calloc(1, sizeof(*s) + buffers->depth * sizeof(*s->requests));
	if (!s || !completions) {
		free(s);
		return -ENOMEM;
	}
	s->backend.ops = &sync_ops;
	s->fd = fd;
	s->depth = buffers->depth;
	s->completions = TAKE_PTR(completions);
	sync_init_locks(s);
	r = sync_start(s);
	if (r) {
		sync_free(&s->backend);
		return r;
	}
	*ret_backend = &s->backend;
	return 0;
}
