/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds what replicas exchange in a step that no compute hides, and the update.
 *     gradients  of networks of tokens go bucket by bucket behind the last backward of the device, with zero 2 behind
 *                that of each micro-batch; those of networks
 *                of images hide behind a share of all backward work, and so does waiting for the slowest node
 *                (nodes_late_s)
 *     weights    that were updated hide behind its first forward; with zero 3 they hide behind a share of the whole
 *                schedule, bubbles too, which the traffic slows down, and which then hides no gradients
 *     host       what it does for each tensor of gradients hides behind nothing
 *     links      are shared fairly: an exchange that meets those of layers on them holds these up, and is exposed
 *     a step     takes the device whose exchange and update are exposed most, or the maximum of each by itself
 */
#include <math.h>

#include "oracle/replicas.h"
#include "oracle/stage.h"
#include "oracle/training.h"
#include "oracle/update.h"

static const double usual_buckets = 10; /* buckets where the framework does not say */

/*
 * Returns the share of what is sent during a pass that delays nothing: replicas and layers share links fairly, so that
 * what meets a layer's exchange there holds that up for as long.
 */
static double free_share(double taken_s, double pass_s)
{
	return taken_s < pass_s ? 1 - taken_s / pass_s : 0;
}

/* Returns the lesser of two times; fmin(), inline. */
static inline double least_s(double a_s, double b_s)
{
	return a_s < b_s ? a_s : b_s;
}

/*
 * Returns the seconds of sharded weights, and of their gradients, that the schedule hides. Gradients of networks of images hide
 * behind the same share of backward as where weights are whole: they are there at the same moments.
 */
static double sharded_hidden_s(const struct evaluation *evaluation, const struct replica_times *times,
	const struct overlaps *overlaps, const struct step *step)
{
	const double micro_batches = evaluation->micro_batches;
	const double sent_s = micro_batches * times->each_s - micro_batches * times->each_host_s;
	const double backward_s = micro_batches * step->busiest.backward_s;
	const double late_s =
		evaluation->oracle->rules.own_maxima
			? fmax(micro_batches * times->each_gradients_s - overlaps->gradients * backward_s, 0)
			: 0;
	return least_s(sent_s - late_s, overlaps->shards * step->schedule.makespan_s);
}

/* Returns the exposure of updated weights behind the first forward, and of sharded weights behind the schedule. */
static struct exposure weights_expose(const struct evaluation *evaluation,
	const struct pipeline_rank *pipeline_rank, const struct replica_times *times,
	const struct overlaps *overlaps, const struct step *step)
{
	const double makespan_s = step->schedule.makespan_s, *const taken_s = pipeline_rank->taken_s;
	const double all_taken_s =
		evaluation->micro_batches * (taken_s[PASS_FORWARD] + taken_s[PASS_BACKWARD]);
	const double gather_hidden =
		times->weights_s > 0 ? least_s(overlaps->gathers * times->weights_s, pipeline_rank->first_s) *
					       free_share(taken_s[PASS_FORWARD], pipeline_rank->first_s)
				     : 0;
	const double each_s = evaluation->micro_batches * times->each_s;
	const double each_hidden = each_s > 0 ? sharded_hidden_s(evaluation, times, overlaps, step) *
							free_share(all_taken_s, makespan_s)
					      : 0;
	return (struct exposure){.exposed_s = times->weights_s - gather_hidden + (each_s - each_hidden),
		.hidden_s = gather_hidden + each_hidden,
		.interference_s = evaluation->oracle->rules.interference * each_hidden,
		.gathered_s = times->weights_s,
		.sharded_s = each_s,
		.host_s = evaluation->micro_batches * times->each_host_s,
		.taken = each_hidden > 0 ? each_hidden / makespan_s : 0};
}

/* Returns the share that hides: the first of n buckets is ready after 1/n of the backward, the last is exposed. */
double hiding_share(double buckets)
{
	return 1 - 1 / buckets;
}

/* Adds the exposure of gradients behind the last backward. */
static void gradients_expose(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	const struct replica_times *times, const struct overlaps *overlaps, struct exposure *exposure)
{
	const struct schedule_device *scheduled = &evaluation->net->schedule_devices[pipeline_rank->device];
	const double buckets = evaluation->dense.bucket_bytes > 0 ? times->buckets : usual_buckets;
	const double room = gradient_rounds(evaluation) * hiding_share(later_s(1, buckets)) *
			    pipeline_rank->last_s * (1 - exposure->taken);
	const double device_s = times->gradients_s - times->host_s;
	double hidden = least_s(overlaps->gradients * device_s, room) *
			free_share(pipeline_rank->taken_s[PASS_BACKWARD], pipeline_rank->last_s);
	double exposed = device_s - hidden - scheduled->early_s;
	if (exposed < 0) {
		hidden += device_s - hidden;
		exposed = 0;
	}
	exposure->exposed_s += exposed + times->host_s;
	exposure->hidden_s += hidden;
	exposure->host_s += times->host_s;
}

/* Maxima of exchanges and updates, each by itself. */
struct maxima {
	double gradients_s, host_s, exchange_s;
	struct exposure weights;
};

static void maxima_add(const struct pipeline_rank *pipeline_rank, const struct replica_times *times,
	const struct exposure *weights, double dense_weights, double update_s, struct step *step,
	struct maxima *maxima)
{
	if (times->gradients_s > maxima->gradients_s) {
		maxima->gradients_s = times->gradients_s;
		maxima->host_s = times->host_s;
	}
	if (times->gradients_s + times->each_s > maxima->exchange_s) {
		maxima->exchange_s = times->gradients_s + times->each_s;
		step->exchange_device = pipeline_rank->device;
		step->dense_weights = dense_weights;
		step->packing_s = times->packing_s;
	}
	if (weights->exposed_s + weights->hidden_s > maxima->weights.exposed_s + maxima->weights.hidden_s)
		maxima->weights = *weights;
	step->update_s = fmax(step->update_s, update_s);
}

/* Hides gradients, and waiting for them, behind a share of all backward work; not what the host does for them. */
static void maxima_expose(const struct overlaps *overlaps, const struct maxima *maxima, struct step *step)
{
	const double backward_s = step->micro_batches * step->busiest.backward_s;
	const double gradients_s = maxima->gradients_s + step->late_gradients_s;
	const double hidden = fmin(
		overlaps->gradients * backward_s * (1 - maxima->weights.taken), gradients_s - maxima->host_s);
	step->exchange = maxima->weights;
	step->exchange.exposed_s = gradients_s - hidden + maxima->weights.exposed_s;
	step->exchange.hidden_s = hidden + maxima->weights.hidden_s;
	step->exchange.host_s += maxima->host_s;
}

void device_share_fill(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	struct device_share *own)
{
	const double *sums = pipeline_rank->sums;
	own->times = device_exchange(evaluation, pipeline_rank->device, sums);
	const struct update update = device_update(evaluation, pipeline_rank->device, sums);
	own->update_s = update_sum_s(&update);
}

void step_exchange_add(
	const struct evaluation *evaluation, const struct device_share *shares, struct step *step)
{
	const bool own_maxima = evaluation->oracle->rules.own_maxima;
	const struct overlaps overlaps = overlaps_of(evaluation);
	struct maxima maxima = {0};
	step->exchange = (struct exposure){0};
	step->update_s = step->dense_weights = step->packing_s = 0;
	step->exchange_device = step->busiest_device;
	for (unsigned i = 0; i < step->pipeline_ranks; ++i) {
		const struct pipeline_rank *pipeline_rank = &evaluation->net->pipeline_ranks[i];
		const double *sums = pipeline_rank->sums, weights = sums[STAGE_WEIGHTS];
		if (!pipeline_rank->exchanges)
			continue;
		const struct replica_times *const times = &shares[pipeline_rank->like].times;
		const double update_s = shares[pipeline_rank->like].update_s;
		struct exposure exchange = weights_expose(evaluation, pipeline_rank, times, &overlaps, step);
		if (own_maxima) {
			maxima_add(pipeline_rank, times, &exchange, weights, update_s, step, &maxima);
			continue;
		}
		gradients_expose(evaluation, pipeline_rank, times, &overlaps, &exchange);
		if (exchange.exposed_s + update_s + exchange.interference_s >
			step->exchange.exposed_s + step->update_s + step->exchange.interference_s) {
			step->exchange = exchange;
			step->exchange_device = pipeline_rank->device;
			step->dense_weights = weights - sums[STAGE_EXPERT_WEIGHTS];
			step->packing_s = times->packing_s;
			step->update_s = update_s;
		}
	}
	if (own_maxima)
		maxima_expose(&overlaps, &maxima, step);
}

/* Returns the seconds in which embedding and head with the same weights in different stages sum their gradients. */
double tied_s(const struct evaluation *evaluation)
{
	if (evaluation->plan.degree[PARADL_PIPELINE] < 2 || !evaluation->stage ||
		evaluation->oracle->rules.ideal)
		return 0;
	double items = evaluation->shares ? 0 : tied_items(evaluation);
	/* The first share has the embedding, another a copy: the larger of their parts counts. */
	for (unsigned i = 0; evaluation->shares && i < evaluation->share_count; ++i)
		if (i == 0 || evaluation->shares[i].copied > 0)
			items = fmax(items, tied_items(evaluation->shares[i].evaluation));
	const double bytes = items * gradient_bytes(evaluation);
	return bytes > 0 ? curve_s(evaluation->stage, bytes) : 0;
}

/* Describes how gradients travel; with plans of layers, those of the plan whose exchange takes longest. */
void step_exchange_describe(
	const struct evaluation *evaluation, const struct step *step, struct paradl_estimate *estimate)
{
	double most_s = 0;
	if (!evaluation->shares || !evaluation->oracle->rules.own_maxima) {
		gradient_describe(evaluation, step->dense_weights, estimate);
		return;
	}
	for (unsigned i = 0; i < evaluation->share_count; ++i) {
		const struct plan_share *part = &evaluation->shares[i];
		const struct replica_times times = device_exchange(part->evaluation, part->stage, part->sums);
		const double s = times.gradients_s + times.each_s;
		if (s > most_s) {
			most_s = s;
			gradient_describe(part->evaluation, part->sums[STAGE_WEIGHTS], estimate);
		}
	}
}

/*
 * Returns how late the slowest node is after a second of work. A node's lateness is a random walk in time (the square
 * root of the time since the last synchronisation), and a group waits for the latest of its n nodes; the lateness is
 * heavy-tailed, so the maximum grows as a power of n (n^(1/a) for a Pareto tail of exponent a). With s
 * synchronisations in T seconds of work:
 *     waiting = jitter (n^growth - 1) sqrt(T / s) s = jitter (n^growth - 1) sqrt(T s)      jitter: of one second
 * One constant covers the whole-step allreduce of data parallelism and per-layer collectives. It is a range: an
 * estimate gives the iteration with it ("typical") and without ("quiet"). For networks of tokens no constant is known.
 */
double nodes_late_s(const struct paradl_oracle *oracle, unsigned nodes)
{
	const struct rules *rules = &oracle->rules;
	if (nodes < 2 || oracle->options.quiet_network || !(rules->jitter_s > 0) || !rules->own_maxima)
		return 0;
	return rules->jitter_s * (pow(nodes, rules->jitter_growth) - 1);
}

void waiting_compile(struct evaluation *evaluation)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	unsigned nodes = 1;
	for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
		nodes = evaluation->nodes[axis] > nodes ? evaluation->nodes[axis] : nodes;
	evaluation->call_nodes = nodes;
	evaluation->calls_late_s = nodes_late_s(oracle, nodes);
	evaluation->gradients_late_s = nodes_late_s(oracle, evaluation->dense.nodes);
}

double waiting_s(double late_s, double work_s, double synchronisations)
{
	return late_s > 0 ? late_s * sqrt(work_s * synchronisations) : 0;
}
