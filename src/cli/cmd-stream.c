/* SPDX-License-Identifier: MIT */
/* stormwipe stream: the keystream on standard output, until its end or until nobody reads it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/secret.h"
#include "cli/cipher.h"
#include "cli/command.h"
#include "cli/key-file.h"
#include "cli/stream-options.h"

enum {
	BUFFER_BYTES = 256 * 1024, /* stays in a core's own cache */
	BUFFER_ALIGN = 4096,
	PIPE_BYTES = 1 << 20, /* what everybody may have */
};

struct stream {
	struct stream_options options;
	struct console console;
	struct keystream *keystream;
	uint8_t *buf; /* BUFFER_BYTES */
};

/* Whether this is a place for random bytes. */
static enum exit_status check_output(const struct stream *s)
{
	struct stat st;

	if (!io_writable(STDOUT_FILENO) || fstat(STDOUT_FILENO, &st)) {
		console_error(&s->console,
			      "standard output is closed. Send the stream to a pipe or a file.");
		return STATUS_SYSTEM;
	}
	if (S_ISBLK(st.st_mode)) {
		console_error(&s->console,
			      "standard output is a drive. Use stormwipe wipe, which checks that "
			      "it is the right one and not in use. Nothing was written.");
		return STATUS_REFUSED;
	}
	if (isatty(STDOUT_FILENO) && !s->options.to_terminal) {
		console_error(&s->console,
			      "standard output is a terminal. Send the stream to a pipe or a file, "
			      "or add --to-terminal.");
		return STATUS_REFUSED;
	}
	return STATUS_OK;
}

static enum exit_status read_key(const struct stream *s, uint8_t *key)
{
	const char *path = s->options.key_file;
	const char *name = path && !strcmp(path, "-") ? "standard input" : path;
	int r = path ? key_file_read(path, key) : secret_random(key, KEYSTREAM_KEY_BYTES);

	if (r == -EBADMSG) {
		console_error(&s->console,
			      "%s: not a key, which is 64 hexadecimal digits and nothing else.",
			      name);
		return STATUS_USAGE;
	}
	if (r)
		console_error(&s->console, "%s: cannot read the key: %s.",
			      name ? name : "the kernel's generator", strerror(-r));
	return r ? STATUS_SYSTEM : STATUS_OK;
}

/* The key's own memory does not outlive this function. */
static enum exit_status make_keystream(struct stream *s)
{
	const struct keystream_kind *kind;
	const char *cipher = s->options.cipher;
	enum exit_status status = STATUS_SYSTEM;
	uint8_t *key;
	int r;

	/* Who has a key wants its stream, the same on every CPU. */
	if (!cipher && s->options.key_file)
		cipher = CIPHER_AES;
	kind = cipher_choose(cipher, &s->console);
	if (!kind)
		return STATUS_SYSTEM;
	key = secret_new(KEYSTREAM_KEY_BYTES);
	r = key ? 0 : -ENOMEM;
	if (!r)
		status = read_key(s, key);
	if (!r && status == STATUS_OK)
		r = kind->make(key, &s->keystream);
	secret_free(key, KEYSTREAM_KEY_BYTES);
	if (r) {
		console_error(&s->console, "cannot begin: %s.", strerror(-r));
		status = STATUS_SYSTEM;
	}
	return status;
}

/* Twice as fast as with the usual 64 KiB, for writer and reader seldom wait for each other. Not a
 * pipe, or not allowed: no matter. */
static void widen_pipe(void)
{
	int size = fcntl(STDOUT_FILENO, F_GETPIPE_SZ);

	if (size >= 0 && size < PIPE_BYTES)
		(void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
}

static enum exit_status write_failed(const struct stream *s, int error)
{
	/* Nobody reads any more. That ends an endless stream as it should, like yes(1). */
	if (error == EPIPE)
		return s->options.bounded ? STATUS_STOPPED : STATUS_OK;
	console_error(&s->console, "cannot write to standard output: %s.", strerror(error));
	return STATUS_SYSTEM;
}

/* Bytes @position to @last, which is the last one itself because the end, 2^64, is no uint64_t. */
static enum exit_status pump(const struct stream *s, uint64_t position, uint64_t last)
{
	for (;;) {
		/* From the second time on a fill begins where a cipher's block does. */
		size_t length = BUFFER_BYTES - position % BUFFER_BYTES;
		int r;

		if (last - position < length)
			length = last - position + 1;
		r = keystream_fill(s->keystream, position, s->buf, length);
		if (r) {
			console_error(&s->console, "the cipher failed: %s.", strerror(-r));
			return STATUS_SYSTEM;
		}
		r = io_write_all(STDOUT_FILENO, s->buf, length);
		if (r)
			return write_failed(s, -r);
		if (last - position < length)
			return STATUS_OK;
		position += length;
	}
}

static enum exit_status stream(struct stream *s)
{
	const struct stream_options *o = &s->options;
	enum exit_status status = check_output(s);

	if (status == STATUS_OK)
		status = make_keystream(s);
	if (status != STATUS_OK || (o->bounded && !o->bytes))
		return status;
	s->buf = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
	if (!s->buf) {
		console_error(&s->console, "cannot begin: %s.", strerror(ENOMEM));
		return STATUS_SYSTEM;
	}
	widen_pipe();
	return pump(s, o->seek, o->bounded ? o->seek + (o->bytes - 1) : UINT64_MAX);
}

struct cli_result cmd_stream(int argc, char **argv)
{
	struct cli_result result = { .status = STATUS_OK };
	char error[OPTIONS_ERROR_MAX];
	struct stream s = { 0 };

	console_init(&s.console, STDERR_FILENO, getenv("TERM"), "stormwipe");
	if (stream_options_parse(argc, argv, &s.options, error)) {
		console_error(&s.console, "%s. See stormwipe stream --help.", error);
		result.status = STATUS_USAGE;
	} else if (s.options.help) {
		stream_options_help();
	} else {
		result.status = stream(&s);
	}
	keystream_free(s.keystream);
	free(s.buf);
	return result;
}
