/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){NULL, 0, 0};
}

static void reserve(struct text *text, size_t length)
{
	if (length + 1 <= text->room)
		return;
	text->room = 2 * length + 64;
	text->bytes = realloc(text->bytes, text->room);
	if (!text->bytes)
		abort();
}

void text_set(struct text *text, const char *bytes, size_t length)
{
	reserve(text, length);
	if (length)
		memmove(text->bytes, bytes, length);
	text->bytes[length] = '\0';
	text->length = length;
}

void text_splice(struct text *text, size_t at, size_t removed, const char *added, size_t length)
{
	const size_t whole = text->length - removed + length;
	if (whole > TEXT_MOST)
		return;
	char *const copy = malloc(length + 1); /* what is added may be a part of the text */
	if (!copy)
		abort();
	memcpy(copy, added, length);
	reserve(text, whole);
	memmove(text->bytes + at + length, text->bytes + at + removed, text->length - at - removed);
	memcpy(text->bytes + at, copy, length);
	text->bytes[whole] = '\0';
	text->length = whole;
	free(copy);
}

void text_add(struct text *text, const char *added)
{
	text_splice(text, text->length, 0, added, strlen(added));
}

void text_add_quoted(struct text *text, const struct text *quoted)
{
	char *written = NULL;
	size_t length = 0;
	FILE *const file = open_memstream(&written, &length);
	if (!file)
		abort();
	struct json_writer writer = {.file = file};
	json_write_text(&writer, NULL, quoted->bytes);
	fclose(file);
	text_add(text, written);
	free(written);
}
