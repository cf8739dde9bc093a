/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step of any plan is made of stages from their units, the schedule over them, and what replicas exchange that no
 * compute hides.
 *     step       schedule + exposed gradients and weights + update
 *     phases     forward, backward, recomputation, halos and exchanges of activations are those of the device that
 *                works longest; exchanges include what is hidden of them, and waiting for the slowest node
 *     transfer   messages to other stages, as long as they block that device
 *     bubble     schedule - work and exposed exchanges of that device - transfer
 *     gradients  exposed + hidden, with embeddings that two stages share; step_exchange.c says what hides
 *     stages     a message is 2 b s h bytes / (context; tensor where it is cut along the sequence or scattered and
 *                gathered)
 * ParaDL's ideal model takes each phase's maximum over stages instead.
 */
#include "oracle/training.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"

static const double rounding = 1e-9; /* share, for sums in another order */

double training_send_s(const struct evaluation *evaluation, double bytes)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double s = curve_s(evaluation->stage, bytes) + rules->stage_start_s;
	return rules->library_starts ? s + evaluation->oracle->machine->device.link.start_s : s;
}

double training_message_s(const struct evaluation *evaluation, unsigned end)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR];
	if (!evaluation->stage || end >= evaluation->net->model->unit_count)
		return 0;
	const bool scatters = evaluation->oracle->rules.scatter_gather && tensor > 1 && !plan->sequence;
	const double bytes = entering_items(evaluation, end) * evaluation->item_bytes;
	if (!scatters)
		return training_send_s(evaluation, bytes);
	const double part = bytes / tensor;
	return training_send_s(evaluation, part) +
	       exchange_s(&evaluation->exchange[PARADL_TENSOR][TRAFFIC_ALLGATHER], part * tensor);
}

/* Keeps the largest of each part, and the longest wait for the slowest node. */
static void largest_add(const struct evaluation *evaluation, const struct stage *stage,
	const struct stage_work *work, struct step *step)
{
	struct stage_work *largest = &step->largest;
	const double work_s =
		(work->forward_s + work->backward_s + work->weight_s) * evaluation->micro_batches;
	const double calls = stage_repeated(stage)->term[STAGE_SYNCHRONISATIONS] * evaluation->micro_batches;
	largest->forward_s = later_s(largest->forward_s, work->forward_s);
	largest->backward_s = later_s(largest->backward_s, work->backward_s + work->weight_s);
	largest->exchange_s[0] = later_s(largest->exchange_s[0], work->exchange_s[0] + work->exchange_s[1]);
	largest->halo_s[0] = later_s(largest->halo_s[0], work->halo_s[0] + work->halo_s[1]);
	step->link_s = later_s(step->link_s, stage->send_s[PASS_FORWARD]);
	step->late_gradients_s =
		later_s(step->late_gradients_s, waiting_s(evaluation->gradients_late_s, work_s, 1));
	step->late_calls_s = later_s(step->late_calls_s, waiting_s(evaluation->calls_late_s, work_s, calls));
}

/* Fills the times of Table III: every stage takes what the slowest does, and every link. */
static void times_level(const struct evaluation *evaluation, const struct step *step)
{
	const double exchanges_s = (step->largest.exchange_s[0] + step->largest.halo_s[0]) / 2;
	for (unsigned i = 0; i < step->count; ++i) {
		const double on_s = i + 1 < step->count ? step->link_s : 0, back_s = i ? step->link_s : 0;
		evaluation->net->stage_times[i] =
			(struct stage_times){.work_s = {step->largest.forward_s + exchanges_s,
						     step->largest.backward_s + exchanges_s},
				.send_s = {on_s, back_s},
				.blocked_s = {on_s, back_s}};
	}
}

/* Fills the work of a stage, and the times of its passes. */
static void stage_pass_times(const struct evaluation *evaluation, const struct stage *stage,
	struct stage_work *work, struct stage_times *times)
{
	stage_work_fill(evaluation, stage, work);
	const double device_s = work->backward_s + work->again_s + work->weight_s +
				work->exchange_s[PASS_BACKWARD] + work->halo_s[PASS_BACKWARD];
	const double split = device_s > 0 ? work->weight_s / device_s : 0;
	times->work_s[PASS_FORWARD] = work->total_s[PASS_FORWARD];
	times->work_s[PASS_BACKWARD] = work->total_s[PASS_BACKWARD] * (1 - split);
	times->weight_s = work->total_s[PASS_BACKWARD] * split;
}

/* Fills the times of each virtual stage; stages that are alike are worked out once. */
static void stage_times_fill(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	const struct rules *rules = &evaluation->oracle->rules;
	for (unsigned i = 0; i < step->count; ++i) {
		struct stage_times *times = &net->stage_times[i];
		const struct stage *stage = &net->stages[i];
		if (stage->repeats)
			*times = times[-1];
		else
			stage_pass_times(evaluation, stage, &net->works[i], times);
		times->send_s[PASS_FORWARD] = i + 1 < step->count ? stage->send_s[PASS_FORWARD] : 0;
		times->send_s[PASS_BACKWARD] = i > 0 ? stage[-1].send_s[PASS_BACKWARD] : 0;
		for (unsigned pass = 0; pass < 2; ++pass)
			times->blocked_s[pass] = rules->stage_blocking * times->send_s[pass];
		if (rules->own_maxima)
			largest_add(evaluation, stage, &net->works[i - stage->repeats], step);
	}
	if (rules->ideal)
		times_level(evaluation, step);
}

/* Adds a stage's work, each part as long as it takes while the host does its own. */
static void work_add(const struct stage_work *work, struct stage_work *sum)
{
	double ratio[2];
	stage_work_ratios(work, ratio);
	for (unsigned pass = 0; pass < 2; ++pass) {
		sum->exchange_s[pass] += ratio[pass] * work->exchange_s[pass];
		sum->halo_s[pass] += ratio[pass] * work->halo_s[pass];
		sum->host_s[pass] += work->host_s[pass];
		sum->waits_s +=
			ratio[pass] > 0 ? work->total_s[pass] * (1 - 1 / ratio[pass]) : work->total_s[pass];
		sum->exchange_waits_s += ratio[pass] > 0 ? (ratio[pass] - 1) * work->exchange_s[pass] : 0;
	}
	sum->waits_s += work->waits_s;
	const double f = ratio[PASS_FORWARD], b = ratio[PASS_BACKWARD];
	sum->forward_s += f > 0 ? f * work->forward_s : work->total_s[PASS_FORWARD];
	sum->backward_s += b > 0 ? b * (work->backward_s + work->weight_s) : work->total_s[PASS_BACKWARD];
	sum->again_s += b * work->again_s;
	sum->hidden_s += work->hidden_s;
	sum->device_s += work->device_s;
}

static void busiest_fill(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	const double more = evaluation->oracle->rules.own_maxima ? 1 + rounding : 1;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	unsigned busiest = 0;
	for (unsigned d = 1; d < step->devices;
		++d) /* stages with equally many calls take equally long where the host is slower */
		if (net->schedule_devices[d].busy_s > more * net->schedule_devices[busiest].busy_s)
			busiest = d;
	step->busiest_device = busiest;
	step->blocked_s = net->schedule_devices[busiest].blocked_s;
	for (unsigned i = 0; i < step->count; ++i)
		if (schedule_device(&schedule, i) == busiest)
			work_add(&net->works[i - net->stages[i].repeats], &step->busiest);
}

/* Fills the phases of Table III, each maximum by itself; so are hybrids' exchanges, which the table does not list. */
static void ideal_phases_fill(const struct evaluation *evaluation, const struct step *step, double *phase)
{
	const double count = step->micro_batches, p = evaluation->plan.degree[PARADL_PIPELINE];
	const struct stage_work *largest = &step->largest;
	phase[PARADL_FORWARD] = count * largest->forward_s;
	phase[PARADL_BACKWARD] = count * largest->backward_s;
	phase[PARADL_ACTIVATION_EXCHANGE] = (p + count - 1) * largest->exchange_s[0];
	phase[PARADL_HALO_EXCHANGE] = (p + count - 1) * largest->halo_s[0];
	phase[PARADL_BUBBLE] = (p - 1) * (largest->forward_s + largest->backward_s);
	phase[PARADL_STAGE_TRANSFER] = p > 1 ? 2 * (p + count - 2) * step->link_s : 0;
}

/* Fills the phases of the busiest device, on the critical path; the rest of the makespan is messages and bubble. */
void phases_fill(const struct step *step, double *phase)
{
	const double times = step->micro_batches;
	const struct stage_work *work = &step->busiest;
	const double exposed = times * (work->exchange_s[0] + work->exchange_s[1]);
	phase[PARADL_FORWARD] = times * work->forward_s;
	phase[PARADL_BACKWARD] = times * work->backward_s;
	phase[PARADL_RECOMPUTE] = times * work->again_s;
	phase[PARADL_ACTIVATION_EXCHANGE] = exposed + times * work->hidden_s;
	phase[PARADL_HALO_EXCHANGE] = times * (work->halo_s[0] + work->halo_s[1]);
	const double busy = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE] +
			    exposed + phase[PARADL_HALO_EXCHANGE];
	const double rest = step->schedule.makespan_s - busy;
	const double idle = rest > rounding * busy ? rest : 0;
	phase[PARADL_STAGE_TRANSFER] = step->blocked_s < idle ? step->blocked_s : idle;
	phase[PARADL_BUBBLE] = idle - phase[PARADL_STAGE_TRANSFER];
}

/* Fills the phases of the schedule, with waiting for the slowest node. */
static void schedule_phases_fill(const struct evaluation *evaluation, struct step *step)
{
	double *phase = step->phase;
	if (evaluation->oracle->rules.ideal)
		ideal_phases_fill(evaluation, step, phase);
	else
		phases_fill(step, phase);
	phase[phase[PARADL_HALO_EXCHANGE] > 0 ? PARADL_HALO_EXCHANGE : PARADL_ACTIVATION_EXCHANGE] +=
		step->late_calls_s;
}

/* Sums of an iteration; the rest is what the pipeline waits. */
struct sums {
	double compute_s, communication_s, exposed_s, iteration_s;
};

/* Adds to the phases of the schedule what replicas exchange, and sums them up. */
static inline struct sums phases_sum(
	const struct evaluation *evaluation, const struct step *step, double *phase)
{
	const bool ideal = evaluation->oracle->rules.ideal;
	const double hidden_calls = ideal ? 0 : step->micro_batches * step->busiest.hidden_s;
	struct sums sums;
	memcpy(phase, step->phase, sizeof step->phase);
	phase[PARADL_BACKWARD] += step->exchange.interference_s;
	phase[PARADL_WEIGHT_UPDATE] = step->update_s;
	phase[PARADL_GRADIENT_EXCHANGE] = step->exchange.exposed_s + step->exchange.hidden_s + step->tied_s;
	sums.compute_s = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE] +
			 phase[PARADL_WEIGHT_UPDATE];
	sums.communication_s = phase[PARADL_GRADIENT_EXCHANGE] + phase[PARADL_ACTIVATION_EXCHANGE] +
			       phase[PARADL_HALO_EXCHANGE] + phase[PARADL_STAGE_TRANSFER];
	sums.exposed_s = sums.communication_s - step->exchange.hidden_s - hidden_calls;
	sums.iteration_s = sums.compute_s + sums.exposed_s + phase[PARADL_BUBBLE];
	return sums;
}

double training_share_s(
	const struct evaluation *evaluation, const struct device_share *shares, struct step *step)
{
	double phase[PARADL_PHASE_COUNT];
	step_exchange_add(evaluation, shares, step);
	return phases_sum(evaluation, step, phase).iteration_s;
}

void training_phases(
	const struct evaluation *evaluation, const struct step *step, struct paradl_estimate *estimate)
{
	const struct stage_work *work = &step->busiest;
	const struct sums sums = phases_sum(evaluation, step, estimate->phase_s);
	estimate->compute_s = sums.compute_s;
	estimate->communication_s = sums.communication_s;
	estimate->exposed_communication_s = sums.exposed_s;
	estimate->iteration_s = sums.iteration_s;
	estimate->waiting_s = step->late_gradients_s + step->late_calls_s;
	estimate->gradient_waiting_s = step->late_gradients_s;
	estimate->gradient_host_s = step->exchange.host_s;
	estimate->gradient_hidden_s = step->exchange.hidden_s;
	estimate->host_waits_s = step->micro_batches * work->waits_s;
	estimate->host_exchange_waits_s = step->micro_batches * work->exchange_waits_s;
	estimate->iteration_quiet_s =
		sums.iteration_s -
		(estimate->waiting_s < sums.exposed_s ? estimate->waiting_s : sums.exposed_s);
	const double host_s = work->host_s[PASS_FORWARD] + work->host_s[PASS_BACKWARD];
	estimate->host_share = host_s < work->device_s ? host_s / work->device_s : host_s > 0 ? 1 : 0;
}

bool training_stages(const struct evaluation *evaluation, struct step *step, struct paradl_error *error)
{
	return stages_cut(evaluation, evaluation->plan.degree[PARADL_PIPELINE] * evaluation->chunks, error) &&
	       training_stages_fill(evaluation, step, error);
}

/* Returns whether the same is sent before both units: where samples are cut into pieces, that depends on layers. */
static bool sent_alike(const struct evaluation *evaluation, unsigned a, unsigned b)
{
	const struct paradl_model *model = evaluation->net->model;
	if (evaluation->axes & 1U << PARADL_SPATIAL || a >= model->unit_count || b >= model->unit_count)
		return false;
	const double of_a = model->units[a - 1].boundary_items, of_b = model->units[b - 1].boundary_items;
	return !(of_a < of_b) && !(of_a > of_b);
}

bool training_stages_fill(const struct evaluation *evaluation, struct step *step, struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	const unsigned count = evaluation->plan.degree[PARADL_PIPELINE] * evaluation->chunks;
	for (unsigned i = 0, first = 0; i < count; first = net->stage_ends[i++]) {
		struct stage *stage = &net->stages[i];
		stage_fill(evaluation, first, net->stage_ends[i], i ? &net->stages[i - 1] : NULL, stage);
		stage->send_s[PASS_FORWARD] = i && sent_alike(evaluation, first, stage->end)
						      ? stage[-1].send_s[PASS_FORWARD]
						      : training_message_s(evaluation, stage->end);
		stage->send_s[PASS_BACKWARD] = evaluation->serving ? 0 : stage->send_s[PASS_FORWARD];
	}
	return training_stages_time(evaluation, step, error);
}

bool training_stages_time(const struct evaluation *evaluation, struct step *step, struct paradl_error *error)
{
	*step = (struct step){.devices = evaluation->plan.degree[PARADL_PIPELINE],
		.micro_batches = evaluation->micro_batches};
	step->count = step->devices * evaluation->chunks;
	if (!schedule_reserve(evaluation->net->schedule, evaluation->oracle->arena, step->devices,
		    evaluation->chunks, error))
		return false;
	stage_times_fill(evaluation, step);
	return true;
}

struct pipeline_schedule training_pipeline(const struct evaluation *evaluation, const struct step *step)
{
	const double most = MICRO_BATCHES_MAX;
	return (struct pipeline_schedule){.kind = evaluation->schedule,
		.stages = step->devices,
		.chunks = evaluation->chunks,
		.micro_batches = (unsigned)(step->micro_batches < most ? step->micro_batches : most),
		.times = evaluation->net->stage_times,
		.links_queue = evaluation->oracle->rules.links_queue};
}

bool training_is_flow_shop(const struct evaluation *evaluation)
{
	return evaluation->oracle->rules.links_queue && evaluation->schedule == PARADL_GPIPE;
}

static void schedule_follow(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	const double most = MICRO_BATCHES_MAX;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	if (evaluation->oracle->options.events)
		schedule_events(&schedule, net->schedule, false, &step->schedule);
	else
		schedule_run(&schedule, net->schedule, &step->schedule);
	if (step->micro_batches > most) {
		const double more = step->schedule.busy_s / most * (step->micro_batches - most);
		step->schedule.makespan_s += more;
		step->schedule.busy_s += more;
	}
}

void training_schedule(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	step->schedule.devices = net->schedule_devices;
	step->schedule.held = net->held;
	if (training_is_flow_shop(evaluation))
		schedule_flow_shop(net->stage_times, step->count, step->micro_batches, &step->schedule);
	else
		schedule_follow(evaluation, step);
	busiest_fill(evaluation, step);
	step->tied_s = tied_s(evaluation);
	step->pipeline_ranks = pipeline_ranks_fill(evaluation, net->schedule_devices);
	schedule_phases_fill(evaluation, step);
}

void training_share(const struct evaluation *evaluation, struct step *step, struct paradl_estimate *estimate)
{
	struct prepared *net = evaluation->net;
	for (unsigned i = 0; i < step->pipeline_ranks; ++i) {
		net->pipeline_ranks[i].like = i;
		if (net->pipeline_ranks[i].exchanges)
			device_share_fill(evaluation, &net->pipeline_ranks[i], &net->shares[i]);
	}
	training_share_known(evaluation, step, estimate);
}

void training_share_known(
	const struct evaluation *evaluation, struct step *step, struct paradl_estimate *estimate)
{
	step_exchange_add(evaluation, evaluation->net->shares, step);
	training_phases(evaluation, step, estimate);
	step_exchange_describe(evaluation, step, estimate);
}

bool training_prepare(struct paradl_arena *arena, struct prepared *net, struct paradl_error *error)
{
	const unsigned units = net->model->unit_count;
	const unsigned most = units < PARADL_STAGES_MAX ? units : PARADL_STAGES_MAX;
	net->classes = unit_classes_create(arena, net->model, error);
	if (!net->classes)
		return false;
	net->stages = arena_alloc(arena, most, sizeof *net->stages);
	net->works = arena_alloc(arena, most, sizeof *net->works);
	net->stage_times = arena_alloc(arena, most, sizeof *net->stage_times);
	net->schedule_devices = arena_alloc(arena, most, sizeof *net->schedule_devices);
	net->held = arena_alloc(arena, most, sizeof *net->held);
	net->pipeline_ranks = arena_alloc(arena, most, sizeof *net->pipeline_ranks);
	net->shares = arena_alloc(arena, most, sizeof *net->shares);
	net->schedule = arena_alloc(arena, 1, sizeof *net->schedule);
	double most_items = 0;
	for (unsigned unit = 0; unit + 1 < units; ++unit)
		if (net->model->units[unit].is_block && net->model->units[unit].boundary_items > most_items) {
			most_items = net->model->units[unit].boundary_items;
			net->message_reader = unit + 1;
		}
	if (net->stages && net->works && net->stage_times && net->schedule_devices && net->held &&
		net->pipeline_ranks && net->shares && net->schedule)
		return true;
	return out_of_memory(error);
}
