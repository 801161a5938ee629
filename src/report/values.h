/* SPDX-License-Identifier: MIT */
/* What JSON documents here are made of: values, null for what is not known. Private to report/.
 * Each function returns a new value, NULL without memory, which makes NULL of all that holds it. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include <jansson.h>
#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "device/facts.h"
#include "device/probe.h"

/* A byte that is no text becomes "\xNN": four for one. */
enum { CLEAN_MAX = 4 * PATH_MAX, REAL_DIGITS = 15 };

/* JSON integers are signed 64-bit here; no drive has 2^63 bytes. */
static inline json_t *number(uint64_t n)
{
	return json_integer(n < INT64_MAX ? (json_int_t)n : INT64_MAX);
}

static inline json_t *number_or_null(uint64_t n)
{
	return n ? number(n) : json_null();
}

static inline json_t *text_or_null(const char *text)
{
	char clean[CLEAN_MAX];

	if (!text || !*text)
		return json_null();
	return json_string(text_clean(clean, sizeof(clean), text));
}

static inline json_t *tristate(enum tristate value)
{
	return value == UNKNOWN ? json_null() : json_boolean(value == YES);
}

/* Seconds, to the millisecond. */
static inline json_t *seconds(uint64_t ns)
{
	return json_real((double)(ns / NS_PER_MS) / 1000);
}

/* Bytes a second. */
static inline json_t *rate(uint64_t bytes, uint64_t ns)
{
	double per_second = ns ? (double)bytes * (double)NS_PER_S / (double)ns : 0;

	if (!ns)
		return json_null();
	return number(per_second < (double)INT64_MAX ? (uint64_t)per_second : INT64_MAX);
}

static inline json_t *error_name(int code)
{
	return text_or_null(code ? strerrorname_np(code) : NULL);
}

static inline json_t *error_code(int code)
{
	return code ? json_integer(code) : json_null();
}

/* An array that could not take a value is none. */
static inline void append(json_t **array, json_t *value)
{
	if (!json_array_append_new(*array, value))
		return;
	json_decref(*array);
	*array = NULL;
}

/* What a drive is. */
json_t *drive_object(const struct drive_facts *f);

/* What is on it; null if @contents is NULL or could not be read. */
json_t *contents_object(const struct contents *contents);

/* The document on one line with a newline at its end, to be freed with free(); lets go of @object.
 * Returns 0; -ENOMEM, also for NULL. */
int document_line(json_t *object, char **ret_text);

#endif
