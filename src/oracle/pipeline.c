/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pipeline of unequal stages with the GPipe schedule: all micro-batches forward, then all backward, then the update.
 *
 * Identical jobs through machines in series (a permutation flow shop): the last of S micro-batches leaves when the
 * first has passed every stage and link, and S - 1 more have passed the slowest:
 *     makespan = sum_i t_i + (S - 1) max_i t_i,   t: stages and the links between them
 * once forward and once backward; the last stage turns round as its forward ends. tests/oracle compares it with an
 * event-by-event simulation.
 *
 * Ideal (ParaDL, pipeline row of Table III, with the weight update outside the factor):
 *     (p + S - 1) (max FW + max BW) + max WU,  2 (p + S - 2) max(alpha + |y| delta beta)   per micro-batch
 *
 * On the critical path, the slowest stage's work is forward and backward; the rest of the makespan is bubble.
 */
#include "oracle/oracle.h"
#include "oracle/schedule.h"

struct stages {
	double forward, backward, recompute, update, activation,
		halo; /* of the slowest stage, one micro-batch */
	double forward_sum, backward_sum, link_sum, link_max;
	double gradients, late_gradients, late_calls;
	double gradient_items, gradient_tensors; /* of the stage whose exchange takes longest */
	double forward_max, backward_max; /* with exchanges; below without, each the largest by itself */
	double compute_forward, compute_backward, exchange, faces;
};

double gpipe_s(double sum_s, double slowest_s, double micro_batches)
{
	return sum_s + (micro_batches - 1) * slowest_s;
}

static const unsigned *cuts(const struct evaluation *evaluation)
{
	const struct prepared *net = evaluation->net;
	double work = 0;
	for (unsigned u = 0; u < net->model->unit_count; ++u) {
		net->stage_work[u] = work;
		for (unsigned i = net->model->units[u].first; i < net->model->units[u].end; ++i) {
			const struct layer_cost *cost = &net->costs[net->model->order[i]];
			work += cost->forward_s + cost->backward_s + cost->activation_s[0] +
				cost->activation_s[1] + cost->halo_s[0] + cost->halo_s[1];
		}
	}
	net->stage_work[net->model->unit_count] = work;
	partition(net->stage_work, net->model->unit_count, evaluation->plan.degree[PARADL_PIPELINE],
		net->stage_ends);
	return net->stage_ends;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Items of one micro-batch that enter units from `first` on: the network's input, or what the unit before sends. */
static double input_items(const struct evaluation *evaluation, unsigned first)
{
	const struct paradl_model *model = evaluation->net->model;
	const unsigned position = first ? model->units[first - 1].end - 1 : 0;
	const double items = first ? model->units[first - 1].boundary_items : tensor_items(&model->input);
	const bool cut =
		evaluation->net->cut[model->order[position]] & evaluation->axes & 1U << PARADL_SPATIAL;
	return evaluation->samples * items / (cut ? evaluation->plan.degree[PARADL_SPATIAL] : 1);
}

/* The link after a stage, for the tensor that enters the next one. */
static double link_s(const struct evaluation *evaluation, unsigned end)
{
	if (end >= evaluation->net->model->unit_count)
		return 0;
	return curve_s(evaluation->stage, input_items(evaluation, end) * evaluation->item_bytes);
}

/* Share of the forward pass that recomputation repeats: all micro-batches but the last. */
static double recompute_share(const struct evaluation *evaluation)
{
	const double count = evaluation->micro_batches;
	return evaluation->oracle->framework->recompute && !evaluation->oracle->rules.ideal
		       ? (count - 1) / count
		       : 0;
}

/*
 * A stage holds what entered it, if its backward reads that: of every micro-batch in flight, and for recomputation of
 * all others. The first layer of the network already counts the network's input among what it keeps.
 */
static void memory_keep_largest(const struct evaluation *evaluation, const struct stage_sums *sums,
	unsigned first, struct paradl_memory *largest)
{
	struct paradl_memory memory = {0};
	const double count = evaluation->micro_batches;
	const bool recompute = recompute_share(evaluation) > 0, ideal = evaluation->oracle->rules.ideal;
	const bool kept = first && evaluation->net->model->units[first - 1].boundary_kept;
	const double live = recompute ? 1 : count;
	const double held = count - live + (kept ? live : 0);
	const double inputs = ideal ? 0 : held * input_items(evaluation, first);
	memory_fill(evaluation, sums, live, inputs, &memory);
	const double bytes = memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes +
			     memory.activations_bytes + memory.workspace_bytes;
	const double most = largest->weights_bytes + largest->gradients_bytes + largest->optimizer_bytes +
			    largest->activations_bytes + largest->workspace_bytes;
	if (bytes > most)
		*largest = memory;
}

/* A stage of units [first, end) with one micro-batch, exchanges included. */
struct passing {
	struct stage_sums sums;
	double gathering_s, again_s; /* of forward and backward each; recomputed */
	double forward_s, backward_s, link_s;
};

static struct passing stage_passing(const struct evaluation *evaluation, unsigned first, unsigned end)
{
	const struct paradl_model *model = evaluation->net->model;
	const unsigned gather = evaluation->net->gather_position;
	const bool gathers = model->units[first].first <= gather && gather < model->units[end - 1].end;
	struct passing pass = {
		.sums = stage_sum(evaluation, model->units[first].first, model->units[end - 1].end),
		.gathering_s = gathers ? gather_s(evaluation) / 2 : 0,
		.link_s = link_s(evaluation, end)};
	const struct stage_sums *const sums = &pass.sums;
	pass.again_s =
		recompute_share(evaluation) * (sums->forward_s + sums->activation_s[0] + sums->halo_s[0]);
	pass.forward_s = sums->forward_s + sums->activation_s[0] + sums->halo_s[0] + pass.gathering_s;
	pass.backward_s =
		sums->backward_s + sums->activation_s[1] + sums->halo_s[1] + pass.gathering_s + pass.again_s;
	return pass;
}

/* One stage of units [first, end): its work on top of what the stages before it made. */
static void stage_add(const struct evaluation *evaluation, unsigned first, unsigned end,
	struct stages *stages, struct paradl_memory *memory)
{
	const struct passing pass = stage_passing(evaluation, first, end);
	const struct stage_sums sums = pass.sums;
	const double again = pass.again_s, gathering = pass.gathering_s, link = pass.link_s;
	const double forward = pass.forward_s, backward = pass.backward_s;
	if (forward + backward >
		stages->forward + stages->backward + stages->recompute + stages->activation + stages->halo) {
		stages->forward = sums.forward_s;
		stages->backward = sums.backward_s;
		stages->recompute = again;
		stages->activation = sums.activation_s[0] + sums.activation_s[1] + 2 * gathering;
		stages->halo = sums.halo_s[0] + sums.halo_s[1];
	}
	stages->forward_sum += forward;
	stages->backward_sum += backward;
	stages->forward_max = larger(stages->forward_max, forward);
	stages->backward_max = larger(stages->backward_max, backward);
	stages->link_sum += link;
	stages->link_max = larger(stages->link_max, link);
	stages->update = larger(stages->update, sums.update_s);
	const double gradients = gradient_exchange_s(evaluation, sums.weight_items, sums.tensors, NULL);
	if (gradients > stages->gradients) {
		stages->gradients = gradients;
		stages->gradient_items = sums.weight_items;
		stages->gradient_tensors = sums.tensors;
	}
	stages->late_gradients = larger(stages->late_gradients, waiting_s(evaluation, &sums, true));
	stages->late_calls = larger(stages->late_calls, waiting_s(evaluation, &sums, false));
	stages->compute_forward = larger(stages->compute_forward, sums.forward_s);
	stages->compute_backward = larger(stages->compute_backward, sums.backward_s);
	stages->exchange = larger(stages->exchange, sums.activation_s[0] + sums.activation_s[1]);
	stages->faces = larger(stages->faces, sums.halo_s[0] + sums.halo_s[1]);
	memory_keep_largest(evaluation, &sums, first, memory);
}

/* Table III takes each maximum by itself; so do hybrids' exchanges, which it does not list. */
static void ideal_phases_fill(const struct evaluation *evaluation, const struct stages *stages, double *phase)
{
	const double count = evaluation->micro_batches, p = evaluation->plan.degree[PARADL_PIPELINE];
	phase[PARADL_FORWARD] = count * stages->compute_forward;
	phase[PARADL_BACKWARD] = count * stages->compute_backward;
	phase[PARADL_ACTIVATION_EXCHANGE] = (p + count - 1) * stages->exchange;
	phase[PARADL_HALO_EXCHANGE] = (p + count - 1) * stages->faces;
	phase[PARADL_BUBBLE] = (p - 1) * (stages->compute_forward + stages->compute_backward);
	phase[PARADL_STAGE_TRANSFER] = 2 * (p + count - 2) * stages->link_max;
}

static void phases_fill(const struct evaluation *evaluation, const struct stages *stages, double *phase)
{
	const double count = evaluation->micro_batches;
	const double slowest_forward = larger(stages->forward_max, stages->link_max);
	const double slowest_backward = larger(stages->backward_max, stages->link_max);
	const double makespan = gpipe_s(stages->forward_sum + stages->link_sum, slowest_forward, count) +
				gpipe_s(stages->backward_sum + stages->link_sum, slowest_backward, count);
	phase[PARADL_FORWARD] = count * stages->forward;
	phase[PARADL_BACKWARD] = count * stages->backward;
	phase[PARADL_RECOMPUTE] = count * stages->recompute;
	phase[PARADL_ACTIVATION_EXCHANGE] = count * stages->activation;
	phase[PARADL_HALO_EXCHANGE] = count * stages->halo;
	const double work = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE] +
			    phase[PARADL_ACTIVATION_EXCHANGE] + phase[PARADL_HALO_EXCHANGE];
	/* The first micro-batch waits for every link on its way; so does the schedule when a link is slowest. */
	const double idle = larger(makespan - work, 0);
	const double transfer =
		2 * stages->link_sum + (count - 1) * (slowest_forward - stages->forward_max +
							     slowest_backward - stages->backward_max);
	phase[PARADL_STAGE_TRANSFER] = transfer < idle ? transfer : idle;
	phase[PARADL_BUBBLE] = idle - phase[PARADL_STAGE_TRANSFER];
}

/* Table III: every stage takes what the slowest does, and every link. */
static void ideal_times_fill(const struct evaluation *evaluation, struct stage_times *times)
{
	const unsigned parts = evaluation->plan.degree[PARADL_PIPELINE];
	const unsigned *ends = cuts(evaluation);
	struct stages stages = {0};
	struct paradl_memory memory = {0};
	for (unsigned part = 0, first = 0; part < parts; first = ends[part++])
		stage_add(evaluation, first, ends[part], &stages, &memory);
	const double exchanges_s = (stages.exchange + stages.faces) / 2;
	for (unsigned part = 0; part < parts; ++part)
		times[part] = (struct stage_times){.forward_s = stages.compute_forward + exchanges_s,
			.backward_s = stages.compute_backward + exchanges_s,
			.send_forward_s = stages.link_max,
			.send_backward_s = stages.link_max,
			.forward_blocked_s = stages.link_max,
			.backward_blocked_s = stages.link_max};
}

void pipeline_times(const struct evaluation *evaluation, struct stage_times *times)
{
	const unsigned parts = evaluation->plan.degree[PARADL_PIPELINE];
	if (evaluation->oracle->rules.ideal) {
		ideal_times_fill(evaluation, times);
		return;
	}
	const unsigned *ends = cuts(evaluation);
	for (unsigned part = 0, first = 0; part < parts; first = ends[part++]) {
		const struct passing pass = stage_passing(evaluation, first, ends[part]);
		times[part] = (struct stage_times){.forward_s = pass.forward_s,
			.backward_s = pass.backward_s,
			.send_forward_s = pass.link_s,
			.send_backward_s = part ? times[part - 1].send_forward_s : 0};
	}
}

void pipeline_run(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const unsigned parts = evaluation->plan.degree[PARADL_PIPELINE];
	struct stages stages = {0};
	const unsigned *ends = cuts(evaluation);
	unsigned first = 0;
	for (unsigned part = 0; part < parts; ++part) {
		stage_add(evaluation, first, ends[part], &stages, &estimate->memory);
		first = ends[part];
	}
	double *phase = estimate->phase_s;
	if (evaluation->oracle->rules.ideal)
		ideal_phases_fill(evaluation, &stages, phase);
	else
		phases_fill(evaluation, &stages, phase);
	phase[PARADL_WEIGHT_UPDATE] = stages.update;
	phase[PARADL_GRADIENT_EXCHANGE] = stages.gradients + stages.late_gradients;
	estimate->gradient_host_s =
		gradient_host_s(evaluation, stages.gradient_items, stages.gradient_tensors);
	gradient_describe(evaluation, stages.gradient_items, estimate);
	phase[stages.halo > 0 ? PARADL_HALO_EXCHANGE : PARADL_ACTIVATION_EXCHANGE] += stages.late_calls;
	estimate->gradient_waiting_s = stages.late_gradients;
	estimate->waiting_s = stages.late_gradients + stages.late_calls;
}
