/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the looks of phases and of classes of memory, and draws bars of phases and lanes of a timeline with them. */
#include "report/palette.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* clang-format off */
const struct phase_look phase_looks[PARADL_PHASE_COUNT] = {
	[PARADL_FORWARD] =             {"forward",             "compute",       "█", 0x0072B2,  25, '#'},
	[PARADL_BACKWARD] =            {"backward",            "compute",       "█", 0x56B4E9,  74, '#'},
	[PARADL_RECOMPUTE] =           {"recompute",           "compute",       "█", 0x003F63,  23, '#'},
	[PARADL_WEIGHT_UPDATE] =       {"weight update",       "compute",       "█", 0x009E73,  36, '#'},
	[PARADL_GRADIENT_EXCHANGE] =   {"gradient exchange",   "communication", "▒", 0xE69F00, 178, '='},
	[PARADL_ACTIVATION_EXCHANGE] = {"activation exchange", "communication", "▒", 0xD55E00, 166, '='},
	[PARADL_HALO_EXCHANGE] =       {"halo exchange",       "communication", "▒", 0xCC79A7, 175, '='},
	[PARADL_STAGE_TRANSFER] =      {"stage transfer",      "communication", "▒", 0xF0E442, 227, '='},
	[PARADL_BUBBLE] =              {"bubble",              "bubble",        "░", 0xBDBDBD, 250, '.'},
	[PARADL_INPUT] =               {"input",               "input",         "▓", 0x882255,  89, '%'},
};

#define CLASS(field) offsetof(struct paradl_memory, field)
const struct memory_look memory_looks[MEMORY_CLASSES] = {
	{"weights",       CLASS(weights_bytes),       0x0072B2},
	{"gradients",     CLASS(gradients_bytes),     0x56B4E9},
	{"optimizer",     CLASS(optimizer_bytes),     0x009E73},
	{"activations",   CLASS(activations_bytes),   0xE69F00},
	{"logits",        CLASS(logits_bytes),        0xD55E00},
	{"cache",         CLASS(cache_bytes),         0x882255},
	{"workspace",     CLASS(workspace_bytes),     0xCC79A7},
	{"communication", CLASS(communication_bytes), 0xF0E442},
	{"context",       CLASS(context_bytes),       0x6b7280},
	{"fragmentation", CLASS(fragmentation_bytes), 0xBDBDBD},
};
/* clang-format on */

double memory_class_bytes(const struct paradl_memory *memory, size_t index)
{
	return *(const double *)(const void *)((const char *)memory + memory_looks[index].offset);
}

void phases_shown(const struct paradl_estimate *estimate, double shown_s[PARADL_PHASE_COUNT])
{
	const double hidden_s = fmax(0,
		estimate->communication_s - estimate->exposed_communication_s - estimate->gradient_hidden_s);
	double exchanges_s = 0, sum_s = 0;
	memcpy(shown_s, estimate->phase_s, PARADL_PHASE_COUNT * sizeof *shown_s);
	shown_s[PARADL_GRADIENT_EXCHANGE] =
		fmax(0, shown_s[PARADL_GRADIENT_EXCHANGE] - estimate->gradient_hidden_s);
	for (unsigned i = PARADL_GRADIENT_EXCHANGE; i <= PARADL_STAGE_TRANSFER; i++)
		exchanges_s += shown_s[i];
	for (unsigned i = PARADL_GRADIENT_EXCHANGE; i <= PARADL_STAGE_TRANSFER && exchanges_s > 0; i++)
		shown_s[i] *= fmax(0, 1 - hidden_s / exchanges_s);
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; i++)
		sum_s += shown_s[i];
	for (unsigned i = 0; i < PARADL_PHASE_COUNT && sum_s > 0; i++)
		shown_s[i] *= estimate->iteration_s / sum_s;
}

enum { EIGHTHS = 8, BAR_COLUMNS_MAX = 64, NOTHING = PARADL_PHASE_COUNT };

static const char *const partial[EIGHTHS + 1] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* The ends of the phases in parts of a column; rounding the running sum keeps the total right. */
struct ends {
	size_t at[PARADL_PHASE_COUNT];
	size_t last;
	bool cut;
};

static struct ends find_ends(
	const double phase_s[PARADL_PHASE_COUNT], double full_s, size_t columns, size_t parts)
{
	struct ends ends = {0};
	const double scale = full_s > 0 ? (double)(columns * parts) / full_s : 0;
	double sum = 0;
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		sum += phase_s[i];
		const double end = floor(sum * scale + 0.5);
		ends.cut = end > (double)(columns * parts);
		ends.at[i] = ends.cut ? columns * parts : (size_t)end;
	}
	ends.last = ends.at[PARADL_PHASE_COUNT - 1];
	if (ends.last == 0 && sum > 0) /* a time above 0 never disappears */
		for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
			ends.at[i] = ends.last = 1;
	return ends;
}

static size_t phase_at(const struct ends *ends, size_t part)
{
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		if (part < ends->at[i])
			return i;
	return NOTHING;
}

static const char *join(struct report_sink *sink, const char *a, const char *b)
{
	const char *const both = arena_printf(sink->arena, "%s%s", a, b);
	sink->out_of_memory |= !both;
	return both ? both : "";
}

/* Returns one column of the bar, with at most two phases: the one it begins with and the one it ends with. */
static const char *coloured_column(struct report_sink *sink, const struct ends *ends, size_t column)
{
	const size_t first = phase_at(ends, column * EIGHTHS);
	const size_t last = phase_at(ends, column * EIGHTHS + EIGHTHS - 1);
	size_t eighths = EIGHTHS;
	if (first == NOTHING)
		return "";
	if (first != last)
		eighths = ends->at[first] - column * EIGHTHS;
	return typeset_phase(sink, &phase_looks[first],
		last == NOTHING || first == last ? NULL : &phase_looks[last], partial[eighths]);
}

static const char *shaded_column(struct report_sink *sink, const struct ends *ends, size_t column)
{
	const size_t phase = phase_at(ends, column);
	if (phase == NOTHING)
		return "";
	if (!sink->style.ascii)
		return phase_looks[phase].shade;
	return typeset(sink, "%c", phase_looks[phase].ascii);
}

const char *bar_phases(
	struct report_sink *sink, const double phase_s[PARADL_PHASE_COUNT], double full_s, size_t columns)
{
	const bool in_colour = sink->style.colors != COLORS_NONE && !sink->style.ascii;
	const size_t parts = in_colour ? EIGHTHS : 1;
	const struct ends ends = find_ends(phase_s, full_s, columns, parts);
	const char *bar = "";
	for (size_t column = 0; column < columns; column++) {
		if (ends.cut && column + 1 == columns)
			return join(sink, bar, sink->style.ascii ? ">" : "▸");
		bar = join(sink, bar,
			in_colour ? coloured_column(sink, &ends, column)
				  : shaded_column(sink, &ends, column));
	}
	return bar;
}

static bool kind_seen(const bool used[PARADL_PHASE_COUNT], size_t phase)
{
	for (size_t i = 0; i < phase; i++)
		if (used[i] && strcmp(phase_looks[i].kind, phase_looks[phase].kind) == 0)
			return true;
	return false;
}

const char *bar_legend(struct report_sink *sink, const bool used[PARADL_PHASE_COUNT])
{
	const bool in_colour = sink->style.colors != COLORS_NONE && !sink->style.ascii;
	const char *legend = "";
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		const struct phase_look *const look = &phase_looks[i];
		const char mark[2] = {look->ascii, '\0'};
		if (!used[i] || (!in_colour && kind_seen(used, i)))
			continue;
		legend = join(sink, legend, *legend ? "  " : "");
		legend = join(sink, legend,
			in_colour           ? typeset_phase(sink, look, NULL, "█")
			: sink->style.ascii ? mark
					    : look->shade);
		legend = join(sink, legend, " ");
		legend = join(sink, legend, in_colour ? look->label : look->kind);
	}
	return legend;
}

const struct lane_look lane_looks[LANE_LOOKS] = {
	[PARADL_WORK_INPUT] = {"input", PARADL_INPUT, "%", '%'},
	[PARADL_WORK_FORWARD] = {"forward", PARADL_FORWARD, "█", 'F'},
	[PARADL_WORK_BACKWARD] = {"backward", PARADL_BACKWARD, "▓", 'B'},
	[PARADL_WORK_WEIGHTS] = {"weight gradient", PARADL_RECOMPUTE, "▒", 'W'},
	[PARADL_WORK_EXCHANGE] = {"exchange", PARADL_GRADIENT_EXCHANGE, "=", '='},
	[PARADL_WORK_UPDATE] = {"weight update", PARADL_WEIGHT_UPDATE, "+", '+'},
	[LANE_IDLE] = {"idle", PARADL_BUBBLE, "·", '.'},
};

size_t lane_shares(const struct paradl_timeline *timeline, size_t first, unsigned device, double begin_s,
	double end_s, double shares[LANE_LOOKS])
{
	double idle = 1;
	size_t i = first;
	for (unsigned look = 0; look < LANE_LOOKS; look++)
		shares[look] = 0;
	while (i < timeline->count && timeline->events[i].device < device)
		i++;
	for (; i < timeline->count && timeline->events[i].device == device; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		const double inside_s = fmax(fmin(event->end_s, end_s) - fmax(event->start_s, begin_s), 0);
		shares[event->work] += inside_s / (end_s - begin_s);
		idle -= inside_s / (end_s - begin_s);
		if (event->end_s > end_s)
			break;
	}
	shares[LANE_IDLE] = fmax(idle, 0);
	return i;
}

/* Keeps the share of a look that was not shown as a debt, which a later column shows; old debts fade. */
size_t lane_columns(const struct paradl_timeline *timeline, size_t first, unsigned device,
	unsigned char *looks, size_t columns)
{
	static const double fading = 0.5;
	const double column_s = timeline->end_s / (double)columns;
	double debts[LANE_LOOKS] = {0}, shares[LANE_LOOKS];
	size_t next = first;
	for (size_t column = 0; column < columns; column++) {
		const double begin_s = (double)column * column_s;
		next = lane_shares(timeline, next, device, begin_s, begin_s + column_s, shares);
		looks[column] = LANE_IDLE;
		for (unsigned look = 0; look < LANE_LOOKS; look++) {
			debts[look] = shares[look] > 0 ? debts[look] + shares[look] : debts[look] * fading;
			if (shares[look] > 0 && debts[look] > debts[looks[column]])
				looks[column] = (unsigned char)look;
		}
		debts[looks[column]] -= 1;
	}
	return next;
}

struct lane_idle lane_idle(const struct paradl_timeline *timeline)
{
	double busy_s = 0, busiest_s = 0, all_s = 0;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		const bool is_next = i > 0 && event->device != event[-1].device;
		busy_s = (is_next ? 0 : busy_s) + event->end_s - event->start_s;
		busiest_s = fmax(busiest_s, busy_s);
		all_s += event->end_s - event->start_s;
	}
	return (struct lane_idle){fmax(1 - all_s / timeline->devices / timeline->step_s, 0),
		fmax(1 - busiest_s / timeline->step_s, 0)};
}
