/* SPDX-License-Identifier: MIT */
/* The keystream that a command uses: what --cipher says, chosen and self-tested. */
#ifndef CLI_CIPHER_H
#define CLI_CIPHER_H

#include "keystream/keystream.h"
#include "ui/console.h"

/* The words of --cipher: "auto" gives NULL, others one of CIPHER_.... Returns 0; -EINVAL. */
int cipher_parse(const char *argument, const char **ret_cipher);

/*
 * The fastest implementation of @cipher (NULL: the one that suits this CPU) after its self-test.
 * NULL, with a line on @console, if nothing can be trusted: then nothing may be written.
 */
const struct keystream_kind *cipher_choose(const char *cipher, const struct console *console);

#endif
