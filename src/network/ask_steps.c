/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of an algorithm, for people to read: equal messages are shown as one line. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "network/ask.h"
#include "network/record/record.h"

enum { STEPS_MAX = 512, SHOWN = 4, MESSAGES_BYTES = 96 };

/* The pattern that the messages of a step so far have in common; UINT_MAX: none. */
struct common {
	unsigned shift;       /* to = from + shift mod P */
	unsigned local_shift; /* the same inside nodes of g ranks */
	unsigned distance;    /* to = from ^ distance */
};

struct printer {
	struct recorder recorder; /* first: its functions get its address */
	struct paradl_arena *arena;
	unsigned size, per_node;
	double bytes;
	struct paradl_step step, *steps;
	size_t count;
	double total;
	bool complete, out_of_memory, all_pairs;
	struct common common;
	unsigned from[SHOWN], to[SHOWN];
};

/*
 * Returns the messages of a step as text. Patterns are named only if there are as many messages as ranks; else some
 * messages are listed.
 */
static const char *messages_text(const struct printer *printer, const struct paradl_step *step)
{
	const struct common *common = &printer->common;
	char text[MESSAGES_BYTES] = "";
	size_t used = 0;
	const bool all = step->count >= printer->size;
	if (printer->all_pairs)
		return "every rank to every other";
	if (all && common->shift != UINT_MAX)
		return arena_printf(printer->arena, "r -> r + %u mod %u", common->shift, printer->size);
	if (all && common->local_shift != UINT_MAX)
		return arena_printf(printer->arena, "r -> r + %u mod %u in each node", common->local_shift,
			printer->per_node);
	if (all && common->distance != UINT_MAX)
		return arena_printf(printer->arena, "r -> r xor %u", common->distance);
	for (unsigned i = 0; i < SHOWN && i < step->count; ++i)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%u -> %u", i ? ", " : "",
			printer->from[i], printer->to[i]);
	return arena_printf(printer->arena, "%s%s", text, step->count > SHOWN ? ", ..." : "");
}

static void end(struct recorder *recorder)
{
	struct printer *printer = (struct printer *)recorder;
	struct paradl_step *step = &printer->step;
	const struct recorded_step *recorded = &recorder->step;
	step->phase = recorded->phase;
	step->first = printer->total + 1;
	step->repeat = recorded->repeat;
	step->depth = recorded->depth;
	step->combined_bytes = recorded->reduce_share * printer->bytes;
	step->memory_bytes = recorded->memory_share * printer->bytes;
	step->wait_s = recorded->wait_s;
	printer->complete &= printer->count < STEPS_MAX;
	if (printer->complete) {
		step->messages = messages_text(printer, step);
		printer->out_of_memory |= !step->messages;
		printer->steps[printer->count++] = *step;
	}
	printer->total += recorded->repeat;
	printer->all_pairs = false;
	*step = (struct paradl_step){.phase = ""};
}

static void common_add(struct printer *printer, unsigned from, unsigned to, bool first)
{
	struct common *common = &printer->common;
	const unsigned p = printer->size, g = printer->per_node;
	const unsigned shift = (to + p - from) % p, local_shift = (to % g + g - from % g) % g;
	const bool inside = g > 1 && to / g == from / g;
	if (first)
		*common = (struct common){shift, inside ? local_shift : UINT_MAX, from ^ to};
	common->shift = common->shift == shift ? shift : UINT_MAX;
	common->local_shift = inside && common->local_shift == local_shift ? local_shift : UINT_MAX;
	common->distance = common->distance == (from ^ to) ? common->distance : UINT_MAX;
}

static void message(struct recorder *recorder, unsigned from, unsigned to, double share)
{
	struct printer *printer = (struct printer *)recorder;
	struct paradl_step *step = &printer->step;
	const double bytes = share * printer->bytes;
	const bool first = !(step->count > 0);
	if (step->count < SHOWN) {
		printer->from[(unsigned)step->count] = from;
		printer->to[(unsigned)step->count] = to;
	}
	common_add(printer, from, to, first);
	step->least_bytes = first ? bytes : fmin(step->least_bytes, bytes);
	step->most_bytes = fmax(step->most_bytes, bytes);
	step->count += 1;
}

static void all_pairs(struct recorder *recorder, double share)
{
	struct printer *printer = (struct printer *)recorder;
	printer->step.count = (double)printer->size * (printer->size - 1);
	printer->step.least_bytes = printer->step.most_bytes = share * printer->bytes;
	printer->all_pairs = true;
}

static bool emit(const struct communicator *comm, const struct candidate *candidate, double bytes,
	struct paradl_arena *arena, struct paradl_schedule *schedule)
{
	char variant[MESSAGES_BYTES] = "";
	const struct collective *collective = collectives[candidate->algorithm];
	struct printer *printer = arena_alloc(arena, 1, sizeof *printer);
	if (!printer)
		return false;
	*printer = (struct printer){.recorder = {.schedule = {.listener = &recorder_listener},
					    .phase = "",
					    .message = message,
					    .all_pairs = all_pairs,
					    .end = end},
		.arena = arena,
		.size = comm->size,
		.per_node = comm->per_node,
		.bytes = bytes,
		.complete = true,
		.steps = arena_alloc(arena, STEPS_MAX, sizeof *printer->steps)};
	if (!printer->steps)
		return false;
	collective->emit(comm, candidate->variant, &printer->recorder.schedule);
	recorder_end(&printer->recorder);
	if (collective->describe)
		collective->describe(comm, candidate->variant, variant, sizeof variant);
	*schedule = (struct paradl_schedule){collective->name, arena_text(arena, variant), printer->steps,
		printer->count, printer->total, printer->complete};
	return schedule->variant && !printer->out_of_memory;
}

bool paradl_collective_schedule(struct paradl_network *network,
	const struct paradl_collective_request *request, double bytes, struct paradl_arena *arena,
	struct paradl_schedule *schedule, struct paradl_error *error)
{
	struct paradl_collective_request *one = arena_alloc(arena, 1, sizeof *one);
	if (!one)
		return out_of_memory(error);
	*one = *request;
	one->brief = true;
	one->bytes = &bytes;
	one->count = 1;
	struct asking *asking = asking_create(network, one, arena, error);
	if (!asking || !asking_size(asking, 0, error))
		return false;
	const struct candidate *best = asking->timings[asking->rows[0].choice].best;
	return emit(&asking->comm, best, bytes, arena, schedule) || out_of_memory(error);
}
