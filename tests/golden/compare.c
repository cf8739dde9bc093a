/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers beside those that another version printed: which quantities differ by more than rounding. */
#include "golden/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MOST = 1024, LINE_MOST = 4096 };

/* A quantity with what differs of it; in the order of their first difference. */
struct quantity {
	char name[128]; /* "tokens layer[].forward_s" */
	unsigned long count;
	double worst; /* infinite: not a number, or missing on one side */
	char example[512];
};

struct comparison {
	double within;
	unsigned long same, moved; /* equal digits; not equal, but within */
	long beyond;
	struct quantity *quantities;
	size_t count;
};

/* A line of a print: question, name, value. */
struct line {
	const char *id, *name, *value;
	size_t id_length, name_length, value_length;
};

static bool line_read(const char **at, struct line *line)
{
	const char *const text = *at;
	const char *const end = text ? strchr(text, '\n') : NULL;
	if (!end)
		return false;
	const char *const first = memchr(text, ' ', (size_t)(end - text));
	const char *const second = first ? memchr(first + 1, ' ', (size_t)(end - first - 1)) : NULL;
	*at = end + 1;
	if (!second)
		return line_read(at, line);
	*line = (struct line){text, first + 1, second + 1, (size_t)(first - text),
		(size_t)(second - first - 1), (size_t)(end - second - 1)};
	return true;
}

static bool same(const char *a, size_t a_length, const char *b, size_t b_length)
{
	return a_length == b_length && memcmp(a, b, a_length) == 0;
}

/* "tokens-3/17", "layer[12].forward_s": "tokens layer[].forward_s". */
static void quantity_name(const struct line *line, char *name, size_t size)
{
	size_t length = 0;
	const char *const slash = memchr(line->id, '/', line->id_length);
	const char *kind_end = slash ? slash : line->id + line->id_length;
	while (kind_end > line->id && kind_end[-1] != '-')
		--kind_end;
	for (const char *at = line->id; at + 1 < kind_end && length + 2 < size; ++at)
		name[length++] = *at;
	name[length++] = ' ';
	bool inside = false;
	for (size_t i = 0; i < line->name_length && length + 1 < size; ++i) {
		inside = inside && line->name[i] != ']';
		if (!inside)
			name[length++] = line->name[i];
		inside = inside || line->name[i] == '[';
	}
	name[length] = '\0';
}

static void differ(
	struct comparison *comparison, const struct line *line, const struct line *other, double share)
{
	char name[sizeof comparison->quantities->name];
	size_t i = 0;
	quantity_name(line, name, sizeof name);
	++comparison->beyond;
	while (i < comparison->count && strcmp(comparison->quantities[i].name, name) != 0)
		++i;
	if (i == KINDS_MOST)
		return;
	struct quantity *const quantity = &comparison->quantities[i];
	if (i == comparison->count) {
		++comparison->count;
		*quantity = (struct quantity){.worst = -1};
		memcpy(quantity->name, name, sizeof name);
	}
	++quantity->count;
	if (!(share > quantity->worst))
		return;
	quantity->worst = share;
	snprintf(quantity->example, sizeof quantity->example, "%.*s: %.*s was %.*s", (int)line->id_length,
		line->id, other ? (int)other->value_length : 9, other ? other->value : "(missing)",
		(int)line->value_length, line->value);
}

/* Returns how far two values are apart, as a share of the larger; infinite: they are texts. */
static double apart(const struct line *a, const struct line *b)
{
	char *a_end, *b_end;
	const double x = strtod(a->value, &a_end), y = strtod(b->value, &b_end);
	if (a_end != a->value + a->value_length || b_end != b->value + b->value_length)
		return HUGE_VAL;
	const double most = fmax(fabs(x), fabs(y));
	return most > 0 ? fabs(x - y) / most : 0;
}

static void lines_compare(struct comparison *comparison, const struct line *old, const struct line *new)
{
	if (same(old->value, old->value_length, new->value, new->value_length)) {
		++comparison->same;
		return;
	}
	const double share = apart(old, new);
	if (share > comparison->within)
		differ(comparison, old, new, share);
	else
		++comparison->moved;
}

/* Returns the first line of the same name and question from `at` on; leaves *at behind it. */
static bool line_find(const char **at, const struct line *wanted, struct line *found)
{
	const char *next = *at;
	while (line_read(&next, found) && same(found->id, found->id_length, wanted->id, wanted->id_length))
		if (same(found->name, found->name_length, wanted->name, wanted->name_length)) {
			*at = next;
			return true;
		}
	return false;
}

/* Goes on to the question of an old line. */
static const char *question_find(const char *at, const struct line *wanted)
{
	struct line line;
	for (const char *next = at; line_read(&next, &line); at = next)
		if (same(line.id, line.id_length, wanted->id, wanted->id_length))
			return at;
	return NULL;
}

static size_t lines_count(const char *text, const char *end)
{
	size_t count = 0;
	while (text < end && (text = memchr(text, '\n', (size_t)(end - text)))) {
		++text;
		++count;
	}
	return count;
}

/* `old` and `new`: all lines of a block. Those that only the new answers have are counted, not looked at. */
static void block_compare(
	struct comparison *comparison, const char *old, const char *old_end, const char *new)
{
	struct line line, found, question = {.id_length = 0};
	const char *at = new;
	const size_t before = lines_count(old, old_end), after = lines_count(new, new + strlen(new));
	if (after > before)
		printf("%.*s has %zu more lines than there were\n", (int)strcspn(new, "/"), new,
			after - before);
	comparison->beyond += after > before;
	while (old < old_end && line_read(&old, &line)) {
		if (!same(line.id, line.id_length, question.id, question.id_length)) {
			const char *const begin = question_find(at ? at : new, &line);
			question = line;
			at = begin;
		}
		if (at && line_find(&at, &line, &found))
			lines_compare(comparison, &line, &found);
		else
			differ(comparison, &line, NULL, HUGE_VAL);
	}
}

static char *file_read(const char *path)
{
	struct text text = {0};
	char buffer[LINE_MOST];
	size_t length;
	FILE *const file = fopen(path, "r");
	if (!file)
		return NULL;
	text_append(&text, "", 0);
	while ((length = fread(buffer, 1, sizeof buffer, file)) > 0)
		text_append(&text, buffer, length);
	fclose(file);
	return text.bytes;
}

/* Returns the end of the lines that belong to the block in which `text` begins, and its name. */
static const char *block_end(const char *text, char *name, size_t size)
{
	const size_t length = strcspn(text, "/\n");
	snprintf(name, size, "%.*s", (int)length, text);
	while (*text && strncmp(text, name, length) == 0 && text[length] == '/') {
		const char *const end = strchr(text, '\n');
		if (!end)
			return text;
		text = end + 1;
	}
	return text;
}

static void report(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; ++i) {
		const struct quantity *const quantity = &comparison->quantities[i];
		printf("%s: %lu, worst %.3g, %s\n", quantity->name, quantity->count, quantity->worst,
			quantity->example);
	}
	printf("%lu quantities have the same digits, %lu differ by at most %g, %ld by more\n",
		comparison->same, comparison->moved, comparison->within, comparison->beyond);
}

/* Runs each block that the print has. */
long compare_file(struct blocks *blocks, const char *path, double within)
{
	struct comparison comparison = {.within = within};
	char name[64];
	char *const old = file_read(path);
	comparison.quantities = calloc(KINDS_MOST, sizeof *comparison.quantities);
	if (!old || !comparison.quantities)
		return -1;
	for (const char *at = old, *end; (end = block_end(at, name, sizeof name)) > at; at = end)
		if (!blocks_want(blocks, name))
			give_up("%s: there is no block %s", path, name);
	blocks->keeps = true;
	blocks_run(blocks);
	for (const char *at = old, *end; (end = block_end(at, name, sizeof name)) > at; at = end)
		for (unsigned i = 0; i < blocks->count; ++i)
			if (strcmp(blocks->items[i].name, name) == 0)
				block_compare(&comparison, at, end, blocks->items[i].text.bytes);
	report(&comparison);
	free(comparison.quantities);
	free(old);
	return comparison.beyond;
}
