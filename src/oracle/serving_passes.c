/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file runs passes of inference, and the steps of an engine. inference.c and serving.c say what each does. A step
 * is a forward pass over one token of each of n sequences, with prompts beside:
 *     t(n) = time of its parts on the stages (inference.c) + n times what the host takes for a sequence
 * Replicas that share experts (attention by data) are in each layer at the same time: g of them are one engine, whose
 * sequences and prompts are dealt out evenly. Of p prompts the fullest has max(p / g, min(p, 1)), and all wait for it;
 * experts have the tokens of the mean.
 */
#include "oracle/inference.h"

#include <math.h>

#include "base/error.h"
#include "oracle/replay.h"

double serving_replicas(const struct paradl_plan *plan)
{
	return (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
}

double serving_joined(const struct paradl_plan *plan)
{
	return plan->degree[PARADL_EXPERT];
}

double serving_chunk(const struct evaluation *evaluation)
{
	return evaluation->plan.chunk ? evaluation->plan.chunk : evaluation->oracle->rules.serve_chunk;
}

/* Returns the passes of `micro` samples; without micro those of `most` samples, or as many as keep the stages busy. */
double serving_passes(const struct paradl_plan *plan, double local, double most)
{
	const double stages = plan->degree[PARADL_PIPELINE];
	const double count = share(local, plan->micro > 0 ? plan->micro : most, false);
	if (plan->micro > 0)
		return count > 1 ? count : 1;
	const double fill = stages < local ? stages : local;
	return count > fill ? count : fill;
}

/* Adds up kernels by what bounds them; the rest of the stages' time is the host's, starting them. */
static void bounds_add(const struct evaluation *evaluation, struct passes *passes)
{
	const struct prepared *net = evaluation->net;
	double kernels_s = 0, stages_s = 0;
	for (unsigned i = 0; i < net->model->layer_count; ++i) {
		const double count = net->model->layers[i].count;
		for (unsigned k = 0; k < BOUNDS; ++k) {
			passes->bound_s[k] += count * net->costs[i].bound_s[k];
			kernels_s += count * net->costs[i].bound_s[k];
		}
		passes->cast_s += count * net->costs[i].cast_s[PASS_FORWARD];
		passes->flop += count * net->costs[i].flop;
	}
	for (unsigned i = 0; i < passes->step.count; ++i) {
		struct stage_work kernels;
		stage_kernels_fill(evaluation, stage_repeated(&net->stages[i])->term, &kernels);
		stages_s += kernels.forward_s;
	}
	if (stages_s > kernels_s)
		passes->bound_s[BOUND_LAUNCH] += stages_s - kernels_s;
}

/* Finds the time of `count` passes with the costs of the evaluation's layers; cut: chooses the stages, too. */
static bool passes_time(struct evaluation *evaluation, double count, bool cut, struct passes *passes,
	struct paradl_error *error)
{
	struct step *step = &passes->step;
	*passes = (struct passes){.times = 1};
	evaluation->micro_batches = count;
	unit_costs_fill(evaluation);
	if (!(cut ? training_stages : training_stages_fill)(evaluation, step, error))
		return false;
	training_schedule(evaluation, step);
	/* Phases add up to the whole, without exchanges that are hidden; a pass waits for each message. */
	step->busiest.hidden_s = step->blocked_s = 0;
	for (unsigned i = 0; i + 1 < step->count; ++i)
		step->blocked_s += evaluation->net->stages[i].send_s[PASS_FORWARD];
	return true;
}

bool serving_passes_run(struct evaluation *evaluation, double count, bool cut, struct passes *passes,
	struct paradl_error *error)
{
	if (!passes_time(evaluation, count, cut, passes, error))
		return false;
	bounds_add(evaluation, passes);
	return true;
}

void serving_costs_fill(const struct evaluation *evaluation)
{
	for (unsigned i = 0; i < evaluation->net->model->layer_count; ++i)
		layer_cost(evaluation, i, &evaluation->net->costs[i]);
}

/* Returns how many of an engine's sequences or prompts its fullest replica has; alike: all have as many. */
static double fullest_of(double count, double joined, bool alike)
{
	return alike ? count / joined : fmax(count / joined, fmin(count, 1));
}

/*
 * Finds the time of a step of an engine with these sequences and prompts, in as many parts as keep stages that follow
 * one another busy.
 */
static bool step_time(struct evaluation *evaluation, double all_sequences, double all_prompts, bool alike,
	struct passes *passes, struct paradl_error *error)
{
	const double joined = serving_joined(&evaluation->plan);
	const double sequences = fullest_of(all_sequences, joined, alike),
		     prompts = fullest_of(all_prompts, joined, alike);
	const double id_bytes = 4, stages = evaluation->plan.degree[PARADL_PIPELINE];
	const double count = sequences > 0 ? serving_passes(&evaluation->plan, sequences, sequences) : stages;
	const struct paradl_options *options = &evaluation->oracle->options;
	const double guessed = 1 + options->speculative_tokens, tokens = sequences * guessed;
	const double fresh = evaluation->net->model->sequence * (1 - options->cached_prefix);
	const bool sequence = evaluation->plan.sequence;
	struct step *step = &passes->step;
	evaluation->serving = SERVE_STEP;
	evaluation->prompts = prompts * (1 - options->cached_prefix) / count;
	evaluation->samples = tokens / count / evaluation->net->model->sequence + evaluation->prompts;
	evaluation->uneven =
		1 - (all_sequences * guessed + all_prompts * fresh) / joined / (tokens + prompts * fresh);
	evaluation->keys = evaluation->oracle->prompt_tokens + evaluation->oracle->output_tokens / 2;
	evaluation->plan.sequence = false; /* a token is no sequence to cut */
	serving_costs_fill(evaluation);
	const bool runs = passes_time(evaluation, 1, false, passes, error);
	if (step->count > 1) {
		const double back_s = training_send_s(evaluation, tokens / count * id_bytes);
		step->blocked_s += back_s;
		step->schedule.makespan_s += back_s;
	}
	step->micro_batches = count;
	step->schedule.makespan_s = later_s(step->schedule.makespan_s, count * step->schedule.busy_s);
	evaluation->plan.sequence = sequence;
	evaluation->serving = SERVE_PROMPT;
	evaluation->uneven = 0;
	return runs;
}

/* Finds the time of a step, and what bounds its kernels. */
static bool step_run(struct evaluation *evaluation, double sequences, double prompts, struct passes *passes,
	struct paradl_error *error)
{
	if (!step_time(evaluation, sequences, prompts, false, passes, error))
		return false;
	bounds_add(evaluation, passes);
	return true;
}

/* Returns the seconds of the host in each step that its devices wait for. */
static double step_host_s(const struct evaluation *evaluation, double sequences)
{
	return fullest_of(sequences, serving_joined(&evaluation->plan), false) *
	       evaluation->oracle->rules.serve_sequence_s;
}

/* Context of an engine's steps: an evaluation, and whether all went well. */
struct asked {
	struct evaluation *evaluation;
	double replicas; /* replicas that have as many sequences and prompts each; 1: the engine has them in all */
	struct paradl_error *error;
	bool failed;
};

static double asked_step_s(void *context, double sequences, double prompts)
{
	struct asked *const asked = context;
	struct passes passes = {.times = 0};
	const double all = asked->replicas * sequences;
	asked->failed = asked->failed || !step_time(asked->evaluation, all, asked->replicas * prompts,
						 asked->replicas > 1, &passes, asked->error);
	return passes.step.schedule.makespan_s + step_host_s(asked->evaluation, all);
}

bool serving_reading_s(
	struct paradl_oracle *oracle, double prompts, bool alike, double *seconds, struct paradl_error *error)
{
	struct evaluation *const evaluation = &oracle->result->evaluation;
	const double replicas = alike ? serving_joined(&evaluation->plan) : 1;
	struct asked asked = {.evaluation = evaluation, .replicas = replicas, .error = error};
	oracle->latest = NULL; /* its costs give way to those of the step */
	*seconds = asked_step_s(&asked, 0, prompts);
	return !asked.failed;
}

/* Sets an error, and the rate that would do: requests come faster than they are answered. */
static bool rate_refuse(struct evaluation *evaluation, double most_per_s, struct paradl_error *error)
{
	const double replicas = serving_replicas(&evaluation->plan);
	const double each = paradl_plan_devices(&evaluation->plan) / replicas;
	evaluation->most_per_s = replicas * most_per_s;
	error_set(error, PARADL_INFEASIBLE, "%.4g requests a second come, and %.0f replica%s at most %.4g",
		evaluation->oracle->options.rate_per_s, replicas, replicas > 1 ? "s answer" : " answers",
		replicas * most_per_s);
	return error_hint(error, "%.0f GPUs with such replicas, or a lower --rate",
		each * (floor(evaluation->oracle->options.rate_per_s / most_per_s) + 1));
}

/* Replays the requests of a trace, for an answer to requests of their mean length; false with an error. */
static bool trace_run(struct evaluation *evaluation, const struct engine *engine, struct asked *asked,
	struct request *request, struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double joined = serving_joined(&evaluation->plan);
	const struct engine_steps steps = {asked_step_s, asked};
	struct engine one =
		*engine; /* a trace's engines are single replicas, as busy as those that they share with */
	const double kept = oracle->output_tokens / (engine->pages ? 2 : 1);
	const struct replayed replayed = {.trace = oracle->options.trace,
		.replicas = serving_replicas(&evaluation->plan),
		.clients = engine->clients / joined,
		.cache_tokens = fmax(engine->seats / joined, request->fit) * (oracle->prompt_tokens + kept),
		.seqs = evaluation->plan.seqs > 0 ? evaluation->plan.seqs : HUGE_VAL,
		.reading_s = oracle->prefill ? oracle->prefill->part_s : NULL,
		.reading_chunk = oracle->prefill ? oracle->prefill->chunk : 0,
		.latency_s = engine->latency_s};
	one.chunk_tokens /= joined;
	one.readers /= joined;
	asked->replicas = joined;
	if (engine_replay(oracle->replay, &one, &steps, &replayed, &request->answer))
		return true;
	error_set(error, PARADL_INFEASIBLE,
		"a request of the trace is longer than the %.0f tokens that caches hold",
		replayed.cache_tokens);
	return error_hint(error, "replicas of more devices (tensor, pipeline), or devices with more memory");
}

/* Finds of which passes the time of a request is made; false with an error. */
static bool request_split(struct evaluation *evaluation, struct request *request, struct paradl_error *error)
{
	struct passes *const tokens = &request->passes[TOKENS], *const prompts = &request->passes[PROMPTS];
	const struct engine_answer *const answer = &request->answer;
	const double joined = serving_joined(&evaluation->plan);
	if (!step_run(evaluation, 0, joined, prompts, error))
		return false;
	if (answer->steps > 0 && !step_run(evaluation, joined * answer->sequences, 0, tokens, error))
		return false;
	tokens->times = answer->steps;
	/* While a request waits, prompts of others are read; apart from that, it waits for the host. */
	request->idle_s = evaluation->oracle->rules.serve_prompt_s + answer->seat_s + request->transfer_s +
			  tokens->times * step_host_s(evaluation, joined * answer->sequences);
	const double busy_s = fmax(0, request->total_s - request->idle_s);
	const double token_s = tokens->step.schedule.makespan_s;
	if (tokens->times * token_s > busy_s) /* of a trace: steps are shorter than those of its mean */
		tokens->times = busy_s / token_s;
	prompts->times = (busy_s - tokens->times * token_s) / prompts->step.schedule.makespan_s;
	return true;
}

/*
 * Serves requests of `local` clients of a replica, of which `seats` have memory, after the first passes over prompts,
 * which cut the stages and whose costs give way to others.
 */
bool serving_answers_run(struct evaluation *evaluation, double local, double seats, struct request *request,
	struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct rules *rules = &oracle->rules;
	const double joined = serving_joined(&evaluation->plan);
	const double engines = serving_replicas(&evaluation->plan) / joined;
	struct engine_answer *const answer = &request->answer;
	const struct paradl_options *options = &oracle->options;
	struct engine engine = {.clients = joined * local,
		.rate_per_s = options->rate_per_s / engines,
		.prompt_tokens = oracle->prompt_tokens * (1 - options->cached_prefix),
		.output_tokens = oracle->output_tokens,
		.gains = options->speculative_tokens > 0 ? options->accepted_tokens : 1,
		.seats = joined * seats,
		.requests = options->requests * joined * local / evaluation->plan.batch,
		.spread = options->spread,
		.chunk_tokens = joined * serving_chunk(evaluation),
		.prompt_host_s = rules->serve_prompt_s,
		.mixes = rules->serve_mixes,
		.joined = joined,
		.balance = joined > 1 && rules->serve_mixes ? rules->serve_balance : 0,
		.pages = !rules->serve_reserves,
		.seated = evaluation->plan.seqs > 0 && request->fit >= evaluation->plan.seqs};
	if (oracle->prefill)
		prefill_enter(oracle, engines, paradl_plan_devices(&evaluation->plan), &engine);
	struct asked asked = {.evaluation = evaluation, .replicas = 1, .error = error};
	const struct engine_steps steps = {asked_step_s, &asked};
	bool keeps_up = true;
	if (serving_omits(evaluation, OMITTED_MOST) && engine.rate_per_s > 0 && !oracle->replay) {
		const double bound_per_s = engine_bound_per_s(&engine, &steps);
		if (!asked.failed && bound_per_s <= engine.rate_per_s)
			return rate_refuse(evaluation, bound_per_s / joined, error);
	}
	if (engine.rate_per_s > 0)
		keeps_up = engine_solve_open(&engine, &steps, answer);
	else
		engine_solve(&engine, &steps, answer);
	answer->sequences /= joined; /* from here on of one replica */
	answer->under_way /= joined;
	answer->most_per_s /= joined;
	if (!asked.failed && oracle->replay && !trace_run(evaluation, &engine, &asked, request, error))
		return false;
	if (asked.failed)
		return false;
	if (!keeps_up && !oracle->replay)
		return rate_refuse(evaluation, answer->most_per_s, error);
	request->transfer_s = engine.transfer_s;
	request->readers = engine.readers / joined;
	request->total_s = answer->request_s;
	return serving_omits(evaluation, OMITTED_PHASES) || request_split(evaluation, request, error);
}
