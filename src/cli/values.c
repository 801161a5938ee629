/* SPDX-License-Identifier: MIT */
/* What names, --expect and --io take. */
#include "cli/values.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "cli/options.h"

static const struct option_word io_words[] = {
	{ "auto", IO_AUTO }, { "uring", IO_URING }, { "sync", IO_SYNC }, { 0 }
};
static const struct option_word expect_words[] = { { "serial", EXPECT_SERIAL },
						   { "wwn", EXPECT_WWN },
						   { "size", EXPECT_SIZE },
						   { "diskseq", EXPECT_DISKSEQ },
						   { 0 } };

const char *value_names_mistake(char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!*names[i])
			return "the name of a drive is empty";
	return NULL;
}

int value_expect(const char *argument, struct gate_policy *policy)
{
	struct expectation *expect = &policy->expect[policy->expect_count];
	const char *equals = strchr(argument, '=');
	char key[16];
	int value, r = 0;

	if (!equals || !equals[1] || policy->expect_count == EXPECT_MAX ||
	    !text_print(key, sizeof(key), "%.*s", (int)(equals - argument), argument) ||
	    option_word(expect_words, key, &value))
		return -EINVAL;
	*expect = (struct expectation){ .key = (enum expect_key)value, .text = equals + 1 };
	if (value == EXPECT_SIZE)
		r = parse_size(equals + 1, &expect->number);
	else if (value == EXPECT_DISKSEQ)
		r = parse_u64(equals + 1, &expect->number);
	if (!r)
		policy->expect_count++;
	return r;
}

int value_io(const char *argument, enum io_choice *ret_io)
{
	int value, r = option_word(io_words, argument, &value);

	if (!r)
		*ret_io = (enum io_choice)value;
	return r;
}
