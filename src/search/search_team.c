/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes of a team tell one another what they found in the tasks of a round. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "search/search_state.h"

/* Message in which one process reports on a task to the others; its findings follow. */
struct message {
	size_t index; /* index of the task in the round */
	double evaluated, cut[PARADL_CUT_COUNT], least_cut;
	bool breaks, waits;
	struct bounds bounds;
	double value_bound;
	size_t findings; /* number of findings: the best, if there is one, and those of the front */
	struct found_plan nearest;
};

static size_t findings_of(const struct report *report)
{
	return (report->best.value < HUGE_VAL) + report->front_count;
}

static unsigned char *turns_pack(
	struct search_state *state, const struct turn *turns, size_t count, size_t *bytes)
{
	size_t room = 1;
	for (size_t i = 0; i < count; ++i)
		if (turns[i].done)
			room += sizeof(struct message) +
				findings_of(&turns[i].report) * sizeof(struct found_plan);
	unsigned char *packed = arena_alloc(state->arena, room, 1);
	*bytes = 0;
	for (size_t i = 0; packed && i < count; ++i) {
		const struct report *report = &turns[i].report;
		struct message message;
		if (!turns[i].done)
			continue;
		memset(&message, 0, sizeof message);
		message.index = i;
		message.evaluated = report->evaluated;
		message.least_cut = report->least_cut;
		message.findings = findings_of(report);
		message.nearest = report->nearest;
		message.breaks = report->breaks;
		message.waits = report->waits;
		message.bounds = report->bounds;
		message.value_bound = report->value_bound;
		memcpy(message.cut, report->cut, sizeof message.cut);
		memcpy(packed + *bytes, &message, sizeof message);
		*bytes += sizeof message;
		if (report->best.value < HUGE_VAL) {
			memcpy(packed + *bytes, &report->best, sizeof report->best);
			*bytes += sizeof report->best;
		}
		if (report->front_count)
			memcpy(packed + *bytes, report->front, report->front_count * sizeof *report->front);
		*bytes += report->front_count * sizeof *report->front;
	}
	return packed;
}

/*
 * Reads a report; false when out of memory. Its best is the first of its findings, if it has one; only a front has
 * more.
 */
static bool turn_unpack(struct search_state *state, const struct message *message,
	const unsigned char *findings, struct turn *turn)
{
	const size_t front = state->problem.request->pareto && message->findings ? message->findings : 0;
	struct found_plan *list = arena_alloc(state->arena, message->findings + 1, sizeof *list);
	if (!list)
		return false;
	memcpy(list, findings, message->findings * sizeof *list);
	turn->report = (struct report){.evaluated = message->evaluated,
		.least_cut = message->least_cut,
		.best.value = HUGE_VAL,
		.nearest = message->nearest,
		.breaks = message->breaks,
		.waits = message->waits,
		.bounds = message->bounds,
		.value_bound = message->value_bound};
	memcpy(turn->report.cut, message->cut, sizeof message->cut);
	for (size_t i = 0; i < message->findings; ++i)
		if (list[i].value < turn->report.best.value)
			turn->report.best = list[i];
	turn->report.front = list;
	turn->report.front_count = front;
	turn->done = true;
	return true;
}

bool turns_exchange(struct search_state *state, struct turn *turns, size_t count, struct paradl_error *error)
{
	const struct paradl_team *team = state->problem.request->team;
	const void *all = NULL;
	size_t bytes, all_bytes = 0;
	const unsigned char *mine = turns_pack(state, turns, count, &bytes);
	if (!mine)
		return out_of_memory(error);
	if (!team->exchange(team->context, mine, bytes, &all, &all_bytes))
		return error_set(
			error, PARADL_IO, "the other processes of the search cannot be reached any more");
	for (const unsigned char *at = all, *end = at + all_bytes; at && at < end;) {
		struct message message;
		if ((size_t)(end - at) < sizeof message)
			break;
		memcpy(&message, at, sizeof message);
		at += sizeof message;
		if (message.index >= count ||
			message.findings > (size_t)(end - at) / sizeof(struct found_plan))
			break;
		if (!turns[message.index].done && !turn_unpack(state, &message, at, &turns[message.index]))
			return out_of_memory(error);
		at += message.findings * sizeof(struct found_plan);
	}
	return true;
}
