/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of training in parts, for searches: plans that differ only in what a later part reads share the earlier ones.
 *     unit_costs_fill     recompute                                   (stage.h)
 *     training_stages     schedule, chunks, split, what overlaps with layers, offload of weights and activations
 *     training_schedule   the same
 *     training_share      zero, shard, what overlaps with gradients, offload of optimizer states
 * Each part leaves its results in the scratch of evaluation->net, where the next ones read them.
 */
#ifndef ORACLE_TRAINING_H
#define ORACLE_TRAINING_H

#include "oracle/holders.h"
#include "oracle/replicas.h"
#include "oracle/schedule.h"
#include "oracle/stage.h"

enum { MICRO_BATCHES_MAX = 1000000 }; /* that schedules follow; more repeat the slowest stage */

/* Exchanges of replicas: what shows, what hides behind compute, and how much longer that takes for it. */
struct exposure {
	double exposed_s, hidden_s, interference_s;
	double gathered_s, sharded_s; /* of both: updated weights; sharded ones, and their gradients */
	double taken;                 /* the share of the schedule that hides sharded weights */
};

/* The step as it is put together. */
struct step {
	unsigned devices, count;  /* of the pipeline; virtual stages */
	unsigned holders;         /* net->holders, of the schedule */
	unsigned busiest_device;  /* works longest */
	unsigned exchange_device; /* whose replicas' exchange shows most */
	double micro_batches;
	struct schedule_result schedule;
	struct stage_work busiest;             /* sums over the stages of the device that works longest */
	struct stage_work largest;             /* own maxima of stages; with rules.own_maxima */
	double link_s;                         /* the longest message */
	double late_gradients_s, late_calls_s; /* waiting for the slowest node */
	struct exposure exchange;
	double update_s;
	double dense_weights; /* whose exchange that is, without experts */
	double packing_s;     /* of it, before and after messages */
	double gradient_host_s;
	double tied_s, blocked_s;
	double phase[PARADL_PHASE_COUNT]; /* of the schedule, without all that replicas exchange */
};

/* Cuts stages and times their passes; false if a given split does not fit. */
bool training_stages(const struct evaluation *evaluation, struct step *step, struct paradl_error *error);
/* The same with stages that are cut already (net->stage_ends). */
bool training_stages_fill(const struct evaluation *evaluation, struct step *step, struct paradl_error *error);
/* The same with stages that are filled already (net->stages). */
bool training_stages_time(const struct evaluation *evaluation, struct step *step, struct paradl_error *error);
/* Returns seconds for `bytes` from one stage to the next. */
double training_send_s(const struct evaluation *evaluation, double bytes);
/* Returns seconds for one micro-batch from the stage that ends before this unit to the next, or back. */
double training_message_s(const struct evaluation *evaluation, unsigned end);
/* All micro-batches go through stages and links in series, forward and then back; schedule_flow_shop. */
bool training_is_flow_shop(const struct evaluation *evaluation);
/* Those stages as a schedule. */
struct pipeline_schedule training_pipeline(const struct evaluation *evaluation, const struct step *step);
/* What devices hold at least, before the pipeline has run. */
void training_hold_least(const struct evaluation *evaluation, struct step *step);
/* Runs the pipeline over them. */
void training_schedule(const struct evaluation *evaluation, struct step *step);
/* Adds to a scheduled step what replicas exchange, and the update; fills phases and times. */
void training_share(const struct evaluation *evaluation, struct step *step, struct paradl_estimate *estimate);
/*
 * Returns the iteration that training_share would fill, where the shares of all devices are known (holder.like); for searches, whose
 * ways to share come again with other schedules.
 */
double training_share_s(
	const struct evaluation *evaluation, const struct device_share *shares, struct step *step);
/* Fills the phases and times of that. */
void training_phases(
	const struct evaluation *evaluation, const struct step *step, struct paradl_estimate *estimate);
/* The phases of a schedule's busiest device, messages and waiting. */
void phases_fill(const struct step *step, double *phase);
/* Fills the share of a device; adds those of all to a scheduled step; says how gradients travel. step_exchange.c. */
void device_share_fill(
	const struct evaluation *evaluation, const struct holder *holder, struct device_share *own);
void step_exchange_add(
	const struct evaluation *evaluation, const struct device_share *shares, struct step *step);
void step_exchange_describe(
	const struct evaluation *evaluation, const struct step *step, struct paradl_estimate *estimate);
/* Share of the last backward that gradients in so many buckets hide behind. */
double hiding_share(double buckets);
/* Seconds in which an embedding and a head with the same weights in different stages sum their gradients. */
double tied_s(const struct evaluation *evaluation);
/* Of an optimizer that updates so many weights of which it owns some; measured_s: of all of them, where that is known. */
double training_update_s(
	const struct evaluation *evaluation, double weights, double owned, double measured_s);
/* Returns seconds for gradients of owned weights to the host and these weights back; 0 unless the optimizer is offloaded. */
double offloaded_update_s(const struct evaluation *evaluation, double owned);
/* Returns training_update_s of some layers: without what each step takes however many weights there are. */
double weights_update_s(const struct evaluation *evaluation, double weights, double owned, double measured_s);
/* Memory of the fullest device of the pipeline, of so many net->holders. */
void training_memory(
	const struct evaluation *evaluation, unsigned holder_count, struct paradl_estimate *estimate);
/* Whether any of them needs more than a device has, by more than rounding. */
bool training_memory_lacks(const struct evaluation *evaluation, unsigned holder_count);
/* The runtime of a device of the pipeline, and buffers of its communicators. */
double device_context_bytes(const struct evaluation *evaluation, unsigned device);
/* Returns the bytes of the largest message of one micro-batch between stages, under any plan that the device has. */
double device_message_bytes(const struct evaluation *evaluation, unsigned device);
/* Weights, gradients and optimizer states of a device with these sums (by enum stage_term). */
double training_states_bytes(const struct evaluation *evaluation, const double *sums);
/* Returns the bytes of one weight's gradient while it is held. */
double training_gradient_bytes(const struct paradl_oracle *oracle);

/*
 * What one evaluation of a plan leaves: layers with their costs, units, stages with their terms, the schedule (scratch of
 * evaluation.net), the step with its exchanges, and the estimate. Explanations, layers and timelines read it.
 */
struct result {
	struct evaluation evaluation;
	struct step followed, step; /* of training; after its schedule, and as a whole */
	struct paradl_estimate estimate;
};
/*
 * Returns the result of this plan: the oracle's latest, if that is of this plan and nothing was evaluated since, else a new
 * one. Good until the oracle evaluates another plan. NULL with an error where the plan cannot run.
 */
const struct result *result_of(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error);
/*
 * Runs a plan and fills the result, but for what follows from step and memory. If the result holds, the scratch is as it left it, and
 * what the plans have in common is taken from there. evaluation_levels.c.
 */
bool levels_run(struct result *result, struct paradl_oracle *oracle, const struct paradl_plan *plan,
	bool holds, struct paradl_error *error);

#endif
