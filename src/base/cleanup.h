/* SPDX-License-Identifier: MIT */
/* Cleanup attributes: a resource is released where its variable goes out of scope. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void cleanup_closedir(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

static inline void cleanup_fclose(FILE **file)
{
	if (*file)
		(void)fclose(*file);
}

static inline int cleanup_take_fd(int *fd)
{
	int taken = *fd;

	*fd = -EBADF;
	return taken;
}

#define _cleanup_free_	   __attribute__((cleanup(cleanup_free)))
#define _cleanup_close_	   __attribute__((cleanup(cleanup_close)))
#define _cleanup_closedir_ __attribute__((cleanup(cleanup_closedir)))
#define _cleanup_fclose_   __attribute__((cleanup(cleanup_fclose)))

/* Hands a resource on: the variable that held it forgets it. */
#define TAKE_FD(fd) cleanup_take_fd(&(fd))
#define TAKE_PTR(p)                                                                                \
	({                                                                                         \
		__typeof__(p) *held_ = &(p);                                                       \
		__typeof__(p) taken_ = *held_;                                                     \
		*held_ = NULL;                                                                     \
		taken_;                                                                            \
	})

#endif
