/* SPDX-License-Identifier: MIT */
/*
 * How the engine reaches a drive: submit requests, reap completions, flush. A backend moves bytes
 * and reports what the kernel said; retries, splits and counting belong to the engine. All calls
 * come from the thread that made the backend.
 */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

enum io_op { IO_WRITE, IO_READ };

struct io_request {
	enum io_op op;
	void *buf;
	uint32_t length; /* bytes */
	uint64_t offset; /* bytes from the start of the drive */
	uint32_t tag;	 /* comes back in the completion */
};

struct io_completion {
	uint32_t tag;
	int32_t result; /* bytes moved (may be short), or -errno */
};

struct backend;

struct backend_ops {
	const char *name; /* as records name it: "io_uring", "sync" */

	/* Takes one request; the caller never has more than the backend's depth in flight. @request
	 * is copied, its buffer stays the backend's until the completion. Returns 0; -errno: not
	 * taken. */
	int (*submit)(struct backend *b, const struct io_request *request);

	/* Waits for at least one completion or until @timeout_ms is over, and returns the number of
	 * completions put into @out (0: none in time); -errno if the backend itself failed. Returns
	 * at the time-out also when nothing is in flight: it is the engine's only way to wait. */
	int (*reap)(struct backend *b, struct io_completion *out, unsigned max, int timeout_ms);

	/* Everything completed so far is on the medium (fdatasync: the drive's own cache too).
	 * Called with nothing in flight. Returns 0; -errno. */
	int (*flush)(struct backend *b);

	/* The drive's size now, in bytes, to tell a bad sector from a drive that shrank or went
	 * away. Returns 0; -errno. */
	int (*size)(struct backend *b, uint64_t *ret_size);

	/* Waits for what is in flight, then gives everything back (the descriptor stays the
	 * caller's). Accepts NULL through backend_free(). */
	void (*free)(struct backend *b);
};

/* Embedded as the first member by every backend. */
struct backend {
	const struct backend_ops *ops;
};

/* The buffers that requests will point into, for backends that register them. */
struct io_buffers {
	void *base;	/* one mapping, aligned to a page */
	size_t length;	/* bytes of the whole mapping */
	unsigned depth; /* requests in flight at most */
};

/* What io_uring shall do without: to test the ways around, and to measure what each is worth. */
enum {
	URING_PLAIN_BUFFERS = 1, /* no registered buffers */
	URING_PLAIN_RING = 2,	 /* no set-up flags: as on kernels before 5.19 */
};

/*
 * io_uring on @fd (blocking, without O_NONBLOCK). Registered buffers where the memory limit allows
 * it, plain ones otherwise. Tries a request before it returns, so that a ring that can be made but
 * not used is found here. Returns 0; -errno (ENOSYS, EPERM: forbidden or missing; ENOMEM: locked
 * memory).
 */
int backend_uring_new(int fd, const struct io_buffers *buffers, unsigned without,
		      struct backend **ret_backend);

/* pread/pwrite by @buffers->depth threads (at most 8). Returns 0; -errno. */
int backend_sync_new(int fd, const struct io_buffers *buffers, struct backend **ret_backend);

enum io_choice { IO_AUTO, IO_URING, IO_SYNC };

/*
 * The backend for @choice; IO_AUTO is io_uring, else sync. @ret_why_not (may be NULL) gets the
 * error that ruled io_uring out, 0 if it was not tried or works. Returns 0; -errno.
 */
int backend_open(enum io_choice choice, int fd, const struct io_buffers *buffers,
		 struct backend **ret_backend, int *ret_why_not);

void backend_free(struct backend *b);

/* The drive's size by its descriptor (BLKGETSIZE64, or fstat for a regular file). Returns 0;
 * -errno. */
int backend_fd_size(int fd, uint64_t *ret_size);

/* fdatasync, however often a signal interrupts it: the flush of every real backend. Returns 0;
 * -errno. */
int backend_fd_flush(int fd);

#endif
