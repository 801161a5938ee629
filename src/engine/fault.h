/* SPDX-License-Identifier: MIT */
/* PURE: what an errno from a drive means for the pass. The only place where errors are judged. */
#ifndef ENGINE_FAULT_H
#define ENGINE_FAULT_H

enum fault {
	FAULT_RETRY, /* not the drive's fault: the same request again (EAGAIN, EINTR, ECANCELED ...)
		      */
	FAULT_MEDIUM, /* this place cannot be used: split, mark, go on (EIO, ENODATA, EREMOTEIO ...)
		       */
	FAULT_SPACE,  /* no space (ENOSPC): the drive shrank, or what is below it is full: ask its
			 size */
	FAULT_GONE,   /* the drive is gone: stop, it may come back (ENODEV, ENXIO ...) */
	FAULT_DENIED, /* the drive refuses every write from now on (EROFS, EPERM, EACCES) */
	FAULT_OURS,   /* the request was wrong or the system failed (EINVAL, EFAULT, ENOMEM ...) */
};

/* @error: a positive errno. Unknown ones are FAULT_MEDIUM: bounded, and never taken for success. */
enum fault fault_of(int error);

#endif
