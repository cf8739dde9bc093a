/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/hull.h"

#include <stdbool.h>
#include <string.h>

/* Bytes from which the steeper line is the larger. */
static double crossing(const struct line *flat, const struct line *steep)
{
	return (flat->a_s - steep->a_s) / (steep->b_s_per_byte - flat->b_s_per_byte);
}

static void line_remove(struct line *lines, unsigned *count, unsigned index)
{
	--*count;
	memmove(lines + index, lines + index + 1, (*count - index) * sizeof *lines);
}

/* How much the maximum falls, at the most, when an inner line is left out: where its neighbours cross. */
static double missed_s(const struct line *line)
{
	const double bytes = crossing(line - 1, line + 1);
	return line->a_s + line->b_s_per_byte * bytes - (line[-1].a_s + line[-1].b_s_per_byte * bytes);
}

static void thin(struct line *lines, unsigned *count, unsigned most)
{
	while (*count > most) {
		unsigned least = 1;
		for (unsigned i = 2; i + 1 < *count; ++i)
			if (missed_s(&lines[i]) < missed_s(&lines[least]))
				least = i;
		line_remove(lines, count, least);
	}
}

/* Into a list with room for one more than `most`. */
static void include(struct line *lines, unsigned *count, unsigned most, struct line line)
{
	unsigned at = 0;
	while (at < *count && lines[at].b_s_per_byte < line.b_s_per_byte)
		++at;
	if (at < *count && lines[at].a_s >= line.a_s)
		return; /* below a line that is as steep or steeper */
	if (at < *count && !(lines[at].b_s_per_byte > line.b_s_per_byte))
		line_remove(lines, count, at);
	while (at > 0 && lines[at - 1].a_s <= line.a_s)
		line_remove(lines, count, --at);
	if (at > 0 && at < *count && crossing(&lines[at - 1], &line) >= crossing(&line, &lines[at]))
		return;
	memmove(lines + at + 1, lines + at, (*count - at) * sizeof *lines);
	lines[at] = line;
	++*count;
	while (at >= 2 && crossing(&lines[at - 2], &lines[at - 1]) >= crossing(&lines[at - 1], &lines[at]))
		line_remove(lines, count, --at);
	while (at + 2 < *count &&
		crossing(&lines[at], &lines[at + 1]) >= crossing(&lines[at + 1], &lines[at + 2]))
		line_remove(lines, count, at + 1);
	thin(lines, count, most);
}

void hull_insert(struct hull *hull, const struct line *line)
{
	struct line lines[HULL_MAX + 1];
	memcpy(lines, hull->lines, hull->count * sizeof *lines);
	include(lines, &hull->count, HULL_MAX, *line);
	memcpy(hull->lines, lines, hull->count * sizeof *lines);
}

/* Sums of lines ascend like the lines; unless the sum is too large for a difference to show. */
static void append(struct line *lines, unsigned *count, struct line line)
{
	if (*count && !(line.b_s_per_byte > lines[*count - 1].b_s_per_byte))
		return;
	if (*count && !(line.a_s < lines[*count - 1].a_s))
		--*count;
	lines[(*count)++] = line;
}

/* Both hulls' lines in ascending bytes: the sum has a line for each pair that holds at the same bytes. */
void hull_add(struct hull *sum, const struct hull *term, double times)
{
	struct line lines[2 * HULL_MAX];
	unsigned count = 0, i = 0, j = 0;
	if (!term->count || !(times > 0))
		return;
	if (!sum->count) {
		sum->count = 1;
		sum->lines[0] = (struct line){0, 0};
	}
	for (;;) {
		const struct line *a = &sum->lines[i], *b = &term->lines[j];
		append(lines, &count,
			(struct line){a->a_s + times * b->a_s, a->b_s_per_byte + times * b->b_s_per_byte});
		const bool more_i = i + 1 < sum->count, more_j = j + 1 < term->count;
		if (!more_i && !more_j)
			break;
		const double next_i = more_i ? crossing(a, a + 1) : 0,
			     next_j = more_j ? crossing(b, b + 1) : 0;
		if (!more_j || (more_i && next_i <= next_j))
			++i;
		else
			++j;
	}
	thin(lines, &count, HULL_MAX);
	sum->count = count;
	memcpy(sum->lines, lines, count * sizeof *lines);
}

void hull_scale(struct hull *hull, double scale)
{
	for (unsigned i = 0; i < hull->count; ++i)
		hull->lines[i].b_s_per_byte *= scale;
}

void hull_max(struct hull *hull, const struct hull *other)
{
	for (unsigned i = 0; i < other->count; ++i)
		hull_include(hull, other->lines[i]);
}

double hull_s(const struct hull *hull, double bytes)
{
	double s = 0;
	for (unsigned i = 0; i < hull->count; ++i) {
		const double here = hull->lines[i].a_s + hull->lines[i].b_s_per_byte * bytes;
		s = here > s ? here : s;
	}
	return s;
}
