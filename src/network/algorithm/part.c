/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations that an allreduce contains, done by its own steps, so that none takes longer than the allreduce:
 *     reduce-scatter, allgather   the steps of one half or the other (schedule_turn)
 *     broadcast                   ranks that rank 0 has not reached have nothing to add and send nothing
 *     reduce                      all steps: the other ranks get the sum, too
 *     reduce-scatter, allgather   all steps: ranks keep only their part of the sum, or have zeros for others' parts.
 *                                 This is faster where short messages start later than longer ones
 * Nothing is combined in an allgather or a broadcast. A step that waits (schedule_wait) before its first message is
 * done by the switches: it serves all ranks at once, and belongs to both halves.
 */
#include <string.h>

#include "network/algorithm/collective.h"
#include "network/machine_network.h"

enum part { PART_REDUCES, PART_GATHERS, PART_FROM_ROOT, PART_TO_ROOT };
enum { WORD = 64 };

/* A set of ranks. */
struct ranks {
	unsigned long long words[NETWORK_DEVICES_MAX / WORD];
};

/* A listener that gets an allreduce and passes on the steps that belong to the part. */
struct filter {
	struct schedule schedule; /* first: the listener's functions get its address */
	struct schedule *out;
	enum part part;
	unsigned size;
	const char *phase; /* name not passed on yet; NULL: none */
	bool turned, open; /* in the gathering half; the step belongs to the part */
	bool switched;     /* the step is done by the switches */
	double repeat;     /* repetitions of a step not passed on yet; 0: passed on, or no step */
	double repeats;    /* repetitions of the current step */
	unsigned ring;
	struct ranks known, reached; /* ranks that rank 0's data has reached, before the step and after it */
};

static bool has(const struct ranks *ranks, unsigned rank)
{
	return ranks->words[rank / WORD] >> rank % WORD & 1;
}

static void add(struct ranks *ranks, unsigned rank)
{
	ranks->words[rank / WORD] |= 1ULL << rank % WORD;
}

static struct filter *filter_of(struct schedule *schedule)
{
	return (struct filter *)schedule;
}

static bool is_outside(const struct filter *filter)
{
	return (filter->part == PART_REDUCES && filter->turned) ||
	       (filter->part == PART_GATHERS && !filter->turned);
}

static void on_phase(struct schedule *schedule, const char *name)
{
	filter_of(schedule)->phase = name;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct filter *filter = filter_of(schedule);
	filter->open = !is_outside(filter);
	filter->switched = false;
	filter->repeat = filter->repeats = repeat;
	filter->ring = ring;
	memcpy(filter->known.words, filter->reached.words,
		((size_t)filter->size + WORD - 1) / WORD * sizeof(unsigned long long));
}

/* Forwards the step and its phase once, at its first message: steps in which the part sends nothing are left out. */
static void step_pass(struct filter *filter)
{
	if (filter->repeat > 0 && filter->phase)
		schedule_phase(filter->out, filter->phase);
	if (filter->repeat > 0)
		schedule_step(filter->out, filter->repeat, filter->ring);
	filter->phase = filter->repeat > 0 ? NULL : filter->phase;
	filter->repeat = 0;
}

/* Forwards a message that belongs to the part; in a repeated step of a broadcast ranks send on what has arrived. */
static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct filter *filter = filter_of(schedule);
	const bool passed = filter->part != PART_FROM_ROOT || filter->switched || filter->repeats > 1 ||
			    has(&filter->known, from);
	if (!filter->open || !passed || from == to || !(share > 0))
		return;
	step_pass(filter);
	schedule_flow(filter->out, from, to, share);
	add(&filter->reached, to);
}

/* Forwards a run of messages; only a broadcast looks at each, for the ranks that it reaches. */
static void on_run(struct schedule *schedule, unsigned from, unsigned to, double share, unsigned count,
	unsigned from_stride, unsigned to_stride)
{
	struct filter *filter = filter_of(schedule);
	if (filter->part == PART_FROM_ROOT) {
		for (unsigned i = 0; i < count; ++i)
			on_flow(schedule, from + i * from_stride, to + i * to_stride, share);
		return;
	}
	if (!filter->open || from == to || !(share > 0) || count == 0)
		return;
	step_pass(filter);
	schedule_run_flows(filter->out, from, to, share, count, from_stride, to_stride);
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	struct filter *filter = filter_of(schedule);
	if (filter->part == PART_FROM_ROOT) {
		for (unsigned from = 0; from < filter->size; ++from)
			for (unsigned to = 0; to < filter->size; ++to)
				on_flow(schedule, from, to, share);
		return;
	}
	if (filter->open) {
		step_pass(filter);
		schedule_all_pairs(filter->out, share);
	}
}

static void on_reduce(struct schedule *schedule, double share)
{
	struct filter *filter = filter_of(schedule);
	if (filter->open && share > 0 && (filter->part == PART_REDUCES || filter->part == PART_TO_ROOT))
		schedule_reduce(filter->out, share);
}

static void on_memory(struct schedule *schedule, double share)
{
	if (filter_of(schedule)->open)
		schedule_memory(filter_of(schedule)->out, share);
}

/* Forwards a step of the switches, which is part of both halves: the sum is complete where it is copied. */
static void on_wait(struct schedule *schedule, double seconds)
{
	struct filter *filter = filter_of(schedule);
	filter->open = filter->switched = true;
	step_pass(filter);
	schedule_wait(filter->out, seconds);
	for (unsigned rank = 0; rank < filter->size; ++rank)
		add(&filter->reached, rank);
}

static void on_fork(struct schedule *schedule)
{
	schedule_fork(filter_of(schedule)->out);
}

static void on_branch(struct schedule *schedule)
{
	schedule_branch(filter_of(schedule)->out);
}

static void on_join(struct schedule *schedule)
{
	schedule_join(filter_of(schedule)->out);
}

static void on_turn(struct schedule *schedule, bool gathers)
{
	filter_of(schedule)->turned = gathers;
}

static const struct schedule_listener listener = {
	.phase = on_phase,
	.step = on_step,
	.flow = on_flow,
	.run = on_run,
	.all_pairs = on_all_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_fork,
	.branch = on_branch,
	.join = on_join,
	.turn = on_turn,
};

static void part_emit(const struct collective *allreduce, enum part part, const struct communicator *comm,
	unsigned variant, struct schedule *schedule)
{
	struct filter filter = {
		.schedule = {.listener = &listener, .reorders = part != PART_FROM_ROOT && schedule->reorders},
		.out = schedule,
		.part = part,
		.size = comm->size};
	add(&filter.reached, 0);
	allreduce->emit(comm, variant, &filter.schedule);
}

/* ---- the collectives that are parts: a row of list.def each --------------------------------------------------- */

/* Returns the number of variants that have two halves, which come first: at most `most`, or all if that is 0. */
static unsigned halved(const struct collective *allreduce, const struct communicator *comm, unsigned most)
{
	const unsigned variants = allreduce->variants(comm);
	return most && variants > most ? most : variants;
}

#define PART(operation_id, id, name_, operation_, whole, whole_name, part, most, what)                       \
	static unsigned operation_id##_##id##_variants(const struct communicator *comm)                      \
	{                                                                                                    \
		return halved(&collective_allreduce_##whole, comm, most);                                    \
	}                                                                                                    \
	static void operation_id##_##id##_tell(                                                              \
		const struct communicator *comm, unsigned variant, struct schedule *schedule)                \
	{                                                                                                    \
		part_emit(&collective_allreduce_##whole, part, comm, variant, schedule);                     \
	}                                                                                                    \
	static void operation_id##_##id##_describe(                                                          \
		const struct communicator *comm, unsigned variant, char *text, size_t size)                  \
	{                                                                                                    \
		if (collective_allreduce_##whole.describe)                                                   \
			collective_allreduce_##whole.describe(comm, variant, text, size);                    \
	}                                                                                                    \
	const struct collective collective_##operation_id##_##id = {                                         \
		.name = (name_),                                                                             \
		.summary = what " allreduce-" whole_name,                                                    \
		.source = "part of allreduce-" whole_name,                                                   \
		.operation = (operation_),                                                                   \
		.variants = operation_id##_##id##_variants,                                                  \
		.emit = operation_id##_##id##_tell,                                                          \
		.describe = operation_id##_##id##_describe,                                                  \
	};

#define X(id)
#define REDUCES(id, name, most)                                                                              \
	PART(reduce_scatter, id, "reduce-scatter-" name, REDUCE_SCATTER, id, name, PART_REDUCES, most,       \
		"first half of")
#define GATHERS(id, name, most)                                                                              \
	PART(allgather, id, "allgather-" name, ALLGATHER, id, name, PART_GATHERS, most, "second half of")
#define FROM_ROOT(id, name, of, whole)                                                                       \
	PART(broadcast, id, "broadcast-" name, BROADCAST, of, whole, PART_FROM_ROOT, 0,                      \
		"what rank 0 sends, and others send on, in")
#define SCATTERS_ALL(id, name, of, whole)                                                                    \
	PART(reduce_scatter, id, "reduce-scatter-" name, REDUCE_SCATTER, of, whole, PART_TO_ROOT, 0, "all of")
#define GATHERS_ALL(id, name, of, whole)                                                                     \
	PART(allgather, id, "allgather-" name, ALLGATHER, of, whole, PART_TO_ROOT, 0, "all of")
#define TO_ROOT(id, name, of, whole)                                                                         \
	PART(reduce, id, "reduce-" name, REDUCE, of, whole, PART_TO_ROOT, 0, "all of")
#include "network/algorithm/list.def"
