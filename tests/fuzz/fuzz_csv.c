/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that is accepted reads as the same table when its cells are written again, every one in quotes. */
#include "fuzz.h"

#include <string.h>

#include "base/csv.h"

static void write_cell(FILE *file, const char *cell, char separator)
{
	fputc('"', file);
	for (; *cell; cell++) {
		if (*cell == '"')
			fputc('"', file);
		fputc(*cell, file);
	}
	fputc('"', file);
	fputc(separator, file);
}

static void write_row(FILE *file, const char *const *cells, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		write_cell(file, cells[i], i + 1 < columns ? ',' : '\n');
}

static void require_same_when_written(struct paradl_arena *arena, const struct csv *csv)
{
	char *text = NULL;
	size_t length = 0;
	struct csv again;
	FILE *const file = open_memstream(&text, &length);
	REQUIRE(file);
	write_row(file, csv->header, csv->columns);
	for (size_t row = 0; row < csv->rows; row++)
		write_row(file, csv->cells + row * csv->columns, csv->columns);
	fclose(file);
	REQUIRE(csv_parse(arena, text, length, "again", &again, NULL));
	REQUIRE(again.columns == csv->columns && again.rows == csv->rows);
	for (size_t i = 0; i < csv->columns; i++)
		REQUIRE(strcmp(again.header[i], csv->header[i]) == 0);
	for (size_t i = 0; i < csv->rows * csv->columns; i++)
		REQUIRE(strcmp(again.cells[i], csv->cells[i]) == 0);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {.status = PARADL_OK};
	struct csv csv;
	if (csv_parse(arena, (const char *)data, size, "x", &csv, &error)) {
		for (size_t row = 1; row < csv.rows; row++)
			REQUIRE(csv.lines[row] > csv.lines[row - 1]);
		require_same_when_written(arena, &csv);
	} else {
		REQUIRE(error.status == PARADL_SYNTAX && *error.message);
	}
	paradl_arena_free(arena);
	return 0;
}
