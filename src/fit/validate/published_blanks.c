/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the options that a source does not print and that nothing known of the program gives ("usual-recompute",
 * "block-stages"). An empty "vpp", "mbs" or "recompute" does not mean 1 or none: whoever ran the row chose a
 * value. The likely choice is the one that the program's users look for: among all values that the program has,
 * the fastest that fits the memory, and the one that needs least memory where none fits. The row's own oracle
 * gives both times and memory.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/validate/published.h"
#include "machine/framework.h"
#include "oracle/oracle.h"

enum { MICRO_MOST = 64, CHUNKS_MOST = 32 };

struct blanks {
	bool recompute, micro, chunks;
};

static bool is_pipelined(const struct published *row, const struct paradl_plan *plan)
{
	return row->pipeline > 1 && (plan->schedule == PARADL_1F1B || plan->schedule == PARADL_INTERLEAVED) &&
	       !plan->split_count;
}

/* Returns which options are not printed, and matter for this row. */
static struct blanks blanks_of(const struct published *row, const struct paradl_plan *plan)
{
	return (struct blanks){
		.recompute = !*row->recompute || plan->recompute == PARADL_RECOMPUTE_DEFAULT,
		.micro = !(row->micro > 0) && row->batch > row->data,
		.chunks = !(row->chunks > 0) && is_pipelined(row, plan),
	};
}

/* Returns which of these options nothing else tells, so that the plan still lacks them. */
static struct blanks unknown_of(const struct blanks *blanks, const struct paradl_plan *plan)
{
	return (struct blanks){
		.recompute = blanks->recompute && plan->recompute == PARADL_RECOMPUTE_DEFAULT,
		.micro = blanks->micro,
		.chunks = blanks->chunks && plan->schedule == PARADL_1F1B,
	};
}

static const char *names_of(struct paradl_arena *arena, const struct blanks *blanks)
{
	const char *const text = arena_printf(arena, "%s%s%s", blanks->chunks ? ", vpp" : "",
		blanks->micro ? ", mbs" : "", blanks->recompute ? ", recompute" : "");
	return text ? text + 2 : NULL;
}

struct trial {
	struct paradl_plan best;
	double seconds, bytes;
	bool found, fits;
};

/*
 * Keeps a plan that fits where the best so far does not, that is faster than it, or that needs less memory where
 * neither fits.
 */
static void try_plan(struct paradl_oracle *oracle, const struct paradl_plan *plan, struct trial *trial)
{
	struct paradl_estimate estimate;
	struct paradl_error failure = {0};
	if (!paradl_estimate(oracle, plan, &estimate, &failure))
		return;
	if (trial->found && (trial->fits > estimate.fits ||
				    (trial->fits == estimate.fits &&
					    (estimate.fits ? estimate.iteration_s >= trial->seconds
							   : estimate.memory_bytes >= trial->bytes))))
		return;
	*trial = (struct trial){.best = *plan,
		.seconds = estimate.iteration_s,
		.bytes = estimate.memory_bytes,
		.found = true,
		.fits = estimate.fits};
}

static bool fits(struct paradl_oracle *oracle, struct paradl_plan plan, unsigned blocks)
{
	struct paradl_estimate estimate;
	struct paradl_error failure = {0};
	plan.recompute_blocks = blocks;
	return paradl_estimate(oracle, &plan, &estimate, &failure) && estimate.fits;
}

/*
 * Tries full recomputation of as few blocks of a stage as make the plan fit, by bisection between `low`, which do
 * not, and `high`.
 */
static void try_blocks(struct paradl_oracle *oracle, const struct published *row, struct paradl_plan plan,
	struct trial *trial)
{
	unsigned low = 0, high = (unsigned)ceil(row->layers / row->pipeline);
	plan.recompute = PARADL_RECOMPUTE_FULL;
	while (low + 1 < high) {
		const unsigned middle = (low + high) / 2;
		const bool enough = fits(oracle, plan, middle);
		low = enough ? low : middle;
		high = enough ? middle : high;
	}
	plan.recompute_blocks = high < (unsigned)ceil(row->layers / row->pipeline) ? high : 0;
	try_plan(oracle, &plan, trial);
}

static void try_recomputes(struct paradl_oracle *oracle, const struct published *row,
	const struct blanks *blanks, struct paradl_plan plan, struct trial *trial)
{
	static const enum paradl_recompute values[] = {
		PARADL_RECOMPUTE_NONE, PARADL_RECOMPUTE_SELECTIVE, PARADL_RECOMPUTE_MODULES};
	const unsigned offered = oracle->framework->offers.recomputes;
	if (!blanks->recompute) {
		try_plan(oracle, &plan, trial);
		return;
	}
	for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
		plan.recompute = values[i];
		if (offered & 1u << values[i])
			try_plan(oracle, &plan, trial);
	}
	if (row->recomputes_blocks && offered & 1u << PARADL_RECOMPUTE_FULL)
		try_blocks(oracle, row, plan, trial);
}

/* Tries one chunk for each device, then all numbers of interleaved chunks that have equal numbers of blocks. */
static void try_chunks(struct paradl_oracle *oracle, const struct published *row, const struct blanks *blanks,
	const struct paradl_plan *plan, struct trial *trial)
{
	const double blocks = row->layers / row->pipeline;
	const unsigned most = blanks->chunks && oracle->framework->offers.schedules & 1u << PARADL_INTERLEAVED
				      ? CHUNKS_MOST
				      : 1;
	try_recomputes(oracle, row, blanks, *plan, trial);
	for (unsigned chunks = 2; chunks <= most && chunks <= blocks; ++chunks) {
		struct paradl_plan other = *plan;
		if (fmod(blocks, chunks) > 0)
			continue;
		other.schedule = PARADL_INTERLEAVED;
		other.chunks = chunks;
		try_recomputes(oracle, row, blanks, other, trial);
	}
}

static void try_micros(struct paradl_oracle *oracle, const struct published *row, const struct blanks *blanks,
	const struct paradl_plan *plan, struct trial *trial)
{
	const double samples = row->batch / row->data;
	if (!blanks->micro) {
		try_chunks(oracle, row, blanks, plan, trial);
		return;
	}
	for (unsigned micro = 1; micro <= MICRO_MOST && micro <= samples; micro *= 2) {
		struct paradl_plan other = *plan;
		if (fmod(samples, micro) > 0)
			continue;
		other.micro = micro;
		try_chunks(oracle, row, blanks, &other, trial);
	}
}

bool published_fill(struct library *library, struct paradl_oracle *oracle, struct measurement *measurement,
	struct paradl_error *error)
{
	const struct published *const row = measurement->published;
	struct paradl_plan *const plan = &measurement->plan;
	struct trial trial = {.found = false};
	char text[PARADL_PLAN_TEXT];
	if (row->is_image)
		return true;
	const struct blanks blanks = blanks_of(row, plan), unknown = unknown_of(&blanks, plan);
	if (!blanks.recompute && !blanks.micro && !blanks.chunks)
		return true;
	measurement->row.incomplete = names_of(library->arena, &blanks);
	if (!measurement->row.incomplete)
		return out_of_memory(error);
	if (!unknown.recompute && !unknown.micro && !unknown.chunks)
		return true;
	try_micros(oracle, row, &unknown, plan, &trial);
	if (!trial.found)
		return true;
	*plan = trial.best;
	paradl_plan_format(plan, text, sizeof text);
	measurement->plan_text = measurement->row.strategy = arena_text(library->arena, text);
	return measurement->plan_text || out_of_memory(error);
}
