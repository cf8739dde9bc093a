/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured times out of what benchmarks print:
 *     nccl-tests     a line "#  size  count  type ... time  algbw  busbw"; the first time (out of place), in us
 *     OSU            a line "# Size   Avg Latency(us) ..."; sizes of allgather and all-to-all are of one rank's part
 */
#include <ctype.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "network/ask.h"

enum { FILE_LIMIT = 16 << 20, TIMINGS_MAX = 4096, WORD_BYTES = 32 };

struct reader {
	const char *tool;
	unsigned time_word; /* of a line, counted from 0 */
	unsigned ranks;     /* lines "#  Rank  0 ..." of nccl-tests */
	double size_factor; /* of what the file calls size, to the whole vector */
	struct paradl_timing *items;
	size_t count;
	int line;
};

/* The next word of a line; false at its end. */
static bool word_next(const char **at, const char **word, size_t *length)
{
	while (**at == ' ' || **at == '\t')
		++*at;
	*word = *at;
	while (**at && !isspace((unsigned char)**at))
		++*at;
	*length = (size_t)(*at - *word);
	return *length > 0;
}

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* "#  Rank  0 Group  0 Pid ..." and "#  size  count  type  redop  root  time ..." */
static void nccl_header(struct reader *reader, const char *line)
{
	const char *word;
	size_t length;
	for (unsigned i = 0; word_next(&line, &word, &length); ++i) {
		if (i == 0 && is_word(word, length, "Rank"))
			++reader->ranks;
		if (i == 0 && !is_word(word, length, "size"))
			return;
		if (!is_word(word, length, "time"))
			continue;
		reader->tool = "nccl-tests";
		reader->time_word = i;
		reader->size_factor = 1;
		return;
	}
}

static void osu_header(struct reader *reader, const char *line, enum operation operation, unsigned ranks)
{
	const char *word;
	size_t length;
	const char *latency = strstr(line, "Latency");
	const char *end = strchr(line, '\n');
	if (!word_next(&line, &word, &length) || !is_word(word, length, "Size") || !latency ||
		(end && latency > end))
		return;
	reader->tool = "OSU";
	reader->time_word = 1;
	reader->size_factor = operation == ALLGATHER || operation == ALL_TO_ALL ? ranks : 1;
}

/* A word that is one number and no more. */
static bool number(const char *word, size_t length, double *value)
{
	char text[WORD_BYTES];
	const char *end;
	if (length >= sizeof text)
		return false;
	memcpy(text, word, length);
	text[length] = '\0';
	return decimal_read(text, 0, value, &end) && !*end;
}

static bool row_read(struct reader *reader, const char *line, const char *path, struct paradl_error *error)
{
	const char *word;
	size_t length;
	double bytes = 0, time_us = 0;
	if (!word_next(&line, &word, &length) || !number(word, length, &bytes))
		return true; /* a message of the program */
	if (bytes > 1e15)
		return error_at(
			error, PARADL_SYNTAX, path, reader->line, 1, "the size is more than a petabyte");
	for (unsigned i = 0; i < reader->time_word; ++i)
		if (!word_next(&line, &word, &length))
			return true;
	if (!number(word, length, &time_us) || !(time_us >= 1e-3) || time_us > 1e12)
		return error_at(
			error, PARADL_SYNTAX, path, reader->line, 1, "the time is not a number of us");
	if (!(bytes > 0))
		return true; /* nccl-tests begins with such a row */
	if (reader->count == TIMINGS_MAX)
		return error_at(
			error, PARADL_SYNTAX, path, reader->line, 1, "more than %d times", TIMINGS_MAX);
	reader->items[reader->count++] =
		(struct paradl_timing){bytes * reader->size_factor, time_us * 1e-6, reader->line};
	return true;
}

bool paradl_timings_load(struct paradl_arena *arena, const char *path, enum paradl_operation operation,
	unsigned ranks, struct paradl_timings *timings, struct paradl_error *error)
{
	size_t length = 0;
	struct reader reader = {.items = arena_alloc(arena, TIMINGS_MAX, sizeof *reader.items)};
	if (!reader.items)
		return out_of_memory(error);
	const char *line = file_read(arena, path, FILE_LIMIT, &length, error);
	if (!line)
		return false;
	if (strlen(line) != length)
		return error_at(error, PARADL_SYNTAX, path, 0, 0, "is not text: it has a zero byte");
	while (line && *line) {
		++reader.line;
		const char *next = strchr(line, '\n');
		if (*line == '#') {
			nccl_header(&reader, line + 1);
			osu_header(&reader, line + 1, (enum operation)operation, ranks);
		} else if (reader.tool && !row_read(&reader, line, path, error)) {
			return false;
		}
		line = next ? next + 1 : NULL;
	}
	if (!reader.tool || !reader.count) {
		error_at(error, PARADL_SYNTAX, path, 0, 0, "%s",
			reader.tool ? "has no times" : "is not what nccl-tests or the OSU benchmarks print");
		error_hint(error, "keep the lines that begin with #: they say what the columns are");
		return false;
	}
	*timings = (struct paradl_timings){reader.tool, reader.items, reader.count, reader.ranks};
	return true;
}
