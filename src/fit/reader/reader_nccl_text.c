/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the tables of nccl-tests. Both times of a row, out of place and in place, are samples of its point; each is
 * the mean over one block of calls. Each run in a file is a launch: a job's log may have several. Of a run that was
 * killed or crashed the whole rows count: a row that broke off, and a run that ended before its first row, are counted
 * as torn and passed over.
 */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "fit/reader/reader.h"

struct table {
	struct foreign *foreign;
	struct nccl_run run;
	const char *command; /* operation of the last command since the rows of a run began; NULL: none */
	struct nccl_row *rows;
	size_t count, launches_before;                  /* rows of this run; launches of other files */
	unsigned times[2], time_count, reduction, root; /* columns, and how many of time; 0: none */
	unsigned algorithm_rate, bus_rate;              /* columns; 0: none */
	unsigned columns;                               /* number of words of a whole row */
};

static bool knows(const char *text, size_t length)
{
	struct lines lines = lines_of(text, length);
	while (lines.number < 4096 && lines_next(&lines)) {
		const char *words[WORDS_MAX];
		const unsigned count = words_split(lines.line, words);
		if (count >= 6 && strcmp(words[0], "#") == 0 && strcmp(words[1], "size") == 0 &&
			strcmp(words[2], "count") == 0)
			return true;
	}
	return false;
}

/* Finds the columns: "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw ..." */
static void header_read(struct table *table, const char *const *words, unsigned count)
{
	table->time_count = table->reduction = table->root = table->algorithm_rate = table->bus_rate = 0;
	table->columns = count - 1;
	for (unsigned i = 1; i < count; ++i) {
		const unsigned column = i - 1;
		if (strcmp(words[i], "time") == 0 && table->time_count < 2)
			table->times[table->time_count++] = column;
		else if (strcmp(words[i], "redop") == 0)
			table->reduction = column;
		else if (strcmp(words[i], "root") == 0)
			table->root = column;
		else if (strcmp(words[i], "algbw") == 0 && !table->algorithm_rate)
			table->algorithm_rate = column;
		else if (strcmp(words[i], "busbw") == 0 && !table->bus_rate)
			table->bus_rate = column;
	}
}

/* Reads a rank: "Rank  0 Group  0 Pid  12345 on      node1 device  0 [0x07] NVIDIA A100-SXM4-40GB" */
static bool rank_read(struct table *table, const char *const *words, unsigned count)
{
	double group = 0;
	const char *host = NULL;
	for (unsigned i = 1; i + 1 < count; ++i) {
		if (strcmp(words[i], "Group") == 0)
			word_number(words[i + 1], &group);
		else if (strcmp(words[i], "on") == 0 && !host)
			host = words[i + 1];
	}
	return nccl_rank(table->foreign->arena, &table->run, host, group) ||
	       foreign_fail(table->foreign, 0, "has more than %d nodes", READER_HOSTS_MAX);
}

/* Reads the library's version: "# nccl-tests version 2.17.6 nccl-headers=22803 nccl-library=22803" */
static void version_read(struct table *table, const char *const *words, unsigned count)
{
	static const char key[] = "nccl-library=";
	for (unsigned i = 0; i < count; ++i) {
		double code;
		if (strncmp(words[i], key, sizeof key - 1) == 0 &&
			word_number(words[i] + sizeof key - 1, &code))
			table->run.library = nccl_library(table->foreign->arena, code);
	}
}

/* Gives the run the operation of the command above it, unless it has named its own. */
static void command_take(struct table *table)
{
	if (!table->run.operation)
		table->run.operation = table->command;
	table->command = NULL;
}

/* Makes the rows read so far points of their run; a run that ended before its first row is counted as torn. */
static bool run_end(struct table *table)
{
	if (table->count > 0)
		return nccl_points(table->foreign, &table->run, table->rows, table->count);
	table->foreign->set->torn += table->run.ranks > 0 || table->time_count > 0;
	return true;
}

/* Begins a run at one of its first lines, and a launch, unless the run before ended before its first row. */
static bool run_begin(struct table *table)
{
	struct foreign *foreign = table->foreign;
	if (!run_end(table) || (table->count > 0 && !foreign_begin(foreign, foreign->arena, foreign->set,
							    foreign->path, "nccl-tests", foreign->error)))
		return false;
	if (table->count > 0 || table->run.ranks > 0)
		table->run = (struct nccl_run){.library = table->run.library};
	table->count = table->time_count = 0;
	return true;
}

static bool comment_read(struct table *table, const char *const *words, unsigned count)
{
	const bool starts =
		count > 2 && strcmp(words[0], "Collective") == 0 && strcmp(words[2], "starting:") == 0;
	if ((starts || (count > 0 && (!strcmp(words[0], "nThread") || !strcmp(words[0], "nccl-tests")))) &&
		!run_begin(table))
		return false;
	if (count > 2 && strcmp(words[0], "Rank") == 0)
		return rank_read(table, words, count);
	if (count > 0 && strcmp(words[0], "nccl-tests") == 0)
		version_read(table, words, count);
	if (count > 2 && strcmp(words[0], "Collective") == 0 && strcmp(words[1], "test") == 0)
		table->run.operation = operation_of(words[count - 1]);
	return true;
}

/*
 * Reads the operation from a command, as a shell or a log shows it before the table, such as
 * "mpirun -np 16 ./build/all_reduce_perf -b 8"; and the library from the line that NCCL_DEBUG=VERSION prints.
 */
static void command_read(struct table *table, const char *const *words, unsigned count)
{
	const char *operation = NULL;
	for (unsigned i = 0; i < count && !operation; ++i)
		if (strlen(words[i]) > 5 && strcmp(words[i] + strlen(words[i]) - 5, "_perf") == 0)
			operation = operation_of(words[i]);
	if (operation)
		table->command = operation;
	if (count > 2 && strcmp(words[count - 2], "version") == 0 &&
		(table->count == 0 || !table->run.library) &&
		strcmp(words[count - 3], "NCCL") == 0) /* NCCL_DEBUG=VERSION */
		table->run.library = arena_printf(table->foreign->arena, "nccl %.*s",
			(int)strcspn(words[count - 1], "+"), words[count - 1]);
}

/*
 * Reads the times of a row, which has none where both are "N/A". A row that has fewer words than the table has columns,
 * or another program's words where its time should be, broke off: it has none, and is counted as torn.
 */
static bool times_read(struct table *table, struct nccl_row *row, const char *const *words, unsigned count)
{
	bool whole = count >= table->columns;
	for (unsigned i = 0; whole && i < table->time_count; ++i) {
		const char *const word = words[table->times[i]];
		double time_us = 0;
		if (strcmp(word, "N/A") == 0)
			continue;
		whole = word_number(word, &time_us);
		if ((whole && !(time_us > 0)) || (!whole && isdigit((unsigned char)*word)))
			return foreign_fail(table->foreign, row->line, "the time is not a number of us");
		row->times_s[row->time_count] = time_us * 1e-6;
		row->time_count += whole;
	}
	row->time_count = whole ? row->time_count : 0;
	table->foreign->set->torn += !whole;
	return true;
}

/* Reads a row of the table, or any other line that is no comment. */
static bool row_read(struct table *table, int line, const char *const *words, unsigned count)
{
	struct nccl_row *row = &table->rows[table->count];
	double elements = 0;
	*row = (struct nccl_row){.line = line, .algorithm_rate = -1, .bus_rate = -1};
	if (!table->time_count || count < 2 || !word_number(words[0], &row->bytes) ||
		!word_number(words[1], &elements)) {
		command_read(table, words, count);
		return true;
	}
	if (!(row->bytes > 0))
		return true; /* the table may begin with a row of no bytes */
	if (!times_read(table, row, words, count))
		return false;
	if (row->time_count == 0)
		return true;
	if (table->reduction && table->root) {
		row->reduction = arena_text(table->foreign->arena, words[table->reduction]);
		row->has_root = words[table->root][0] != '-';
	}
	if (table->bus_rate && table->algorithm_rate) {
		word_number(words[table->algorithm_rate], &row->algorithm_rate);
		word_number(words[table->bus_rate], &row->bus_rate);
	}
	if (table->count == 0) /* what stands above is of this run, what follows of the next one */
		command_take(table);
	if (++table->count > READER_POINTS_MAX)
		return foreign_fail(table->foreign, line, "has more than %d rows", READER_POINTS_MAX);
	return true;
}

static bool line_read(struct table *table, struct lines *lines)
{
	const char *words[WORDS_MAX];
	char *line = lines->line + strspn(lines->line, " \t");
	const bool is_comment = *line == '#';
	const unsigned count = words_split(line + is_comment, words);
	if (!is_comment)
		return row_read(table, lines->number, words, count);
	if (count >= 5 && strcmp(words[0], "size") == 0 && strcmp(words[1], "count") == 0) {
		/* header_read counts a "#" as its first word, which rows do not have */
		const char *shifted[WORDS_MAX + 1] = {"#"};
		memcpy(shifted + 1, words, count * sizeof *words);
		header_read(table, shifted, count + 1);
		return true;
	}
	return comment_read(table, words, count);
}

/* Finishes the last run. One that ended before its first row has no launch, if runs before it have points. */
static bool run_finish(struct table *table)
{
	struct sample_set *set = table->foreign->set;
	if (table->count > 0 || set->launch_count == table->launches_before + 1)
		return nccl_points(table->foreign, &table->run, table->rows, table->count);
	--set->launch_count;
	return run_end(table);
}

static bool read(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct sample_set *set, struct paradl_error *error)
{
	struct foreign foreign;
	struct lines lines = lines_of(text, length);
	struct table table = {.foreign = &foreign,
		.launches_before = set->launch_count,
		.rows = arena_alloc(arena, READER_POINTS_MAX + 1, sizeof *table.rows)};
	if (!table.rows)
		return out_of_memory(error);
	if (!foreign_begin(&foreign, arena, set, path, "nccl-tests", error))
		return false;
	while (lines_next(&lines))
		if (!line_read(&table, &lines))
			return false;
	return run_finish(&table);
}

const struct sample_reader reader_nccl_text = {
	.name = "nccl-tests",
	.summary = "tables that nccl-tests and rccl-tests print",
	.knows = knows,
	.read = read,
};
