/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times that are piecewise affine in the bytes: sums and maxima of lines (hulls), the least of several hulls
 * (envelopes) in few segments, and curves that need no routes, which are those of ParaDL's paper and of a
 * host-staged path.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "network/cost/hull.h"
#include "network/machine_network.h"

/* Returns the bytes from which on the steeper line is the larger. */
static double lines_cross(const struct line *flat, const struct line *steep)
{
	return (flat->a_s - steep->a_s) / (steep->b_s_per_byte - flat->b_s_per_byte);
}

static void line_remove(struct line *lines, unsigned *count, unsigned index)
{
	--*count;
	memmove(lines + index, lines + index + 1, (*count - index) * sizeof *lines);
}

/*
 * Returns how much the maximum falls, at the most, when an inner line is left out: that is where its neighbours
 * cross.
 */
static double missed_s(const struct line *line)
{
	const double bytes = lines_cross(line - 1, line + 1);
	return line_s(line, bytes) - line_s(line - 1, bytes);
}

static void lines_thin(struct line *lines, unsigned *count, unsigned most)
{
	while (*count > most) {
		unsigned least = 1;
		for (unsigned i = 2; i + 1 < *count; ++i)
			if (missed_s(&lines[i]) < missed_s(&lines[least]))
				least = i;
		line_remove(lines, count, least);
	}
}

/* Inserts a line into a list with room for one more than `most`. */
static void line_include(struct line *lines, unsigned *count, unsigned most, struct line line)
{
	unsigned place = 0;
	while (place < *count && lines[place].b_s_per_byte < line.b_s_per_byte)
		++place;
	if (place < *count && lines[place].a_s >= line.a_s)
		return; /* below a line that is as steep or steeper */
	if (place < *count && !(lines[place].b_s_per_byte > line.b_s_per_byte))
		line_remove(lines, count, place);
	while (place > 0 && lines[place - 1].a_s <= line.a_s)
		line_remove(lines, count, --place);
	if (place > 0 && place < *count &&
		lines_cross(&lines[place - 1], &line) >= lines_cross(&line, &lines[place]))
		return;
	memmove(lines + place + 1, lines + place, (*count - place) * sizeof *lines);
	lines[place] = line;
	++*count;
	while (place >= 2 && lines_cross(&lines[place - 2], &lines[place - 1]) >=
				     lines_cross(&lines[place - 1], &lines[place]))
		line_remove(lines, count, --place);
	while (place + 2 < *count && lines_cross(&lines[place], &lines[place + 1]) >=
					     lines_cross(&lines[place + 1], &lines[place + 2]))
		line_remove(lines, count, place + 1);
	lines_thin(lines, count, most);
}

void hull_insert(struct hull *hull, const struct line *line)
{
	struct line lines[HULL_MAX + 1];
	memcpy(lines, hull->lines, hull->count * sizeof *lines);
	line_include(lines, &hull->count, HULL_MAX, *line);
	memcpy(hull->lines, lines, hull->count * sizeof *lines);
}

/*
 * Appends a line of a sum. Sums of lines ascend as the lines do, unless the sum is too large for a difference to be
 * seen.
 */
static void line_append(struct line *lines, unsigned *count, struct line line)
{
	if (*count && !(line.b_s_per_byte > lines[*count - 1].b_s_per_byte))
		return;
	if (*count && !(line.a_s < lines[*count - 1].a_s))
		--*count;
	lines[(*count)++] = line;
}

/*
 * Adds `times` times a hull to a sum. It goes through both hulls' lines in ascending bytes: the sum has a line for
 * each pair that holds at the same bytes.
 */
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
		line_append(lines, &count,
			(struct line){a->a_s + times * b->a_s, a->b_s_per_byte + times * b->b_s_per_byte});
		const bool more_i = i + 1 < sum->count, more_j = j + 1 < term->count;
		if (!more_i && !more_j)
			break;
		const double next_i = more_i ? lines_cross(a, a + 1) : 0,
			     next_j = more_j ? lines_cross(b, b + 1) : 0;
		if (!more_j || (more_i && next_i <= next_j))
			++i;
		else
			++j;
	}
	lines_thin(lines, &count, HULL_MAX);
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
		const double here = line_s(&hull->lines[i], bytes);
		s = here > s ? here : s;
	}
	return s;
}

/* Room to merge a full envelope and a full hull when every piece is split by a crossing. */
enum { MERGED_MAX = 2 * (ENVELOPE_MAX + HULL_MAX) };

/* The range of sizes that anybody sends; outside this range no segment is worth having. */
static const double least_bytes = 1, most_bytes = 1e15;

/* The relative difference up to which two times differ by rounding only, and count as one time. */
static const double rounding = 1e-12;

struct merged {
	unsigned count;
	struct segment segments[MERGED_MAX];
};

static double at(const struct segment *segment, double bytes)
{
	return line_s(&segment->line, bytes);
}

static bool below(const struct segment *line, const struct segment *other, double bytes)
{
	if (bytes < DBL_MAX)
		return at(line, bytes) < at(other, bytes) * (1 - rounding);
	const struct line *const one = &line->line, *const two = &other->line;
	if (fabs(one->b_s_per_byte - two->b_s_per_byte) > rounding * two->b_s_per_byte)
		return one->b_s_per_byte < two->b_s_per_byte;
	return one->a_s < two->a_s * (1 - rounding);
}

static bool is_same(const struct segment *one, const struct segment *other)
{
	return one->algorithm == other->algorithm && fabs(one->line.a_s - other->line.a_s) <= 0 &&
	       fabs(one->line.b_s_per_byte - other->line.b_s_per_byte) <= 0;
}

static void append(struct merged *merged, const struct segment *line, double from, double upto)
{
	if (!(upto > from))
		return;
	if (!merged->count || !is_same(&merged->segments[merged->count - 1], line))
		merged->segments[merged->count++] = *line;
	merged->segments[merged->count - 1].upto_bytes = upto;
}

/* Appends the lesser of two lines between two sizes. */
static void append_lesser(struct merged *merged, const struct segment *old, const struct segment *fresh,
	double from, double upto)
{
	const bool first = below(fresh, old, from), last = below(fresh, old, upto);
	if (first == last) {
		append(merged, first ? fresh : old, from, upto);
		return;
	}
	double middle = lines_cross(&fresh->line, &old->line);
	middle = middle > from ? middle : from;
	middle = middle < upto ? middle : upto;
	append(merged, first ? fresh : old, from, middle);
	append(merged, first ? old : fresh, middle, upto);
}

/* ---- fewer segments -------------------------------------------------------------------------------------------- */

static double clamp(double bytes)
{
	return bytes < least_bytes ? least_bytes : bytes > most_bytes ? most_bytes : bytes;
}

static double off(const struct segment *line, const struct segment *right, double bytes)
{
	const double exact = at(right, bytes), gap = fabs(at(line, bytes) - exact);
	return gap > 0 ? gap / (exact > DBL_MIN ? exact : DBL_MIN) : 0;
}

/*
 * A way to leave out a segment: its neighbours meet inside it, one of them goes on, or the segment and the next
 * become a chord.
 */
struct cut {
	double missed; /* greatest error, relative to the time */
	double meet;   /* where the left neighbour then ends */
	bool chord;
};

static void cut_offer(struct cut *cut, double missed, double meet)
{
	if (missed < cut->missed)
		*cut = (struct cut){missed, meet, false};
}

/* Returns the line from the start of a segment to the end of the next; both ends stay where they are. */
static struct segment chord(const struct segment *here, double start)
{
	const double end = here[1].upto_bytes, first = at(here, start), last = at(&here[1], end);
	const bool wider = clamp(here->upto_bytes) / clamp(start) > clamp(end) / clamp(here->upto_bytes);
	struct segment line = {end, {0, (last - first) / (end - start)}, here[wider ? 0 : 1].algorithm};
	line.line.a_s = first - line.line.b_s_per_byte * start;
	return line;
}

static struct cut cut_of(const struct segment *segments, unsigned count, unsigned i)
{
	const struct segment *here = &segments[i];
	const double start = i ? here[-1].upto_bytes : 0, end = here->upto_bytes;
	const double from = clamp(start), upto = clamp(end);
	struct cut cut = {DBL_MAX, start, false};
	if (i)
		cut_offer(&cut, fmax(off(&here[-1], here, from), off(&here[-1], here, upto)), end);
	if (i + 1 < count)
		cut_offer(&cut, fmax(off(&here[1], here, from), off(&here[1], here, upto)), start);
	if (i && i + 1 < count && fabs(here[-1].line.b_s_per_byte - here[1].line.b_s_per_byte) > 0) {
		const double middle = lines_cross(&here[1].line, &here[-1].line);
		if (middle > start && middle < end)
			cut_offer(&cut, off(&here[1], here, clamp(middle)), middle);
	}
	if (i + 1 < count && here[1].upto_bytes < DBL_MAX) {
		const struct segment line = chord(here, start);
		const double bend = off(&line, here, clamp(end));
		if (bend < cut.missed)
			cut = (struct cut){bend, start, true};
	}
	return cut;
}

static void thin(struct segment *segments, unsigned *count, unsigned most)
{
	while (*count > most) {
		unsigned least = 0;
		struct cut best = cut_of(segments, *count, 0);
		for (unsigned i = 1; i < *count; ++i) {
			const struct cut cut = cut_of(segments, *count, i);
			if (cut.missed < best.missed) {
				least = i;
				best = cut;
			}
		}
		if (best.chord)
			segments[least + 1] =
				chord(&segments[least], least ? segments[least - 1].upto_bytes : 0);
		else if (least)
			segments[least - 1].upto_bytes = best.meet;
		--*count;
		memmove(segments + least, segments + least + 1, (*count - least) * sizeof *segments);
	}
}

/* ---- the envelope ---------------------------------------------------------------------------------------------- */

/* Stores a hull's lines as segments, each up to where the next one crosses it, and returns how many there are. */
static unsigned segments_of(const struct hull *hull, unsigned algorithm, struct segment segments[HULL_MAX])
{
	unsigned count = 0;
	double from = 0;
	for (unsigned i = 0; i < hull->count; ++i) {
		struct segment segment = {DBL_MAX, hull->lines[i], algorithm};
		if (i + 1 < hull->count)
			segment.upto_bytes = lines_cross(&hull->lines[i], &hull->lines[i + 1]);
		if (!(segment.upto_bytes > from))
			continue;
		segments[count++] = segment;
		from = segment.upto_bytes;
	}
	if (!count)
		segments[count++] = (struct segment){DBL_MAX, {0, 0}, algorithm};
	return count;
}

void envelope_begin(struct envelope *envelope)
{
	envelope->count = 0;
}

void envelope_add(struct envelope *envelope, const struct hull *hull, unsigned algorithm)
{
	struct segment added[HULL_MAX];
	struct merged merged; /* not zeroed: only what is appended is read */
	unsigned i = 0, j = 0;
	double from = 0;
	const unsigned count = segments_of(hull, algorithm, added);
	if (!envelope->count) {
		envelope->count = count;
		memcpy(envelope->segments, added, count * sizeof *added);
		return;
	}
	merged.count = 0;
	while (i < envelope->count && j < count) {
		const struct segment *old = &envelope->segments[i], *fresh = &added[j];
		const double upto = fmin(old->upto_bytes, fresh->upto_bytes);
		append_lesser(&merged, old, fresh, from, upto);
		from = upto;
		i += !(old->upto_bytes > upto);
		j += !(fresh->upto_bytes > upto);
	}
	thin(merged.segments, &merged.count, ENVELOPE_MAX);
	envelope->count = merged.count;
	memcpy(envelope->segments, merged.segments, merged.count * sizeof *merged.segments);
}

bool envelope_curve(const struct envelope *envelope, struct curve *curve)
{
	struct segment segments[ENVELOPE_MAX];
	unsigned count = envelope->count;
	memcpy(segments, envelope->segments, count * sizeof *segments);
	thin(segments, &count, CURVE_MAX);
	curve->count = count;
	memcpy(curve->segments, segments, count * sizeof *segments);
	return count > 0;
}

void nominal_ring(
	const struct paradl_machine *machine, const struct group *group, double trips, struct curve *curve)
{
	const struct level *level = &machine->levels[group->level];
	const double p = group->size;
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	curve->segments[0].line = (struct line){
		trips * (p - 1) * level->latency_s, trips * (p - 1) / p / level->bandwidth_bytes_per_s};
}

void nominal_message(const struct paradl_machine *machine, const struct group *group, struct curve *curve)
{
	const struct level *level = &machine->levels[group->level];
	*curve = (struct curve){.count = 1};
	if (group->size < 2)
		return;
	curve->segments[0].line = (struct line){level->latency_s, 1 / level->bandwidth_bytes_per_s};
}

void curve_of_segments(const struct message_segment *segments, unsigned count, struct curve *curve)
{
	curve->count = count;
	for (unsigned i = 0; i < count; ++i)
		curve->segments[i] = (struct segment){.upto_bytes = segments[i].upto_bytes,
			.line = {segments[i].latency_s, 1 / segments[i].bytes_per_s}};
}
