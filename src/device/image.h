/* SPDX-License-Identifier: MIT */
/* What an image file is to the file system below it: can overwriting it reach what it held before?
 */
#ifndef DEVICE_IMAGE_H
#define DEVICE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct image_facts {
	bool relocates; /* the file system writes new data elsewhere and keeps the old for a while
			 */
	bool shared;	/* other files or snapshots share blocks with it (FIEMAP) */
	uint64_t unfilled; /* bytes of holes, for which the file system will need room */
};

/* Looks at an open regular file. What cannot be found out counts as no. */
void image_look(int fd, struct image_facts *ret_facts);

#endif
