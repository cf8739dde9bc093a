/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step of a network of tokens, or of a plan with options: stages from their units, the schedule over them, and what
 * replicas exchange that no compute hides.
 *     step     schedule + exposed gradients and weights + update
 *     hidden   gradients, bucket by bucket as they become ready, behind the last backward of the device; gathered weights
 *              behind its first forward; zero 3 behind all compute, which its traffic slows down
 *     stages   a message is 2 b s h bytes / (context; tensor where it is cut along the sequence or scattered and gathered)
 */
#include "oracle/training.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "oracle/holders.h"
#include "oracle/replicas.h"
#include "oracle/training_memory.h"

static const double usual_buckets = 10; /* where the framework does not say */
static const double rounding = 1e-9;    /* of sums in another order */

/* Overlap is not among them: every way of estimating a plan knows that one. */
bool plan_has_options(const struct paradl_plan *plan)
{
	return plan->schedule != PARADL_SCHEDULE_DEFAULT || plan->zero || plan->shard ||
	       plan->recompute != PARADL_RECOMPUTE_DEFAULT || plan->sequence || plan->offload ||
	       plan->split_count;
}

double training_message_s(const struct evaluation *evaluation, unsigned end)
{
	const struct paradl_model *model = evaluation->net->model;
	const struct paradl_plan *plan = &evaluation->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR];
	if (!evaluation->stage || end >= model->unit_count)
		return 0;
	const bool scatters = evaluation->oracle->framework->training.scatter_gather && tensor > 1;
	double bytes = evaluation->samples * model->units[end - 1].boundary_items * evaluation->item_bytes /
		       plan->degree[PARADL_CONTEXT];
	if (plan->sequence || scatters)
		bytes /= tensor;
	double s = curve_s(evaluation->stage, bytes) + evaluation->oracle->machine->device.link.start_s +
		   evaluation->oracle->framework->training.stage_start_s;
	if (scatters && !plan->sequence)
		s += exchange_s(&evaluation->exchange[PARADL_TENSOR - PARADL_EXPERT][TRAFFIC_ALLGATHER],
			bytes * tensor);
	return s;
}

/* Times of each virtual stage; stages that are alike are worked out once. */
static void stage_times_fill(const struct evaluation *evaluation, const struct step *step)
{
	const struct prepared *net = evaluation->net;
	const double blocking = evaluation->oracle->framework->training.stage_blocking;
	struct stage_work work = {0};
	for (unsigned i = 0; i < step->count; ++i) {
		struct stage_times *times = &net->stage_times[i];
		if (!net->stages[i].repeats)
			stage_work_fill(evaluation, &net->stages[i], &work);
		const double device_s = work.backward_s + work.again_s + work.weight_s +
					work.exchange_s[PASS_BACKWARD] + work.halo_s[PASS_BACKWARD];
		const double split = device_s > 0 ? work.weight_s / device_s : 0;
		*times = (struct stage_times){.forward_s = work.forward_total_s,
			.backward_s = work.backward_total_s * (1 - split),
			.weight_s = work.backward_total_s * split};
		if (i + 1 < step->count)
			times->send_forward_s = net->stages[i].send_s[PASS_FORWARD];
		if (i > 0)
			times->send_backward_s = net->stages[i - 1].send_s[PASS_BACKWARD];
		times->forward_blocked_s = blocking * times->send_forward_s;
		times->backward_blocked_s = blocking * times->send_backward_s;
	}
}

static void busiest_fill(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	unsigned busiest = 0;
	for (unsigned d = 1; d < step->devices; ++d)
		if (net->schedule_devices[d].busy_s > net->schedule_devices[busiest].busy_s)
			busiest = d;
	step->blocked_s = net->schedule_devices[busiest].blocked_s;
	struct stage_work *sum = &step->busiest;
	for (unsigned i = 0; i < step->count; ++i) {
		struct stage_work work;
		if (stage_device(evaluation, i) != busiest)
			continue;
		stage_work_fill(evaluation, &net->stages[i], &work);
		const double forward_s =
			work.forward_s + work.exchange_s[PASS_FORWARD] + work.halo_s[PASS_FORWARD];
		const double backward_s = work.device_s - forward_s;
		const double f = forward_s > 0 ? work.forward_total_s / forward_s : 1;
		const double b = backward_s > 0 ? work.backward_total_s / backward_s : 1;
		sum->forward_s += forward_s > 0 ? f * work.forward_s : work.forward_total_s;
		sum->backward_s +=
			backward_s > 0 ? b * (work.backward_s + work.weight_s) : work.backward_total_s;
		sum->again_s += b * work.again_s;
		sum->exchange_s[PASS_FORWARD] += f * work.exchange_s[PASS_FORWARD];
		sum->exchange_s[PASS_BACKWARD] += b * work.exchange_s[PASS_BACKWARD];
		sum->halo_s[PASS_FORWARD] += f * work.halo_s[PASS_FORWARD];
		sum->halo_s[PASS_BACKWARD] += b * work.halo_s[PASS_BACKWARD];
		sum->hidden_s += work.hidden_s;
		sum->host_s += work.host_s;
		sum->device_s += work.device_s;
	}
}

double training_update_s(const struct evaluation *evaluation, double weights, double owned)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct framework_training *training = &oracle->framework->training;
	const struct device *device = &oracle->machine->device;
	const double bytes = oracle->optimizer->bytes_per_weight * owned + training->step_bytes * weights;
	double s = bytes * evaluation->net->update_s_per_byte + training->step_s;
	if (evaluation->plan.offload & PARADL_OFFLOAD_OPTIMIZER && device->link.host_bytes_per_s > 0)
		s += owned * (training->gradient_bytes + precision_weight_bytes(oracle->precision)) /
		     device->link.host_bytes_per_s;
	return s;
}

/* What the replicas of one device exchange, and what of it shows. */
static void replicas_add(const struct evaluation *evaluation, const struct holder *holder, struct step *step)
{
	const double *sums = holder->sums, last_s = holder->last_s, first_s = holder->first_s;
	const struct overlaps overlaps = overlaps_of(evaluation);
	const double weights = sums[STAGE_WEIGHTS], experts = sums[STAGE_EXPERT_WEIGHTS];
	const struct replica_times times = device_exchange(evaluation, holder->device, sums);
	const struct schedule_device *scheduled = &evaluation->net->schedule_devices[holder->device];
	/* Of n buckets the first is ready after 1/n of the last backward, and the last one shows. */
	const double buckets = times.buckets > 1 ? times.buckets : usual_buckets;
	const double room = (1 - 1 / buckets) * last_s;
	double hidden = overlaps.gradients * times.gradients_s;
	if (hidden > room)
		hidden = room;
	double exposed = times.gradients_s - hidden - scheduled->early_s;
	if (exposed < 0) {
		hidden += times.gradients_s - hidden;
		exposed = 0;
	}
	double gather_hidden = overlaps.gathers * times.weights_s;
	if (gather_hidden > first_s)
		gather_hidden = first_s;
	exposed += times.weights_s - gather_hidden;
	hidden += gather_hidden;
	const double each_s = step->micro_batches * times.each_s;
	const double room_s = overlaps.shards * scheduled->busy_s;
	const double each_hidden = each_s < room_s ? each_s : room_s;
	exposed += each_s - each_hidden;
	hidden += each_hidden;
	const double interference = evaluation->oracle->framework->training.interference * each_hidden;
	const double update =
		training_update_s(evaluation, weights, device_owned(evaluation, holder->device, sums));
	if (exposed + update + interference >
		step->exposed_gradients_s + step->update_s + step->interference_s) {
		step->exposed_gradients_s = exposed;
		step->hidden_gradients_s = hidden;
		step->dense_weights = weights - experts;
		step->interference_s = interference;
		step->update_s = update;
	}
}

static void devices_add(const struct evaluation *evaluation, struct step *step)
{
	for (unsigned i = 0; i < step->holders; ++i)
		if (evaluation->net->holders[i].exchanges)
			replicas_add(evaluation, &evaluation->net->holders[i], step);
}

/* Embedding and head with the same weights in different stages sum their gradients. */
static double tied_s(const struct evaluation *evaluation)
{
	if (evaluation->plan.degree[PARADL_PIPELINE] < 2 || !evaluation->stage)
		return 0;
	double items = evaluation->shares ? 0 : tied_items(evaluation);
	/* The first share has the embedding, another a copy: the larger of their parts. */
	for (unsigned i = 0; evaluation->shares && i < evaluation->share_count; ++i)
		if (i == 0 || evaluation->shares[i].copied > 0)
			items = fmax(items, tied_items(evaluation->shares[i].evaluation));
	const double bytes = items * evaluation->oracle->framework->training.gradient_bytes;
	return bytes > 0 ? curve_s(evaluation->stage, bytes) : 0;
}

static void step_phases(const struct step *step, struct paradl_estimate *estimate)
{
	const double times = step->micro_batches;
	const struct stage_work *work = &step->busiest;
	double *phase = estimate->phase_s;
	const double exposed = times * (work->exchange_s[0] + work->exchange_s[1]);
	phase[PARADL_FORWARD] = times * work->forward_s;
	phase[PARADL_BACKWARD] = times * work->backward_s + step->interference_s;
	phase[PARADL_RECOMPUTE] = times * work->again_s;
	phase[PARADL_WEIGHT_UPDATE] = step->update_s;
	phase[PARADL_GRADIENT_EXCHANGE] = step->exposed_gradients_s + step->hidden_gradients_s + step->tied_s;
	phase[PARADL_ACTIVATION_EXCHANGE] = exposed + times * work->hidden_s;
	phase[PARADL_HALO_EXCHANGE] = times * (work->halo_s[0] + work->halo_s[1]);
	const double busy = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] - step->interference_s +
			    phase[PARADL_RECOMPUTE] + exposed + phase[PARADL_HALO_EXCHANGE];
	const double rest = step->schedule.makespan_s - busy;
	const double idle = rest > rounding * busy ? rest : 0;
	phase[PARADL_STAGE_TRANSFER] = step->blocked_s < idle ? step->blocked_s : idle;
	phase[PARADL_BUBBLE] = idle - phase[PARADL_STAGE_TRANSFER];
	estimate->compute_s = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE] +
			      phase[PARADL_WEIGHT_UPDATE];
	estimate->communication_s = phase[PARADL_GRADIENT_EXCHANGE] + phase[PARADL_ACTIVATION_EXCHANGE] +
				    phase[PARADL_HALO_EXCHANGE] + phase[PARADL_STAGE_TRANSFER];
	estimate->exposed_communication_s =
		estimate->communication_s - step->hidden_gradients_s - times * work->hidden_s;
	estimate->iteration_s =
		estimate->compute_s + estimate->exposed_communication_s + phase[PARADL_BUBBLE];
	estimate->iteration_quiet_s = estimate->iteration_s;
	if (2 * work->host_s > work->device_s)
		estimate->unchecked |= 1u << PARADL_UNCHECKED_HOST;
}

bool training_stages(const struct evaluation *evaluation, struct step *step, struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	*step = (struct step){.devices = evaluation->plan.degree[PARADL_PIPELINE],
		.micro_batches = evaluation->micro_batches};
	step->count = step->devices * evaluation->chunks;
	if (!schedule_reserve(
		    net->schedule, evaluation->oracle->arena, step->devices, evaluation->chunks, error) ||
		!stages_cut(evaluation, step->count, error))
		return false;
	for (unsigned i = 0, first = 0; i < step->count; first = net->stage_ends[i++]) {
		struct stage *stage = &net->stages[i];
		stage_fill(evaluation, first, net->stage_ends[i], i ? &net->stages[i - 1] : NULL, stage);
		stage->send_s[PASS_FORWARD] = training_message_s(evaluation, stage->end);
		stage->send_s[PASS_BACKWARD] = stage->send_s[PASS_FORWARD];
	}
	stage_times_fill(evaluation, step);
	return true;
}

bool training_stages_given(const struct evaluation *evaluation, const struct stage *stages, unsigned count,
	struct step *step, struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	*step = (struct step){.devices = count, .count = count, .micro_batches = evaluation->micro_batches};
	if (!schedule_reserve(net->schedule, evaluation->oracle->arena, count, 1, error))
		return false;
	memcpy(net->stages, stages, count * sizeof *stages);
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
		.times = evaluation->net->stage_times};
}

void training_hold_least(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	schedule_held_least(&schedule, net->held);
	const double first = net->stages[0].term[STAGE_KEPT],
		     last = net->stages[step->count - 1].term[STAGE_KEPT];
	if (evaluation->schedule == PARADL_ZERO_BUBBLE_V && last < first)
		net->held[0] = (unsigned)(net->held[0] * last / first);
	step->holders = holders_fill(evaluation);
}

void training_schedule(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	const double most = MICRO_BATCHES_MAX;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	step->schedule.devices = net->schedule_devices;
	step->schedule.held = net->held;
	if (evaluation->oracle->options.events)
		schedule_events(&schedule, net->schedule, false, &step->schedule);
	else
		schedule_run(&schedule, net->schedule, &step->schedule);
	if (step->micro_batches > most) {
		const double more = step->schedule.busy_s / most * (step->micro_batches - most);
		step->schedule.makespan_s += more;
		step->schedule.busy_s += more;
	}
	busiest_fill(evaluation, step);
	step->tied_s = tied_s(evaluation);
	step->holders = holders_fill(evaluation);
}

void training_share_times(
	const struct evaluation *evaluation, const struct step *scheduled, struct paradl_estimate *estimate)
{
	struct step step = *scheduled;
	devices_add(evaluation, &step);
	step_phases(&step, estimate);
	estimate->gradient_hidden_s = step.hidden_gradients_s;
	if (!evaluation->oracle->rules.ideal)
		replicas_describe(evaluation, step.dense_weights, estimate);
}

void training_share(
	const struct evaluation *evaluation, const struct step *scheduled, struct paradl_estimate *estimate)
{
	training_share_times(evaluation, scheduled, estimate);
	training_memory(evaluation, scheduled->holders, estimate);
}

bool training_run(
	const struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct step step;
	unit_costs_fill(evaluation);
	if (!training_stages(evaluation, &step, error))
		return false;
	training_schedule(evaluation, &step);
	training_share(evaluation, &step, estimate);
	return true;
}
