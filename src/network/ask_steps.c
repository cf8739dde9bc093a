/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of an algorithm, for people: equal messages as one line. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "network/ask.h"

enum { STEPS_MAX = 512, SHOWN = 4, MESSAGES_BYTES = 96 };

/* What the messages of a step have in common so far; UINT_MAX: nothing. */
struct common {
	unsigned shift;       /* to = from + shift mod P */
	unsigned local_shift; /* the same inside nodes of g ranks */
	unsigned distance;    /* to = from ^ distance */
};

struct recorder {
	struct schedule schedule; /* first: the listener's functions get its address */
	struct paradl_arena *arena;
	unsigned size, per_node;
	double bytes;
	const char *phase;
	unsigned depth;
	struct paradl_step *steps;
	size_t count;
	double total;
	bool is_open, complete, out_of_memory, all_pairs;
	struct common common;
	unsigned from[SHOWN], to[SHOWN];
};

static struct paradl_step *step_of(struct schedule *schedule)
{
	struct recorder *recorder = (struct recorder *)schedule;
	return recorder->is_open ? &recorder->steps[recorder->count - 1] : NULL;
}

/* Only what everybody does has a name: P messages, or P less those that have no partner. */
static const char *messages_text(const struct recorder *recorder, const struct paradl_step *step)
{
	const struct common *common = &recorder->common;
	char text[MESSAGES_BYTES] = "";
	size_t used = 0;
	const bool all = step->count >= recorder->size;
	if (recorder->all_pairs)
		return "every rank to every other";
	if (all && common->shift != UINT_MAX)
		return arena_printf(recorder->arena, "r -> r + %u mod %u", common->shift, recorder->size);
	if (all && common->local_shift != UINT_MAX)
		return arena_printf(recorder->arena, "r -> r + %u mod %u in each node", common->local_shift,
			recorder->per_node);
	if (all && common->distance != UINT_MAX)
		return arena_printf(recorder->arena, "r -> r xor %u", common->distance);
	for (unsigned i = 0; i < SHOWN && i < step->count; ++i)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%u -> %u", i ? ", " : "",
			recorder->from[i], recorder->to[i]);
	return arena_printf(recorder->arena, "%s%s", text, step->count > SHOWN ? ", ..." : "");
}

static void step_end(struct recorder *recorder)
{
	struct paradl_step *step = step_of(&recorder->schedule);
	if (!step)
		return;
	step->messages = messages_text(recorder, step);
	recorder->out_of_memory |= !step->messages;
	recorder->is_open = false;
}

static void on_phase(struct schedule *schedule, const char *name)
{
	((struct recorder *)schedule)->phase = name;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct recorder *recorder = (struct recorder *)schedule;
	(void)ring;
	step_end(recorder);
	if (!(repeat > 0))
		return;
	if (recorder->count < STEPS_MAX) {
		recorder->steps[recorder->count++] = (struct paradl_step){.phase = recorder->phase,
			.messages = "",
			.first = recorder->total + 1,
			.repeat = repeat,
			.depth = recorder->depth};
		recorder->is_open = true;
	} else {
		recorder->complete = false;
	}
	recorder->total += repeat;
	recorder->all_pairs = false;
}

static void common_add(struct recorder *recorder, unsigned from, unsigned to, bool first)
{
	struct common *common = &recorder->common;
	const unsigned p = recorder->size, g = recorder->per_node;
	const unsigned shift = (to + p - from) % p, local_shift = (to % g + g - from % g) % g;
	const bool inside = g > 1 && to / g == from / g;
	if (first)
		*common = (struct common){shift, inside ? local_shift : UINT_MAX, from ^ to};
	common->shift = common->shift == shift ? shift : UINT_MAX;
	common->local_shift = inside && common->local_shift == local_shift ? local_shift : UINT_MAX;
	common->distance = common->distance == (from ^ to) ? common->distance : UINT_MAX;
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct recorder *recorder = (struct recorder *)schedule;
	struct paradl_step *step = step_of(schedule);
	if (!step || from == to || !(share > 0))
		return;
	const double bytes = share * recorder->bytes;
	const bool first = !(step->count > 0);
	if (step->count < SHOWN) {
		recorder->from[(unsigned)step->count] = from;
		recorder->to[(unsigned)step->count] = to;
	}
	common_add(recorder, from, to, first);
	step->least_bytes = first ? bytes : fmin(step->least_bytes, bytes);
	step->most_bytes = fmax(step->most_bytes, bytes);
	step->count += 1;
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	struct recorder *recorder = (struct recorder *)schedule;
	struct paradl_step *step = step_of(schedule);
	if (!step)
		return;
	step->count = (double)recorder->size * (recorder->size - 1);
	step->least_bytes = step->most_bytes = share * recorder->bytes;
	recorder->all_pairs = true;
}

static void on_reduce(struct schedule *schedule, double share)
{
	if (step_of(schedule))
		step_of(schedule)->combined_bytes = share * ((struct recorder *)schedule)->bytes;
}

static void on_memory(struct schedule *schedule, double share)
{
	if (step_of(schedule))
		step_of(schedule)->memory_bytes = share * ((struct recorder *)schedule)->bytes;
}

static void on_wait(struct schedule *schedule, double seconds)
{
	if (step_of(schedule))
		step_of(schedule)->wait_s = seconds;
}

static void on_fork(struct schedule *schedule)
{
	step_end((struct recorder *)schedule);
	++((struct recorder *)schedule)->depth;
}

static void on_branch(struct schedule *schedule)
{
	step_end((struct recorder *)schedule);
}

static void on_join(struct schedule *schedule)
{
	step_end((struct recorder *)schedule);
	--((struct recorder *)schedule)->depth;
}

static const struct schedule_listener listener = {
	.phase = on_phase,
	.step = on_step,
	.flow = on_flow,
	.all_pairs = on_all_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_fork,
	.branch = on_branch,
	.join = on_join,
};

static bool tell(const struct party *party, const struct candidate *candidate, double bytes,
	struct paradl_arena *arena, struct paradl_schedule *schedule)
{
	char variant[MESSAGES_BYTES] = "";
	const struct collective *collective = collectives[candidate->algorithm];
	struct recorder *recorder = arena_alloc(arena, 1, sizeof *recorder);
	if (!recorder)
		return false;
	*recorder = (struct recorder){.schedule = {&listener},
		.arena = arena,
		.size = party->size,
		.per_node = party->per_node,
		.bytes = bytes,
		.phase = "",
		.complete = true,
		.steps = arena_alloc(arena, STEPS_MAX, sizeof *recorder->steps)};
	if (!recorder->steps)
		return false;
	collective->tell(party, candidate->variant, &recorder->schedule);
	step_end(recorder);
	if (collective->describe)
		collective->describe(party, candidate->variant, variant, sizeof variant);
	*schedule = (struct paradl_schedule){collective->name, arena_text(arena, variant), recorder->steps,
		recorder->count, recorder->total, recorder->complete};
	return schedule->variant && !recorder->out_of_memory;
}

bool paradl_collective_schedule(struct paradl_network *network,
	const struct paradl_collective_request *request, double bytes, struct paradl_arena *arena,
	struct paradl_schedule *schedule, struct paradl_error *error)
{
	struct group group;
	struct choice *choice = arena_alloc(arena, 1, sizeof *choice);
	bool *wanted = NULL;
	const enum operation operation = (enum operation)request->operation;
	if (!choice)
		return out_of_memory(error);
	if (!ask_group(network, request, arena, &group, error) ||
		!ask_algorithms(request->algorithms, operation, arena, &wanted, error))
		return false;
	const struct party party = ask_party(network, &group, request);
	if (!choice_create(arena, &party, operation, wanted, choice))
		return out_of_memory(error);
	if (!choice->count)
		return ask_impossible(network, request, group.size, error);
	choice_compile(choice, network->compiler, &group, &party, bytes);
	const struct candidate *best = &choice->candidates[choice_best(choice, bytes, UINT_MAX)];
	return tell(&party, best, bytes, arena, schedule) || out_of_memory(error);
}
