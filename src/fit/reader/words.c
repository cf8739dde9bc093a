/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/reader/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"

struct lines lines_of(const char *text, size_t length)
{
	return (struct lines){.at = text, .end = text + length};
}

bool lines_next(struct lines *lines)
{
	if (lines->at >= lines->end)
		return false;
	const size_t left = (size_t)(lines->end - lines->at);
	const char *newline = memchr(lines->at, '\n', left);
	const size_t length = newline ? (size_t)(newline - lines->at) : left;
	const size_t kept = length < READER_LINE_MAX ? length : READER_LINE_MAX - 1;
	memcpy(lines->line, lines->at, kept);
	lines->line[kept] = '\0';
	lines->at += length + (newline != NULL);
	++lines->number;
	return true;
}

bool text_has_line(const char *text, size_t length, const char *start, int most)
{
	struct lines lines = lines_of(text, length);
	while (lines.number < most && lines_next(&lines)) {
		const char *line = lines.line + strspn(lines.line, " \t");
		if (strncmp(line, start, strlen(start)) == 0)
			return true;
	}
	return false;
}

unsigned words_split(char *line, const char *words[WORDS_MAX])
{
	unsigned count = 0;
	for (;;) {
		line += strspn(line, " \t\r\n\v\f");
		if (!*line || count == WORDS_MAX)
			return count;
		words[count++] = line;
		line += strcspn(line, " \t\r\n\v\f");
		if (*line)
			*line++ = '\0';
	}
}

bool word_number(const char *word, double *number)
{
	const char *end;
	return decimal_read(word, 0, number, &end) && !*end && *number < 1e300;
}

bool foreign_begin(struct foreign *foreign, struct paradl_arena *arena, struct sample_set *set,
	const char *path, const char *tool, struct paradl_error *error)
{
	*foreign = (struct foreign){.arena = arena,
		.set = set,
		.launch = sample_launch_add(arena, set),
		.path = path,
		.error = error};
	if (!foreign->launch)
		return out_of_memory(error);
	*foreign->launch =
		(struct sample_launch){.file = path, .id = tool, .program = tool, .host = "", .date = ""};
	return true;
}

bool foreign_fail(const struct foreign *foreign, int line, const char *format, ...)
{
	char message[240];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	return error_at(foreign->error, PARADL_SYNTAX, foreign->path, line, line ? 1 : 0, "%s", message);
}

bool foreign_add_point(struct foreign *foreign, const struct foreign_point *added)
{
	const unsigned count = added->parameter_count;
	if (++foreign->points > READER_POINTS_MAX)
		return foreign_fail(foreign, added->line, "has more than %d results", READER_POINTS_MAX);
	for (unsigned i = 0; i < added->samples; ++i)
		if (!(added->seconds[i] >= 1e-9) || added->seconds[i] > 1e7)
			return foreign_fail(
				foreign, added->line, "a time of %g s cannot be", added->seconds[i]);
	struct sample_point *point = sample_point_add(foreign->arena, foreign->set);
	struct sample_parameter *kept = arena_alloc(foreign->arena, count + 1, sizeof *kept);
	double *times = arena_alloc(foreign->arena, added->samples + 1, sizeof *times);
	static const char *const no_flags[] = {NULL};
	if (!point || !kept || !times || !added->name)
		return out_of_memory(foreign->error);
	memcpy(kept, added->parameters, count * sizeof *kept);
	memcpy(times, added->seconds, added->samples * sizeof *times);
	*point = (struct sample_point){.launch = foreign->launch,
		.line = added->line,
		.bench = added->bench,
		.name = added->name,
		.parameters = kept,
		.parameter_count = count,
		.bytes = added->bytes,
		.seconds = times,
		.count = added->samples,
		.flags = no_flags};
	return true;
}

bool foreign_add(struct foreign *foreign, const struct foreign_group *group, int line, double bytes,
	const double *seconds, unsigned count)
{
	const char *way = group->way ? group->way : "block";
	struct sample_parameter parameters[8] = {
		{"library", group->library, 0},
		{"buffer", group->buffer, 0},
		{"way", way, 0},
		{"nodes", NULL, group->nodes},
		{"devices", NULL, group->devices},
		{"groups", NULL, group->groups},
		{"bytes", NULL, bytes},
		{"distance", group->distance, 0},
	};
	const char *many = group->groups > 1 ? arena_printf(foreign->arena, "x%u", group->groups) : "";
	if (!many)
		return out_of_memory(foreign->error);
	if (!(bytes >= 1) || bytes > 1e15)
		return foreign_fail(foreign, line, "a size of %g bytes cannot be", bytes);
	const struct foreign_point point = {.bench = group->operation,
		.name = arena_printf(foreign->arena, "%s/%s%s%s/%s/%s/%ux%u%s/%.0f", group->operation,
			group->distance ? group->distance : "", group->distance ? "/" : "", group->library,
			group->buffer, way, group->nodes, group->devices, many, bytes),
		.line = line,
		.parameters = parameters,
		.parameter_count = group->distance ? 8 : 7,
		.seconds = seconds,
		.samples = count};
	return foreign_add_point(foreign, &point);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Copies a text in lower case without '_', '-', '.' and blanks, so that "all_reduce" and "Allreduce" are alike. */
static void plain(const char *text, char *out, size_t size)
{
	size_t used = 0;
	for (; *text && used + 1 < size; ++text)
		if (!strchr("_-. ", *text))
			out[used++] = (char)tolower((unsigned char)*text);
	out[used] = '\0';
}

const char *operation_of(const char *text)
{
	static const struct {
		const char *word, *operation;
	} words[] = {
		/* longer words stand before the words that they contain */
		{"reducescatter", "reduce-scatter"},
		{"allreduce", "allreduce"},
		{"allgather", "allgather"},
		{"alltoall", "all-to-all"},
		{"broadcast", "broadcast"},
		{"bcast", "broadcast"},
		{"sendrecv", "send-receive"},
		{"hypercube", "hypercube"},
		{"gather", "gather"},
		{"reduce", "reduce"},
	};
	char folded[512];
	plain(text, folded, sizeof folded);
	for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
		if (strstr(folded, words[i].word))
			return words[i].operation;
	return NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *name_operation(const char *path)
{
	const char *operation = operation_of(last_part(path));
	return operation ? operation : operation_of(path);
}

bool name_has(const char *path, const char *word)
{
	char folded[512];
	plain(last_part(path), folded, sizeof folded);
	return strstr(folded, word) != NULL;
}

/*
 * Returns the number of the digits at *at, which goes past them; 0 where there are none or the number is too large.
 */
static unsigned count_at(const char **at)
{
	double number = 0;
	const size_t digits = strspn(*at, "0123456789");
	for (size_t i = 0; i < digits && number < 1e9; ++i)
		number = number * 10 + ((*at)[i] - '0');
	*at += digits;
	return number < 1e9 ? (unsigned)number : 0;
}

void name_shape(const char *path, unsigned *nodes, unsigned *devices)
{
	const char *name = last_part(path);
	*nodes = *devices = 0;
	for (const char *at = name; *at; ++at) {
		const bool is_first = at == name || !isalnum((unsigned char)at[-1]);
		if (!is_first || !isdigit((unsigned char)*at))
			continue;
		const char *end = at;
		const unsigned first = count_at(&end);
		if (*end != 'x' || !isdigit((unsigned char)end[1]))
			continue;
		++end;
		const unsigned second = count_at(&end);
		if (isalnum((unsigned char)*end) || !first || !second || second % first)
			continue;
		*nodes = first;
		*devices = second;
		return;
	}
}
