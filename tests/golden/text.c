/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "images-3/17 memory.weights_bytes 0x1.8p+31": lines that two versions of the program can be compared by. */
#include "golden/golden.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void give_up(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("golden: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(2);
}

void text_append(struct text *text, const char *bytes, size_t length)
{
	if (text->room - text->length < length + 1) {
		text->room = 2 * text->room + length + 4096;
		text->bytes = realloc(text->bytes, text->room);
		if (!text->bytes)
			give_up("out of memory");
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

static void line(struct text *text, const char *name, const char *value)
{
	text_append(text, text->id, strlen(text->id));
	text_append(text, text->prefix, strlen(text->prefix));
	text_append(text, name, strlen(name));
	text_append(text, " ", 1);
	text_append(text, value, strlen(value));
	text_append(text, "\n", 1);
}

void text_question(struct text *text, const char *block, const char *format, ...)
{
	char asked[2048];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(asked, sizeof asked, format, arguments);
	va_end(arguments);
	snprintf(text->id, sizeof text->id, "%s/%u ", block, text->questions++);
	*text->prefix = '\0';
	line(text, "question", asked);
}

void text_prefix(struct text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text->prefix, sizeof text->prefix, format, arguments);
	va_end(arguments);
}

void text_prefix_end(struct text *text)
{
	*text->prefix = '\0';
}

/* The sign of a zero is of no interest. */
void text_number(struct text *text, const char *name, double value)
{
	char digits[40];
	snprintf(digits, sizeof digits, "%a", value + 0.0);
	line(text, name, digits);
}

void text_word(struct text *text, const char *name, const char *value)
{
	line(text, name, value ? value : "(none)");
}

void text_refusal(struct text *text, const char *name, const struct paradl_error *error)
{
	char message[1024];
	snprintf(message, sizeof message, "status %d: %s | %s", (int)error->status, error->message,
		error->hint);
	line(text, name, message);
}
