/* SPDX-License-Identifier: MIT */
/* Reads a key without leaving copies of it behind: no stdio, whose buffers nobody wipes. */
#include "cli/key-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/parse.h"
#include "base/secret.h"

enum {
	DIGITS = 2 * KEYSTREAM_KEY_BYTES,
	TEXT_MAX = DIGITS + 2, /* a newline, and one more to see that there is more */
};

static int read_key(int fd, uint8_t key[KEYSTREAM_KEY_BYTES])
{
	char *text = secret_new(TEXT_MAX + 1);
	ssize_t length;
	int r = 0;

	if (!text)
		return -ENOMEM;
	length = io_read_all(fd, text, TEXT_MAX);
	if (length == DIGITS + 1 && text[DIGITS] == '\n')
		text[--length] = '\0';
	if (length < 0)
		r = (int)length;
	else if (length != DIGITS || parse_hex(text, key, KEYSTREAM_KEY_BYTES))
		r = -EBADMSG;
	secret_free(text, TEXT_MAX + 1);
	return r;
}

int key_file_read(const char *path, uint8_t key[KEYSTREAM_KEY_BYTES])
{
	_cleanup_close_ int fd = -EBADF;

	if (!strcmp(path, "-"))
		return read_key(STDIN_FILENO, key);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? -errno : read_key(fd, key);
}
