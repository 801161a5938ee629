/* SPDX-License-Identifier: MIT */
/* --cipher, and the self-test before the first byte. */
#include "cli/cipher.h"

#include <errno.h>
#include <string.h>

#include "cli/options.h"

int cipher_parse(const char *argument, const char **ret_cipher)
{
	static const char *const ciphers[] = { NULL, CIPHER_AES, CIPHER_CHACHA20 };
	static const struct option_word words[] = {
		{ "auto", 0 }, { CIPHER_AES, 1 }, { CIPHER_CHACHA20, 2 }, { 0 }
	};
	int value, r = option_word(words, argument, &value);

	if (!r)
		*ret_cipher = ciphers[value];
	return r;
}

static void choose(struct cipher_search *search)
{
	search->kind = keystream_choose(search->cipher);
	search->error = search->kind ? keystream_self_test(search->kind) : -ENOTSUP;
}

static void *search_thread(void *arg)
{
	choose(arg);
	return NULL;
}

void cipher_begin(struct cipher_search *search, const char *cipher)
{
	*search = (struct cipher_search){ .cipher = cipher };
	search->running = !pthread_create(&search->thread, NULL, search_thread, search);
	if (!search->running)
		choose(search);
}

void cipher_wait(struct cipher_search *search)
{
	if (search->running)
		(void)pthread_join(search->thread, NULL);
	search->running = false;
}

const struct keystream_kind *cipher_end(struct cipher_search *search, const struct console *console)
{
	int r;

	cipher_wait(search);
	r = search->error;
	if (!r) {
		console_detail(console, "random data: %s made by %s", search->kind->title,
			       search->kind->name);
		return search->kind;
	}
	console_error(console,
		      "the cipher failed its self-test (%s): random data made here "
		      "cannot be trusted. Nothing was written.",
		      r == -EBADMSG ? "wrong bytes" : strerror(-r));
	return NULL;
}

const struct keystream_kind *cipher_choose(const char *cipher, const struct console *console)
{
	struct cipher_search search = { .cipher = cipher };

	choose(&search);
	return cipher_end(&search, console);
}
