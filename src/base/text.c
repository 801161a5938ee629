/* SPDX-License-Identifier: MIT */
/* Strings from outside, made safe to print, to store and to name a file with. */
#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What one byte that cannot be shown becomes: \xNN. */
enum { ESCAPE_LENGTH = 4 };

/*
 * Length of the printable UTF-8 character at @s; 0 where there is none: a control character or a
 * byte that begins nothing valid. A terminating zero is no continuation, so it is never passed.
 */
static size_t character_length(const unsigned char *s)
{
	uint32_t point, least;
	size_t length;

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f;
	if ((s[0] & 0xe0) == 0xc0) {
		/* 0x80 would be the shortest form's least; the next 32 are the C1 controls. */
		length = 2, point = s[0] & 0x1f, least = 0xa0;
	} else if ((s[0] & 0xf0) == 0xe0) {
		length = 3, point = s[0] & 0x0f, least = 0x800;
	} else if ((s[0] & 0xf8) == 0xf0) {
		length = 4, point = s[0] & 0x07, least = 0x10000;
	} else {
		return 0;
	}
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (s[i] & 0x3f);
	}
	if (point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return 0;
	/* Line separators, and the marks that turn the direction of text around. */
	if (point == 0x200e || point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
	    (point >= 0x2066 && point <= 0x2069))
		return 0;
	return length;
}

char *text_clean(char *dst, size_t size, const char *src)
{
	const unsigned char *s = (const unsigned char *)src + strspn(src, " ");
	size_t used = 0;

	assert(size > 0);
	while (*s) {
		size_t length = character_length(s), wanted = length ? length : ESCAPE_LENGTH;

		if (wanted > size - 1 - used)
			break;
		if (length)
			memcpy(dst + used, s, length);
		else
			snprintf(dst + used, ESCAPE_LENGTH + 1, "\\x%02x", *s);
		used += wanted;
		s += length ? length : 1;
	}
	while (used && dst[used - 1] == ' ')
		used--;
	dst[used] = '\0';
	return dst;
}

size_t text_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

/* isalnum() asks the locale. */
static bool fits_file_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("._+=-", c));
}

char *text_slug(char *dst, size_t size, const char *src)
{
	size_t used = 0;
	bool in_run = false;

	assert(size > 0);
	if (!*src)
		src = "unknown";
	for (; *src && used < size - 1; src++) {
		bool fits = fits_file_name(*src) && (used || !strchr(".-", *src));

		if (fits || !in_run)
			dst[used++] = fits ? *src : '_';
		in_run = !fits;
	}
	dst[used] = '\0';
	return dst;
}

bool text_starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

bool text_is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(text, *list))
			return true;
	return false;
}

bool text_print(char *dst, size_t size, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(dst, size, format, args);
	va_end(args);
	return length >= 0 && (size_t)length < size;
}

bool text_append(char *dst, size_t size, const char *format, ...)
{
	size_t used = strlen(dst);
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(dst + used, size - used, format, args);
	va_end(args);
	return length >= 0 && (size_t)length < size - used;
}
