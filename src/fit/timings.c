/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads times from the output of benchmarks, with which a projection is compared:
 *     nccl-tests     header "#  size  count  type ... time  algbw  busbw"; the first time (out of place) counts, in us
 *     OSU            header "# Size   Avg Latency(us) ..."; sizes of allgather and all-to-all are of one rank's part
 */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/source.h"
#include "fit/reader/reader.h"
#include "paradl/network.h"

enum { FILE_LIMIT = 16 << 20, TIMINGS_MAX = 4096 };

struct reader {
	const char *path, *tool;
	unsigned time_word; /* index of the time among the words of a line, from 0 */
	unsigned columns;   /* of nccl-tests: number of words of a whole row */
	unsigned ranks;     /* number of lines "#  Rank  0 ..." of nccl-tests */
	double size_factor; /* size of the whole vector over the size in the file */
	struct paradl_timing *items;
	size_t count, torn; /* torn: number of rows that broke off */
	struct lines lines;
};

/*
 * Reads the words of a line with #: "#  Rank  0 Group  0 Pid ...", "#  size  count  type  redop  root  time ..." or
 * "# Size   Avg Latency(us)".
 */
static void header_read(struct reader *reader, const char *const *words, unsigned count, double size_factor)
{
	const bool is_nccl = count > 0 && strcmp(words[0], "size") == 0;
	const bool is_osu = count > 0 && strcmp(words[0], "Size") == 0;
	reader->ranks += count > 0 && strcmp(words[0], "Rank") == 0;
	for (unsigned i = 1; i < count; ++i) {
		if (!(is_nccl && strcmp(words[i], "time") == 0) && !(is_osu && strstr(words[i], "Latency")))
			continue;
		reader->tool = is_nccl ? "nccl-tests" : "OSU";
		reader->time_word = is_nccl ? i : 1;
		reader->columns = is_nccl ? count : 0;
		reader->size_factor = is_nccl ? 1 : size_factor;
		return;
	}
}

static bool fail(const struct reader *reader, struct paradl_error *error, const char *what)
{
	return error_at(error, PARADL_SYNTAX, reader->path, reader->lines.number, 1, "%s", what);
}

/* Returns whether a crash broke off a row of nccl-tests: words are missing, or the time is a word of a message. */
static bool row_torn(const struct reader *reader, const char *const *words, unsigned count)
{
	double elements;
	return reader->columns && count > 1 && word_number(words[1], &elements) &&
	       (count < reader->columns || !isdigit((unsigned char)*words[reader->time_word]));
}

static bool row_read(
	struct reader *reader, const char *const *words, unsigned count, struct paradl_error *error)
{
	double bytes = 0, time_us = 0;
	if (count == 0 || !word_number(words[0], &bytes))
		return true; /* a message of the program */
	if (bytes > 1e15)
		return fail(reader, error, "the size is more than a petabyte");
	if (row_torn(reader, words, count)) {
		++reader->torn;
		return true;
	}
	if (count <= reader->time_word)
		return true;
	if (!word_number(words[reader->time_word], &time_us) || !(time_us >= 1e-3) || time_us > 1e12)
		return fail(reader, error, "the time is not a number of us");
	if (!(bytes > 0))
		return true; /* nccl-tests begins with such a row */
	if (reader->count == TIMINGS_MAX)
		return error_at(error, PARADL_SYNTAX, reader->path, reader->lines.number, 1,
			"more than %d times", TIMINGS_MAX);
	reader->items[reader->count++] =
		(struct paradl_timing){bytes * reader->size_factor, time_us * 1e-6, reader->lines.number};
	return true;
}

bool paradl_timings_load(struct paradl_arena *arena, const struct paradl_source *source,
	enum paradl_operation operation, unsigned ranks, struct paradl_timings *timings,
	struct paradl_error *error)
{
	const bool is_part = operation == PARADL_ALLGATHER || operation == PARADL_ALL_TO_ALL;
	const char *words[WORDS_MAX];
	size_t length = 0;
	struct reader *const reader = arena_alloc(arena, 1, sizeof *reader);
	const char *const path = reader ? source_path(arena, source, NULL, error) : NULL;
	const char *const text = path ? file_read(arena, path, FILE_LIMIT, &length, error) : NULL;
	if (!reader)
		return out_of_memory(error);
	if (!text)
		return false;
	if (strlen(text) != length)
		return error_at(error, PARADL_SYNTAX, path, 0, 0, "is not text: it has a zero byte");
	*reader = (struct reader){.path = path,
		.items = arena_alloc(arena, TIMINGS_MAX, sizeof *reader->items),
		.lines = lines_of(text, length)};
	if (!reader->items)
		return out_of_memory(error);
	while (lines_next(&reader->lines)) {
		char *const line = reader->lines.line;
		const bool is_comment = *line == '#';
		const unsigned count = words_split(line + is_comment, words);
		if (is_comment)
			header_read(reader, words, count, is_part ? ranks : 1);
		else if (reader->tool && !row_read(reader, words, count, error))
			return false;
	}
	if (!reader->tool || !reader->count) {
		error_at(error, PARADL_SYNTAX, path, 0, 0, "%s",
			reader->tool ? "has no times" : "is not what nccl-tests or the OSU benchmarks print");
		error_hint(error, "keep the lines that begin with #: they say what the columns are");
		return false;
	}
	*timings = (struct paradl_timings){
		reader->tool, reader->items, reader->count, reader->ranks, reader->torn};
	return true;
}
