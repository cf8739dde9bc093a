/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "import/importer.h"

bool import_writing_begin(struct importing *importing, struct import_writing *writing)
{
	*writing = (struct import_writing){.text = NULL};
	writing->writer.file = open_memstream(&writing->text, &writing->length);
	return writing->writer.file || out_of_memory(importing->error);
}

const char *import_writing_end(struct importing *importing, struct import_writing *writing, bool written)
{
	const char *text = NULL;
	const bool closed = fclose(writing->writer.file) == 0;
	if (written && closed)
		text = arena_copy(importing->arena, writing->text, writing->length);
	if (written && !text)
		out_of_memory(importing->error);
	free(writing->text);
	return text;
}

void import_quantity(struct json_writer *writer, const char *key, double value, const char *unit)
{
	enum { UNIT_SPACE = 16, DIGITS = 16 };
	char text[DECIMAL_LENGTH + UNIT_SPACE];
	decimal_general(text, DECIMAL_LENGTH, value, DIGITS);
	(void)strncat(text, unit, sizeof text - strlen(text) - 1);
	json_write_text(writer, key, text);
}
