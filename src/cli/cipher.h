/* SPDX-License-Identifier: MIT */
/* The keystream that a command uses: what --cipher says, chosen and self-tested. */
#ifndef CLI_CIPHER_H
#define CLI_CIPHER_H

#include <pthread.h>
#include <stdbool.h>

#include "keystream/keystream.h"
#include "ui/console.h"

/* The words of --cipher: "auto" gives NULL, others one of CIPHER_.... Returns 0; -EINVAL. */
int cipher_parse(const char *argument, const char **ret_cipher);

/* The choice as it is made by a thread of its own, while drives are looked at: loading and trying
 * the libraries takes as long as that. */
struct cipher_search {
	const char *cipher; /* NULL: the one that suits this CPU */
	pthread_t thread;
	bool running;
	const struct keystream_kind *kind; /* valid from cipher_wait() on */
	int error;			   /* of the self-test */
};

/* Begins to choose the fastest implementation of @cipher and to test it. */
void cipher_begin(struct cipher_search *search, const char *cipher);

/* Waits until the choice is made; may be called again. Nothing else may be asked before. */
void cipher_wait(struct cipher_search *search);

/*
 * Waits, and returns what was chosen after its self-test. NULL, with a line on @console, if nothing
 * can be trusted: then nothing may be written.
 */
const struct keystream_kind *cipher_end(struct cipher_search *search,
					const struct console *console);

/* The same in one step, in the calling thread. */
const struct keystream_kind *cipher_choose(const char *cipher, const struct console *console);

#endif
