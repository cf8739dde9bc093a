/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Some devices read prompts for others. Their plan is priced as any other, by an oracle of its own whose answers have
 * one token: one prompt at a time for each replica, in several steps if it is longer than a chunk, and as many as one
 * has room for. Keys and values of a prompt leave all devices of a replica at once, each its part:
 *     transfer    latency + bytes / rate of a device towards the innermost level that joins both
 */
#include "oracle/inference.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Estimates the reading of `prompts` prompts at once for each replica; false with an error where that does not fit. */
static bool reading_price(struct paradl_oracle *reader, struct prefill *prefill, double prompts,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	const unsigned omits = (1u << OMITTED_COUNT) - 1;
	prefill->plan.batch = prompts * prefill->replicas;
	if (!estimate_without(reader, &prefill->plan, omits, estimate, error))
		return false;
	if (estimate->fits)
		return true;
	char reason[128];
	lack_explain(estimate, reason, sizeof reason);
	error_set(error, PARADL_INFEASIBLE, "%s", reason);
	return error_hint(error, "more tensor or pipeline");
}

/*
 * Finds the seconds in which one of the readers that step together reads a prompt, or (alike) each of them does: a
 * chunk at a time, where a prompt is longer than that.
 */
static bool prompts_read_s(struct paradl_oracle *reader, const struct prefill *prefill, bool alike,
	double fresh, double *seconds, struct paradl_error *error)
{
	const double chunks = floor(fresh / prefill->chunk), rest = fresh / prefill->chunk - chunks;
	double chunk_s = 0, rest_s = 0;
	if (!(chunks > 0))
		return serving_reading_s(reader, 1, alike, seconds, error);
	if (!serving_reading_s(reader, prefill->chunk / fresh, alike, &chunk_s, error) ||
		(rest > 0 &&
			!serving_reading_s(reader, rest * prefill->chunk / fresh, alike, &rest_s, error)))
		return false;
	*seconds = chunks * chunk_s + rest_s;
	return true;
}

/* Fills what readers take, for a trace (`traced`) of parts of a chunk, too. */
static bool reading_fill(
	struct paradl_oracle *reader, bool traced, struct prefill *prefill, struct paradl_error *error)
{
	const struct paradl_options *options = &reader->options;
	const double fresh = reader->prompt_tokens * (1 - options->cached_prefix);
	const double joined = serving_joined(&prefill->plan);
	struct paradl_estimate estimate;
	prefill->replicas = serving_replicas(&prefill->plan);
	prefill->devices = (unsigned)paradl_plan_devices(&prefill->plan);
	prefill->chunk = prefill->plan.chunk ? prefill->plan.chunk : reader->rules.serve_chunk;
	prefill->room = fmax(1, floor(prefill->chunk / fresh));
	if (!reading_price(reader, prefill, 1, &estimate, error) ||
		!prompts_read_s(reader, prefill, true, fresh, &prefill->reads_s[0], error))
		return false;
	prefill->lone_s = prefill->reads_s[1] = prefill->reads_s[0];
	if (joined > 1 && !prompts_read_s(reader, prefill, false, fresh, &prefill->lone_s, error))
		return false;
	for (size_t i = 1; traced && i < REPLAY_PARTS; ++i)
		if (!serving_reading_s(reader, replay_part[i] * prefill->chunk / fresh, true,
			    &prefill->part_s[i], error))
			return false;
	prefill->cache_bytes = estimate.memory.cache_bytes;
	if (prefill->room > 1) {
		if (!reading_price(reader, prefill, prefill->room, &estimate, error) ||
			!serving_reading_s(reader, prefill->room, true, &prefill->reads_s[1], error))
			return false;
		prefill->reads_s[1] /= prefill->room;
	}
	prefill->weights_bytes = estimate.memory.weights_bytes;
	prefill->working_bytes =
		estimate.memory_bytes - estimate.memory.weights_bytes - estimate.memory.cache_bytes;
	return true;
}

bool oracle_chooses_readers(const struct paradl_oracle *oracle)
{
	return oracle->options.prefill && strcmp(oracle->options.prefill, "auto") == 0;
}

bool oracle_readers_named(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	if (!oracle_chooses_readers(oracle))
		return true;
	error_set(error, PARADL_USAGE, "prefill auto is for the best of all plans, not for one of them");
	return error_hint(error, "name the plan of the GPUs that read prompts: data=2,tensor=4");
}

/* Returns the oracle of what readers do: answers of one token to prompts alike; NULL with an error. */
static struct paradl_oracle *reader_create(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct paradl_options options = oracle->options;
	options.prefill = NULL;
	options.trace = NULL;
	options.prompt_tokens = oracle->prompt_tokens;
	options.output_tokens = 1;
	options.requests = options.rate_per_s = options.spread = 0;
	options.speculative_tokens = options.accepted_tokens = 0;
	return paradl_oracle_create(
		oracle->arena, oracle->model, oracle->machine, oracle->framework, &options, error);
}

bool prefill_price(const struct paradl_oracle *oracle, const char *text, struct prefill *prefill,
	struct paradl_error *error)
{
	*prefill = (struct prefill){0};
	if (paradl_plan_parse(text, &prefill->plan, error) &&
		reading_fill(oracle->reader, oracle->options.trace != NULL, prefill, error))
		return true;
	const struct paradl_error why = *error;
	error_set(error, why.status == PARADL_INFEASIBLE ? PARADL_USAGE : why.status,
		"prefill by %.80s: %.150s", text, why.message);
	return *why.hint ? error_hint(error, "%s", why.hint) : false;
}

/* Gives an oracle the readers that its options name; false with an error. */
static bool readers_enter(struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct prefill *const prefill = arena_alloc(oracle->arena, 1, sizeof *prefill);
	if (!prefill)
		return out_of_memory(error);
	oracle->prefill = prefill;
	return prefill_price(oracle, oracle->options.prefill, prefill, error);
}

bool prefill_make(struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct paradl_error why = {0};
	if (!oracle->options.prefill)
		return true;
	oracle->reader = reader_create(oracle, &why);
	if (oracle->reader)
		return oracle_chooses_readers(oracle) || readers_enter(oracle, error);
	return error_set(error, why.status == PARADL_INFEASIBLE ? PARADL_USAGE : why.status,
		"prefill by %.80s: %.150s", oracle->options.prefill, why.message);
}

struct paradl_oracle *oracle_with_readers(const struct paradl_oracle *oracle, const char *prefill,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_oracle *const named = oracle_clone(oracle, arena, error);
	if (!named)
		return NULL;
	named->options.threads = oracle->options.threads;
	named->options.prefill = prefill ? arena_text(arena, prefill) : NULL;
	if (!prefill)
		return named;
	if (!named->options.prefill)
		return out_of_memory_null(error);
	return readers_enter(named, error) ? named : NULL;
}

bool prefill_has_devices(const struct paradl_oracle *oracle, double devices, struct paradl_error *error)
{
	const unsigned all = oracle->machine->devices;
	if (!oracle->prefill || !all || devices + oracle->prefill->devices <= all)
		return true;
	return error_set(error, PARADL_INFEASIBLE,
		"%.0f devices and %u that read prompts; the machine has %u", devices,
		oracle->prefill->devices, all);
}

/* Returns the bytes per second between a device and one elsewhere, if `devices` are in use; fills the latency. */
static double reach_bytes_per_s(const struct paradl_machine *machine, double devices, double *latency_s)
{
	unsigned outer = 0;
	while (outer + 1 < machine->level_count && machine->levels[outer].devices < devices)
		++outer;
	const struct level *level = &machine->levels[outer];
	const double ports = level->ports > 0 ? level->ports : 1;
	*latency_s = level->latency_s;
	return level->bandwidth_bytes_per_s * ports / (outer > 0 ? machine->devices_per_node : 1);
}

void prefill_enter(const struct paradl_oracle *oracle, double engines, double devices, struct engine *engine)
{
	const struct prefill *prefill = oracle->prefill;
	double latency_s;
	const double rate = reach_bytes_per_s(oracle->machine, devices + prefill->devices, &latency_s);
	engine->readers = prefill->replicas / engines;
	engine->all_readers = prefill->replicas;
	engine->group = prefill->plan.degree[PARADL_EXPERT];
	engine->room = prefill->room;
	engine->reads_s[0] = prefill->reads_s[0];
	engine->reads_s[1] = prefill->reads_s[1];
	engine->lone_s = prefill->lone_s;
	engine->latency_s = latency_s;
	engine->transfer_s = latency_s + prefill->cache_bytes / rate;
}
