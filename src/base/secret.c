/* SPDX-License-Identifier: MIT */
/* Memory for keys, and the random bytes to fill it with. */
#include "base/secret.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

void *secret_new(size_t size)
{
	void *page;

	assert(size > 0 && size <= (size_t)sysconf(_SC_PAGESIZE));
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return NULL;
	/* Both are improvements where they are allowed, no reason to refuse where not. */
	(void)mlock(page, size);
	(void)madvise(page, size, MADV_DONTDUMP);
	return page;
}

void secret_free(void *secret, size_t size)
{
	if (!secret)
		return;
	secret_wipe(secret, size);
	(void)munmap(secret, size);
}

int secret_random(void *buf, size_t size)
{
	uint8_t *to = buf;

	while (size) {
		ssize_t got = getrandom(to, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		to += got;
		size -= (size_t)got;
	}
	return 0;
}

void secret_wipe(void *buf, size_t size)
{
	explicit_bzero(buf, size);
}
