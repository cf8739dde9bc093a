/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are terms of an estimate, and those of a phase add up to it. Each is a formula of paradl-formulas(7) with the
 * numbers of the device that works longest, or of the one whose replicas' exchange is exposed most.
 */
#include "oracle/explain_rows.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"
#include "oracle/training.h"

static const double rounding = 1e-9; /* share of a phase */
static const char *const again[PARADL_RECOMPUTE_COUNT] = {"", "", "attention scores again",
	"forward of every block again", "cheap modules of every block again"};

void row_add(struct rows *rows, enum paradl_phase phase, double seconds, const char *formula,
	const char *numbers, ...)
{
	va_list arguments;
	if (!(seconds > rounding * rows->estimate->phase_s[phase]))
		return;
	struct paradl_term *const term = LIST_ADD(rows->arena, rows->list, rows->count);
	if ((rows->failed = rows->failed || !term))
		return;
	term->phase = phase;
	term->seconds = seconds;
	snprintf(term->formula, sizeof term->formula, "%s", formula);
	va_start(arguments, numbers);
	vsnprintf(term->numbers, sizeof term->numbers, numbers, arguments);
	va_end(arguments);
}

/* -- training: the device that works longest ------------------------------------------------------------------ */

/* Sums over the stages of the busiest device, of one micro-batch. */
struct busiest {
	double term[STAGE_LARGEST]; /* seconds as kernels and links take */
	/* Exchanges as the host stretches them, hidden or not: */
	double axis_s[TOKEN_AXES], layerwise_s, gather_s;
	double cast_s[2]; /* quantising, part of the terms of forward and backward */
};

/* Returns the seconds in which layers of a stage quantise, in a pass over one micro-batch. */
static double stage_cast_s(const struct evaluation *evaluation, const struct stage *stage, unsigned pass)
{
	const struct paradl_model *model = evaluation->net->model;
	double s = 0;
	for (unsigned i = model->units[stage->first].first; i < model->units[stage->end - 1].end; ++i)
		s += evaluation->net->costs[model->order[i]].cast_s[pass];
	return s;
}

static void busiest_sum(const struct rows *rows, struct busiest *sum)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, rows->step);
	const struct overlaps overlaps = overlaps_of(evaluation);
	for (unsigned i = 0; i < rows->step->count; ++i) {
		const struct stage *stage = &evaluation->net->stages[i];
		const double *const term = stage_repeated(stage)->term;
		double ratio[2];
		if (schedule_device(&schedule, i) != rows->step->busiest_device)
			continue;
		stage_work_ratios(&evaluation->net->works[i - stage->repeats], ratio);
		for (unsigned k = 0; k < STAGE_LARGEST; ++k)
			sum->term[k] += term[k];
		for (unsigned pass = 0; pass < 2; ++pass) {
			sum->layerwise_s += ratio[pass] * term[STAGE_LAYERWISE_S + pass];
			sum->gather_s += ratio[pass] * stage->gather_s;
			sum->cast_s[pass] += stage_cast_s(evaluation, stage, pass);
			for (unsigned axis = 0; axis < TOKEN_AXES; ++axis)
				sum->axis_s[axis] +=
					term[STAGE_EXCHANGE_S + 2 * axis + pass] *
					(ratio[pass] * (1 - overlaps.axis[axis]) + overlaps.axis[axis]);
		}
	}
	sum->axis_s[PARADL_CONTEXT - PARADL_EXPERT] +=
		sum->term[STAGE_HIDDEN_S + PASS_FORWARD] + sum->term[STAGE_HIDDEN_S + PASS_BACKWARD];
}

/* Returns the part of a phase that quantises, which the host stretches like its other kernels. */
static double cast_part_s(double phase_s, double cast_s, double kernels_s)
{
	return kernels_s > 0 ? phase_s * cast_s / kernels_s : 0;
}

/* Adds the seconds in which operands of products are brought to a narrow format. */
static void cast_row(struct rows *rows, enum paradl_phase phase, double seconds)
{
	const struct paradl_oracle *oracle = rows->evaluation->oracle;
	const struct device_product *product = &oracle->machine->device.product;
	const struct device_quantize *quantize = &product->quantize[oracle->precision];
	const char *const name = paradl_precision_name(oracle->precision);
	if (rows->evaluation->serving)
		row_add(rows, phase, seconds,
			"quantising inputs of products: start + items bytes per item / memory rate",
			"start %.4g us, %.4g bytes an item, %s", quantize->start_s * 1e6, quantize->bytes,
			name);
	else
		row_add(rows, phase, seconds,
			"quantising operands of products: items bytes per item / memory rate",
			"%.4g bytes an item, %s", product->cast_bytes, name);
}

static void compute_rows(struct rows *rows, const struct busiest *busiest)
{
	static const char *const formulas[] = {
		[HOST_NONE] = "sum over layers of flop / (peak degrees)",
		[HOST_STRETCHES] = "max(sum over layers of device, layers host calls)",
		[HOST_RUNS_AHEAD] = "micro-batches (device^q + host^q)^(1/q)",
		[HOST_BLOCKS] = "micro-batches (device + exposed host)",
	};
	const struct evaluation *evaluation = rows->evaluation;
	const struct rules *rules = &evaluation->oracle->rules;
	const struct step *step = rows->step;
	const double *phase = rows->estimate->phase_s, *term = busiest->term;
	const double aside_s = step->busiest.host_s[PASS_FORWARD] + step->busiest.host_s[PASS_BACKWARD];
	const double host_s = aside_s > 0 ? aside_s : term[STAGE_HOST_S];
	const double backward_s = phase[PARADL_BACKWARD] - step->exchange.interference_s;
	const double cast_s[2] = {
		cast_part_s(phase[PARADL_FORWARD], busiest->cast_s[PASS_FORWARD], term[STAGE_FORWARD_S]),
		cast_part_s(backward_s, busiest->cast_s[PASS_BACKWARD],
			term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S])};
	const char *formula = evaluation->blocking && rules->host == HOST_STRETCHES
				      ? "sum over layers of max(device, host call) + copies"
				      : formulas[rules->host];
	row_add(rows, PARADL_FORWARD, phase[PARADL_FORWARD] - cast_s[PASS_FORWARD], formula,
		"%.4g x %.4g samples, %u layers%s: %.4g ms of kernels, %.4g ms of host in both passes",
		step->micro_batches, evaluation->samples, evaluation->net->model->order_count,
		step->devices > 1 ? ", of them those of the slowest stage" : "", term[STAGE_FORWARD_S] * 1e3,
		host_s * 1e3);
	cast_row(rows, PARADL_FORWARD, cast_s[PASS_FORWARD]);
	row_add(rows, PARADL_BACKWARD, backward_s - cast_s[PASS_BACKWARD], formula,
		"%.4g x %.4g samples: %.4g ms of kernels, %.4g ms of them for weights alone",
		step->micro_batches, evaluation->samples,
		(term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S]) * 1e3, term[STAGE_WEIGHT_S] * 1e3);
	cast_row(rows, PARADL_BACKWARD, cast_s[PASS_BACKWARD]);
	row_add(rows, PARADL_BACKWARD, step->exchange.interference_s,
		"share of hidden traffic that slows compute down", "%.3g of that of sharded weights",
		rules->interference);
	row_add(rows, PARADL_RECOMPUTE, phase[PARADL_RECOMPUTE],
		evaluation->recomputes_stages ? "(S - 1) forward" : again[evaluation->recompute],
		"S = %.4g micro-batches, %.4g ms each", step->micro_batches, step->busiest.again_s * 1e3);
}

void waiting_row(struct rows *rows, enum paradl_phase phase, double seconds, unsigned nodes, double calls)
{
	const struct rules *rules = &rows->evaluation->oracle->rules;
	const double *phase_s = rows->estimate->phase_s;
	row_add(rows, phase, seconds, "jitter (nodes^growth - 1) sqrt(work syncs)",
		"%.4g ms, %u nodes, growth %.2g, %.4g s of work, %.4g synchronisations",
		rules->jitter_s * 1e3, nodes, rules->jitter_growth,
		phase_s[PARADL_FORWARD] + phase_s[PARADL_BACKWARD], calls);
}

/* Adds the collectives of layers, a row for each axis; returns the seconds of all. */
static double collective_rows(struct rows *rows, const struct busiest *busiest, double calls)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct rules *rules = &evaluation->oracle->rules;
	const char *const formulas[TOKEN_AXES] = {
		evaluation->dispatcher > PARADL_DISPATCHER_ALL_TO_ALL
			? "2 dispatches and 2 combines of each layer with experts"
			: "4 all-to-alls of each layer with experts",
		"keys and values, before attention or behind it",
		evaluation->plan.sequence ? "reduce-scatter + all-gather of each layer"
					  : "allreduce of each layer"};
	const double times = rows->step->micro_batches;
	const unsigned gathered = evaluation->net->spatial_end;
	const double pieces_s = times * busiest->gather_s, sent_s = times * busiest->layerwise_s;
	double sum_s = sent_s;
	for (unsigned i = 0; i < TOKEN_AXES; ++i) {
		const unsigned axis = PARADL_EXPERT + i;
		row_add(rows, PARADL_ACTIVATION_EXCHANGE, times * busiest->axis_s[i], formulas[i],
			"%s=%u on %u nodes, %.4g x %.4g ms", strategies[axis]->name,
			evaluation->plan.degree[axis], evaluation->nodes[axis], times,
			busiest->axis_s[i] * 1e3);
		sum_s += times * busiest->axis_s[i];
	}
	row_add(rows, PARADL_ACTIVATION_EXCHANGE, sent_s - pieces_s,
		"sum over cut layers of allgather + allreduce",
		"%.4g calls, %u nodes, %u rings, %.3g ms a call", calls, evaluation->call_nodes,
		rules->activation_rings, rules->collective_call_s * 1e3);
	row_add(rows, PARADL_ACTIVATION_EXCHANGE, pieces_s, "gather of the spatial pieces, there and back",
		"%s, after %s",
		evaluation->plan.gather[0] ? "where the plan says"
					   : "before the first layer that needs them whole",
		evaluation->net->model->names[gathered ? gathered - 1 : 0]);
	return sum_s;
}

static void layer_exchange_rows(struct rows *rows, const struct busiest *busiest)
{
	const struct evaluation *evaluation = rows->evaluation;
	const double *phase = rows->estimate->phase_s, times = rows->step->micro_batches;
	const double late_s = rows->step->late_calls_s, calls = times * busiest->term[STAGE_SYNCHRONISATIONS];
	const bool halo_waits = phase[PARADL_HALO_EXCHANGE] > 0;
	/* Table III takes the most that any stage exchanges, also while the pipeline fills. */
	const bool most = evaluation->oracle->rules.ideal && rows->step->devices > 1;
	const double sum_s = most ? 0 : collective_rows(rows, busiest, calls);
	row_add(rows, PARADL_ACTIVATION_EXCHANGE,
		phase[PARADL_ACTIVATION_EXCHANGE] - (halo_waits ? 0 : late_s) - sum_s,
		most ? "(p + S - 1) the most of any stage"
		     : "recomputed exchanges, and transfers to host memory and back",
		"%.4g times", times);
	row_add(rows, PARADL_HALO_EXCHANGE, phase[PARADL_HALO_EXCHANGE] - (halo_waits ? late_s : 0),
		"sum over windowed layers of messages (a + bytes b)", "%.4g layers and passes, %s", calls,
		evaluation->oracle->rules.staged ? "through host memory" : "between devices");
	waiting_row(rows, halo_waits ? PARADL_HALO_EXCHANGE : PARADL_ACTIVATION_EXCHANGE, late_s,
		evaluation->call_nodes, calls);
}

/* -- training: the pipeline and input ------------------------------------------------------------------------- */

/* Adds messages and bubble of a pipeline, of inference too. */
static void pipeline_rows(struct rows *rows)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct rules *rules = &evaluation->oracle->rules;
	const double *phase = rows->estimate->phase_s, times = rows->estimate->micro_batches;
	const unsigned stages = evaluation->plan.degree[PARADL_PIPELINE];
	row_add(rows, PARADL_STAGE_TRANSFER, phase[PARADL_STAGE_TRANSFER],
		evaluation->serving  ? "p - 1 messages forward, and one back for each token"
		: rules->ideal       ? "2 (p + S - 2) max(alpha + |y| delta beta)"
		: rules->links_queue ? "every link once each way, and the slowest when it limits"
				     : "messages that keep their sender busy",
		"p = %u stages, S = %.4g micro-batches", stages, times);
	row_add(rows, PARADL_BUBBLE, phase[PARADL_BUBBLE],
		evaluation->generates ? "stages in turn, the program's own time, waiting for memory"
		: evaluation->serving ? "stages in turn - passes slowest stage"
		: training_is_flow_shop(evaluation) ? "sum of stages + (S - 1) slowest - S slowest"
						    : "schedule - work of the device that works longest",
		"p = %u, v = %u stages on each, S = %.4g micro-batches", stages, evaluation->chunks, times);
}

static void input_row(struct rows *rows)
{
	struct paradl_input input;
	if (!(rows->estimate->phase_s[PARADL_INPUT] > 0))
		return;
	paradl_input(rows->evaluation->oracle, rows->estimate, NULL, &input);
	row_add(rows, PARADL_INPUT, rows->estimate->phase_s[PARADL_INPUT],
		rows->evaluation->oracle->options.input->in_turn
			? "fetch + preparation + copy to the device + exchange"
			: "max(fetch, preparation, copy to the device, step) - step + exchange",
		"fetch %.4g ms (%s), preparation %.4g ms, copy %.4g ms, exchange %.4g ms, step %.4g ms",
		(input.fetch_s + input.straggler_s) * 1e3, paradl_store_name(input.store),
		input.preparation_s * 1e3, input.transfer_s * 1e3, input.exchange_s * 1e3,
		input.busy_s * 1e3);
}

static void training_rows(struct rows *rows)
{
	struct busiest busiest = {.gather_s = 0};
	busiest_sum(rows, &busiest);
	compute_rows(rows, &busiest);
	update_rows(rows);
	layer_exchange_rows(rows, &busiest);
	replica_rows(rows);
	pipeline_rows(rows);
	input_row(rows);
}

static void inference_rows(struct rows *rows)
{
	const struct paradl_inference *inference = &rows->estimate->inference;
	const double *phase = rows->estimate->phase_s, passes = rows->estimate->micro_batches;
	const unsigned *degree = rows->evaluation->plan.degree;
	const double steps = inference->output_tokens > 1 ? inference->output_tokens - 1 : 0;
	row_add(rows, PARADL_FORWARD, phase[PARADL_FORWARD] - inference->cast_s,
		steps > 0 ? "prompts + (tokens - 1) steps: max(flop / rate, bytes / memory rate) + launch"
			  : "passes of max(flop / rate, bytes / memory rate) + launch",
		"%.4g passes of %.4g samples; %.4g tokens more at %.4g ms, prompts of others included; "
		"%.0f %% reads memory, %.0f %% launches",
		steps > 0 ? 1 : passes, steps > 0 ? 1 : share(rows->estimate->local_batch, passes, false),
		steps, inference->token_s * 1e3, inference->memory_share * 100,
		inference->launch_share * 100);
	cast_row(rows, PARADL_FORWARD, inference->cast_s);
	row_add(rows, PARADL_ACTIVATION_EXCHANGE, phase[PARADL_ACTIVATION_EXCHANGE],
		"sum over layers of collectives, forward", "tensor=%u, context=%u, expert=%u",
		degree[PARADL_TENSOR], degree[PARADL_CONTEXT], degree[PARADL_EXPERT]);
	row_add(rows, PARADL_HALO_EXCHANGE, phase[PARADL_HALO_EXCHANGE],
		"sum over windowed layers of messages (a + bytes b), forward", "%.4g passes", passes);
	pipeline_rows(rows);
}

bool paradl_explain(struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_arena *arena,
	struct paradl_explanation *explanation, struct paradl_error *error)
{
	const struct result *result = result_of(oracle, plan, error);
	if (!result)
		return false;
	struct rows rows = {.evaluation = &result->evaluation,
		.estimate = &result->estimate,
		.step = &result->step,
		.arena = arena};
	(result->evaluation.serving ? inference_rows : training_rows)(&rows);
	if (rows.failed)
		return out_of_memory(error);
	*explanation = (struct paradl_explanation){rows.list, rows.count, NULL, 0};
	return result->evaluation.serving || links_explain(result, arena, explanation, error);
}
