/* SPDX-License-Identifier: MIT */
/* Breaks lines. */
#include "cli/paragraph.h"

#include <string.h>

#include "base/text.h"
#include "cli/words.h"

enum { WIDTH = 79 };

void paragraph(FILE *out, const char *label, unsigned indent, const char *raw)
{
	const size_t room = WIDTH - indent;
	char clean[WORDS_MAX];
	const char *text = text_clean(clean, sizeof(clean), raw);

	do {
		size_t length = strlen(text), cut = length;

		if (length > room) {
			for (cut = room; cut && text[cut] != ' ';)
				cut--;
			if (!cut)
				cut = strcspn(text, " ");
		}
		if (indent)
			fprintf(out, "%-*s", (int)indent - 1, label);
		fprintf(out, "%.*s\n", (int)cut, text);
		text += cut;
		while (*text == ' ')
			text++;
		label = "";
	} while (*text);
}
