/* SPDX-License-Identifier: MIT */
/* The table of what an errno from a drive means. */
#include "engine/fault.h"

#include <errno.h>

enum fault fault_of(int error)
{
	switch (error) {
	case EAGAIN:
	case EINTR:
	case ECANCELED:
	case EBUSY:
		return FAULT_RETRY;
	case ENOSPC:
	case EDQUOT:
		return FAULT_SPACE;
	case ENODEV:
	case ENXIO:
	case ENOMEDIUM:
	case ENOLINK: /* the kernel's word for a transport that is lost */
	case ENOTCONN:
	case ESHUTDOWN:
	case ESTALE:
		return FAULT_GONE;
	case EROFS:
	case EPERM:
	case EACCES:
	case EBADE: /* another host has reserved the drive */
		return FAULT_DENIED;
	case EINVAL:
	case EFAULT:
	case EBADF:
	case EFBIG:
	case ENOMEM:
	case ENOSYS:
	case EOPNOTSUPP:
		return FAULT_OURS;
	default:
		return FAULT_MEDIUM;
	}
}
