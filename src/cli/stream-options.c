/* SPDX-License-Identifier: MIT */
/* The options of `stream`: the table, what each means, and what does not go together. */
#include "cli/stream-options.h"

#include <errno.h>

#include "base/parse.h"
#include "base/text.h"
#include "cli/cipher.h"

enum option_id {
	OPT_BYTES = OPTION_LONG,
	OPT_SEEK,
	OPT_KEY_FILE,
	OPT_CIPHER,
	OPT_TO_TERMINAL,
};

static const struct option_row rows[] = {
	{ 0, NULL, NULL, "Which bytes" },
	{ OPT_BYTES, "bytes", "SIZE", "so many, then end (endless)" },
	{ OPT_SEEK, "seek", "SIZE", "begin at this byte of the stream (0)" },
	{ OPT_KEY_FILE, "key-file", "FILE",
	  "use this key: 64 hexadecimal digits;\n"
	  "- is standard input (a new random key)" },
	{ OPT_CIPHER, "cipher", "NAME",
	  "aes-256-ctr, chacha20 or auto: what suits the\n"
	  "CPU, but aes-256-ctr with --key-file (auto)" },
	{ 0, NULL, NULL, "Where to" },
	{ OPT_TO_TERMINAL, "to-terminal", NULL, "even if standard output is a terminal" },
	{ OPTION_HELP, "help", NULL, "this text" },
};

static int apply(void *options, int id, const char *argument)
{
	struct stream_options *o = options;
	int r = 0;

	switch (id) {
	case OPT_BYTES:
		r = parse_size(argument, &o->bytes);
		o->bounded = true;
		break;
	case OPT_SEEK:
		r = parse_size(argument, &o->seek);
		break;
	case OPT_KEY_FILE:
		o->key_file = argument;
		r = *argument ? 0 : -EINVAL;
		break;
	case OPT_CIPHER:
		r = cipher_parse(argument, &o->cipher);
		break;
	case OPT_TO_TERMINAL:
		o->to_terminal = true;
		break;
	case OPTION_HELP:
		o->help = true;
		break;
	}
	return r;
}

static const struct option_table table = {
	.usage = "Usage: stormwipe stream [OPTION]...\n"
		 "The random stream that wipe writes, on standard output: for pipes, and to check\n"
		 "a wiped drive by its key. It depends on the key and the cipher alone.\n",
	.ending = "SIZE is a number of bytes or has a unit (64K, 1.5G, 1TB).\n"
		  "Exit status: 0 all was written or nobody reads it any more, 2 wrong command\n"
		  "line or key, 3 refused, 4 not read to its end, 5 the system failed.\n"
		  "The whole story: man stormwipe\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(*rows),
	.apply = apply,
};

int stream_options_parse(int argc, char **argv, struct stream_options *ret,
			 char error[OPTIONS_ERROR_MAX])
{
	struct stream_options o = { 0 };
	int first = options_parse(&table, argc, argv, &o, error);

	if (first < 0)
		return first;
	if (!o.help && first < argc) {
		(void)text_print(error, OPTIONS_ERROR_MAX,
				 "stream writes to standard output and takes no \"%s\"",
				 argv[first]);
		return -EINVAL;
	}
	if (o.bytes && o.bytes - 1 > UINT64_MAX - o.seek) {
		(void)text_print(error, OPTIONS_ERROR_MAX,
				 "--seek and --bytes go beyond the end of the stream, 2^64 bytes");
		return -EINVAL;
	}
	*ret = o;
	return 0;
}

void stream_options_help(void)
{
	options_help(&table);
}
