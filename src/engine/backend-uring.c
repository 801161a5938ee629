/* SPDX-License-Identifier: MIT */
/* The backend on io_uring. The only file that knows liburing, whose calls return -errno. */
#include "engine/backend.h"

#include <errno.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/uio.h>

enum {
	URING_REFUSALS_MAX = 50, /* submissions refused in a row with nothing in flight */
	URING_PROBE_MS = 1000,
};

struct uring {
	struct backend backend;
	struct io_uring ring;
	int fd;
	bool registered; /* the kernel holds the buffers: buffer 0 is all of them */
	unsigned taken;	 /* requests without a completion, in the ring's queue or in the kernel */
	unsigned refusals;
};

static struct __kernel_timespec uring_time(int ms)
{
	return (struct __kernel_timespec){ ms / 1000, ms % 1000 * 1000000LL };
}

static unsigned uring_in_kernel(struct uring *u)
{
	return u->taken - io_uring_sq_ready(&u->ring);
}

static int uring_submit(struct backend *b, const struct io_request *request)
{
	static const uint8_t ops[2][2] = {
		[IO_WRITE] = { IORING_OP_WRITE, IORING_OP_WRITE_FIXED },
		[IO_READ] = { IORING_OP_READ, IORING_OP_READ_FIXED },
	};
	struct uring *u = (struct uring *)b;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

	if (!sqe)
		return -EBUSY;
	io_uring_prep_rw(ops[request->op][u->registered], sqe, u->fd, request->buf, request->length,
			 request->offset);
	io_uring_sqe_set_data64(sqe, request->tag);
	u->taken++;
	/* What the kernel does not take now stays in the queue, and goes with the next call. */
	(void)io_uring_submit(&u->ring);
	return 0;
}

static int uring_take(struct uring *u, struct io_completion *out, unsigned max)
{
	struct io_uring_cqe *cqe;
	unsigned n = 0;

	while (n < max && io_uring_peek_cqe(&u->ring, &cqe) == 0) {
		out[n++] = (struct io_completion){ (uint32_t)cqe->user_data, cqe->res };
		io_uring_cqe_seen(&u->ring, cqe);
		u->taken--;
	}
	return (int)n;
}

/* The kernel refused to take requests and did not wait. Waiting without submitting lets those that
 * it has finish; when it has none, it will not get better for ever. */
static int uring_wait_refused(struct uring *u, int error, struct __kernel_timespec *time)
{
	struct io_uring_cqe *cqe;

	if (!uring_in_kernel(u) && ++u->refusals > URING_REFUSALS_MAX)
		return error;
	(void)io_uring_wait_cqe_timeout(&u->ring, &cqe, time);
	return 0;
}

static int uring_reap(struct backend *b, struct io_completion *out, unsigned max, int timeout_ms)
{
	struct uring *u = (struct uring *)b;
	struct __kernel_timespec time = uring_time(timeout_ms);
	struct io_uring_cqe *cqe;
	int r = io_uring_submit_and_wait_timeout(&u->ring, &cqe, 1, &time, NULL);
	int n = uring_take(u, out, max);

	if (n || r >= 0 || r == -ETIME || r == -EINTR) {
		u->refusals = 0;
		return n;
	}
	if (r != -EAGAIN && r != -EBUSY)
		return r;
	r = uring_wait_refused(u, r, &time);
	return r ? r : uring_take(u, out, max);
}

static int uring_flush(struct backend *b)
{
	return backend_fd_flush(((struct uring *)b)->fd);
}

static int uring_size(struct backend *b, uint64_t *ret_size)
{
	return backend_fd_size(((struct uring *)b)->fd, ret_size);
}

static void uring_free(struct backend *b)
{
	struct uring *u = (struct uring *)b;
	struct io_uring_cqe *cqe;
	struct io_completion done;
	int r = 0;

	while (uring_in_kernel(u) && (!r || r == -EINTR)) {
		r = io_uring_wait_cqe(&u->ring, &cqe);
		(void)uring_take(u, &done, 1);
	}
	if (u->registered)
		(void)io_uring_unregister_buffers(&u->ring);
	io_uring_queue_exit(&u->ring);
	free(u);
}

static const struct backend_ops uring_ops = {
	.name = "io_uring",
	.submit = uring_submit,
	.reap = uring_reap,
	.flush = uring_flush,
	.size = uring_size,
	.free = uring_free,
};

/* A ring may be made and still be forbidden to do anything. */
static int uring_probe(struct io_uring *ring)
{
	struct __kernel_timespec time = uring_time(URING_PROBE_MS);
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	struct io_uring_cqe *cqe = NULL;
	int r;

	/* Waiting with a time-out that takes no request of its own: Linux 5.11. */
	if (!(ring->features & IORING_FEAT_EXT_ARG))
		return -ENOSYS;
	io_uring_prep_nop(sqe);
	r = io_uring_submit_and_wait_timeout(ring, &cqe, 1, &time, NULL);
	if (r < 0)
		return r;
	if (!cqe)
		return -ETIME;
	r = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	return r;
}

/* The best of what this kernel knows: flags that are too new for it give EINVAL. */
static int uring_setup(struct io_uring *ring, unsigned depth, unsigned without)
{
	static const unsigned flags[3] = {
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_COOP_TASKRUN,
		0,
	};
	int r = -EINVAL;

	for (unsigned i = without & URING_PLAIN_RING ? 2 : 0; r == -EINVAL && i < 3; i++)
		r = io_uring_queue_init(depth, ring, flags[i]);
	if (r)
		return r;
	r = uring_probe(ring);
	if (r)
		io_uring_queue_exit(ring);
	return r;
}

int backend_uring_new(int fd, const struct io_buffers *buffers, unsigned without,
		      struct backend **ret_backend)
{
	struct iovec all = { buffers->base, buffers->length };
	struct uring *u = calloc(1, sizeof(*u));
	int r;

	if (!u)
		return -ENOMEM;
	r = uring_setup(&u->ring, buffers->depth, without);
	if (r) {
		free(u);
		return r;
	}
	u->backend.ops = &uring_ops;
	u->fd = fd;
	u->registered = !(without & URING_PLAIN_BUFFERS) &&
			io_uring_register_buffers(&u->ring, &all, 1) == 0;
	*ret_backend = &u->backend;
	return 0;
}
