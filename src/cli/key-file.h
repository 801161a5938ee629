/* SPDX-License-Identifier: MIT */
/* A key that somebody kept: 64 hexadecimal digits, as records have it and `openssl enc -K` takes
 * it. */
#ifndef CLI_KEY_FILE_H
#define CLI_KEY_FILE_H

#include "keystream/keystream.h"

/*
 * Reads @path, or standard input for "-", to its end: the digits and at most one newline. No copy
 * of them stays in memory. Returns 0; -EBADMSG if something else is there; -errno. @key is
 * untouched on failure.
 */
int key_file_read(const char *path, uint8_t key[KEYSTREAM_KEY_BYTES]);

#endif
