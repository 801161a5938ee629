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

const struct keystream_kind *cipher_choose(const char *cipher, const struct console *console)
{
	const struct keystream_kind *kind = keystream_choose(cipher);
	int r = kind ? keystream_self_test(kind) : -ENOTSUP;

	if (!r) {
		console_detail(console, "random data: %s made by %s", kind->title, kind->name);
		return kind;
	}
	console_error(console,
		      "the cipher failed its self-test (%s): random data made here "
		      "cannot be trusted. Nothing was written.",
		      r == -EBADMSG ? "wrong bytes" : strerror(-r));
	return NULL;
}
