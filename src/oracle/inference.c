/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inference: B samples (images, or sequences of tokens) come at once, are spread over the replicas, and leave together.
 *     pass       the network once, forward, over some samples: stages in turn, L = sum of stages and messages between
 *     prompts    q passes follow one another through the stages: L + (q - 1) slowest stage
 *     tokens     micro-batches are in flight at once, each back at the first stage for its next token:
 *                max(L + message back, micro-batches x slowest stage) from one token to the next
 *     request    prompts + (n - 1) tokens, of n: the prompts' passes make the first. Keys grow with each token; time is
 *                linear in them, so the mean stands for all: prompt + n / 2
 */
#include "oracle/inference.h"

#include "oracle/serving_memory.h"
#include "oracle/stage_work.h"

/* A pass through the network. */
struct forward {
	double count;                                 /* of them, in flight or one after the other */
	double compute_s, exchange_s, halo_s, slow_s; /* of the slowest stage; slow_s: together */
	double latency_s, transfer_s;                 /* through all stages; of it messages */
	double all_s, bound_s[BOUNDS],
		flop; /* of the whole network, on one device of each stage; all_s: compute */
};

static void stage_pass(const struct evaluation *evaluation, const struct stage *stage, struct forward *pass)
{
	const double *term = stage->term;
	const double compute_s = stage_stretch(evaluation, term) * term[STAGE_FORWARD_S];
	const double halo_s = term[STAGE_HALO_S + PASS_FORWARD];
	double sent_s = term[STAGE_LAYERWISE_S + PASS_FORWARD];
	for (unsigned axis = 0; axis < TOKEN_AXES; ++axis)
		sent_s += term[STAGE_EXCHANGE_S + 2 * axis + PASS_FORWARD];
	const double s = compute_s + sent_s + halo_s;
	pass->latency_s += s;
	pass->all_s += compute_s;
	if (s <= pass->slow_s)
		return;
	pass->slow_s = s;
	pass->compute_s = compute_s;
	pass->exchange_s = sent_s;
	pass->halo_s = halo_s;
}

static double message_s(const struct evaluation *evaluation, double bytes)
{
	return evaluation->stage
		       ? curve_s(evaluation->stage, bytes) + evaluation->oracle->machine->device.link.start_s
		       : 0;
}

/* From the stage that ends before this unit to the next. */
static double boundary_bytes(const struct evaluation *evaluation, unsigned end)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const double bytes = evaluation->samples * evaluation->net->model->units[end - 1].boundary_items *
			     evaluation->item_bytes / plan->degree[PARADL_CONTEXT];
	return plan->sequence ? bytes / plan->degree[PARADL_TENSOR] : bytes;
}

/* What kernels do not take is the host's, starting them. */
static void network_add(const struct evaluation *evaluation, struct forward *pass)
{
	const struct paradl_model *model = evaluation->net->model;
	double kernels_s = 0;
	for (unsigned i = 0; i < model->layer_count; ++i) {
		const struct layer_cost *cost = &evaluation->net->costs[i];
		for (unsigned k = 0; k < BOUNDS; ++k) {
			pass->bound_s[k] += model->layers[i].count * cost->bound_s[k];
			kernels_s += model->layers[i].count * cost->bound_s[k];
		}
		pass->flop += model->layers[i].count * cost->flop;
	}
	if (pass->all_s > kernels_s)
		pass->bound_s[BOUND_LAUNCH] += pass->all_s - kernels_s;
}

/* With the costs of the evaluation's layers; cut: choose the stages, too. */
static bool pass_fill(const struct evaluation *evaluation, double count, bool cut, struct forward *pass,
	struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	const unsigned stages = evaluation->plan.degree[PARADL_PIPELINE];
	*pass = (struct forward){.count = count};
	unit_costs_fill(evaluation);
	if (cut && !stages_cut(evaluation, stages, error))
		return false;
	for (unsigned i = 0, first = 0; i < stages; first = net->stage_ends[i++]) {
		stage_fill(evaluation, first, net->stage_ends[i], i ? &net->stages[i - 1] : NULL,
			&net->stages[i]);
		stage_pass(evaluation, &net->stages[i], pass);
		if (i + 1 < stages)
			pass->transfer_s +=
				message_s(evaluation, boundary_bytes(evaluation, net->stage_ends[i]));
	}
	pass->latency_s += pass->transfer_s;
	network_add(evaluation, pass);
	return true;
}

static void costs_fill(const struct evaluation *evaluation)
{
	for (unsigned i = 0; i < evaluation->net->model->layer_count; ++i)
		layer_cost(evaluation, i, &evaluation->net->costs[i]);
}

/* What a batch takes. */
struct request {
	struct forward prompts, tokens;
	double prompts_s, token_s, steps, total_s;
};

static double prompts_s(const struct forward *pass)
{
	return pass->latency_s + (pass->count - 1) * pass->slow_s;
}

/* Tokens of `local` sequences on each replica; leaves the costs of such a pass. */
static bool tokens_run(
	struct evaluation *evaluation, double local, struct request *request, struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double id_bytes = 4, count = serving_passes(&evaluation->plan, local, local);
	const double sequences = share(local, count, false);
	const bool sequence = evaluation->plan.sequence;
	evaluation->serving = SERVE_TOKEN;
	evaluation->samples = sequences / evaluation->net->model->sequence;
	evaluation->keys = oracle->prompt_tokens + oracle->output_tokens / 2;
	evaluation->plan.sequence = false; /* a token is no sequence to cut */
	costs_fill(evaluation);
	const bool filled = pass_fill(evaluation, count, false, &request->tokens, error);
	struct forward *pass = &request->tokens;
	if (evaluation->plan.degree[PARADL_PIPELINE] > 1) {
		const double back_s = message_s(evaluation, sequences * id_bytes);
		pass->transfer_s += back_s;
		pass->latency_s += back_s;
	}
	request->token_s = pass->count * pass->slow_s;
	if (request->token_s < pass->latency_s)
		request->token_s = pass->latency_s;
	evaluation->plan.sequence = sequence;
	evaluation->serving = SERVE_PROMPT;
	return filled;
}

/* With the costs of its prompts' passes; leaves other ones. */
static bool request_run(struct evaluation *evaluation, double local, bool cut, struct request *request,
	struct paradl_error *error)
{
	*request = (struct request){.steps = 0};
	if (!pass_fill(evaluation, serving_prompt_passes(evaluation, local), cut, &request->prompts, error))
		return false;
	request->prompts_s = prompts_s(&request->prompts);
	if (evaluation->generates) {
		if (!tokens_run(evaluation, local, request, error))
			return false;
		request->steps = evaluation->oracle->output_tokens - 1;
	}
	request->total_s = request->prompts_s + request->steps * request->token_s;
	return true;
}

/* On the critical path: the slowest stage's work, messages of one pass, and waiting for the others. */
static void phases_add(const struct forward *pass, double times, double total_s, double *phase)
{
	const double idle_s = total_s - pass->count * pass->slow_s;
	const double transfer_s = pass->transfer_s < idle_s ? pass->transfer_s : idle_s;
	phase[PARADL_FORWARD] += times * pass->count * pass->compute_s;
	phase[PARADL_ACTIVATION_EXCHANGE] += times * pass->count * pass->exchange_s;
	phase[PARADL_HALO_EXCHANGE] += times * pass->count * pass->halo_s;
	if (idle_s > 1e-9 * total_s) {
		phase[PARADL_STAGE_TRANSFER] += times * transfer_s;
		phase[PARADL_BUBBLE] += times * (idle_s - transfer_s);
	}
}

/* Shares of the kernels' time by what bounds them. */
static void bounds_fill(
	const struct request *request, const double *phase, double total_s, double share_of[BOUNDS])
{
	double sums[BOUNDS], all = 0;
	for (unsigned k = 0; k < BOUNDS; ++k) {
		sums[k] = request->prompts.count * request->prompts.bound_s[k] +
			  request->steps * request->tokens.count * request->tokens.bound_s[k];
		all += sums[k];
	}
	for (unsigned k = 0; k < BOUNDS; ++k)
		share_of[k] = all > 0 && total_s > 0 ? sums[k] / all * phase[PARADL_FORWARD] / total_s : 0;
}

static const struct paradl_limit kernel_limits[BOUNDS] = {
	[BOUND_COMPUTE] = {PARADL_FORWARD, PARADL_LIMITATION, 0, "compute",
		"a faster device or a lower precision"},
	[BOUND_MEMORY] = {PARADL_FORWARD, PARADL_LIMITATION, 0, "reading weights and caches",
		"more sequences at a time, faster memory, a narrower format, or a higher tensor degree"},
	[BOUND_LAUNCH] = {PARADL_FORWARD, PARADL_BOTTLENECK, 0, "starting kernels",
		"more samples at a time, fused kernels, or fewer devices for each replica"},
};
static const struct paradl_limit phase_limits[] = {
	{PARADL_ACTIVATION_EXCHANGE, PARADL_LIMITATION, 0, "layer-wise collectives",
		"keep this axis inside a node, or lower its degree"},
	{PARADL_HALO_EXCHANGE, PARADL_LIMITATION, 0, "halo exchange",
		"fewer spatial pieces, or pieces along two dimensions"},
	{PARADL_STAGE_TRANSFER, PARADL_BOTTLENECK, 0, "transfers between stages",
		"faster links between stages, or stages inside a node"},
	{PARADL_BUBBLE, PARADL_LIMITATION, 0, "stages that wait for one another",
		"more samples at a time than stages, or fewer stages"},
};

static void limit_fill(const double shares[BOUNDS], struct paradl_estimate *estimate)
{
	struct paradl_limit *best = &estimate->limited_by;
	*best = kernel_limits[BOUND_COMPUTE];
	best->share = shares[BOUND_COMPUTE];
	for (unsigned k = 0; k < BOUNDS; ++k)
		if (shares[k] > best->share) {
			*best = kernel_limits[k];
			best->share = shares[k];
		}
	for (unsigned k = 0; k < sizeof phase_limits / sizeof *phase_limits; ++k) {
		const double part = estimate->iteration_s > 0
					    ? estimate->phase_s[phase_limits[k].phase] / estimate->iteration_s
					    : 0;
		if (part > best->share) {
			*best = phase_limits[k];
			best->share = part;
		}
	}
}

static void times_fill(const struct request *request, struct paradl_estimate *estimate)
{
	double *phase = estimate->phase_s, shares[BOUNDS];
	phases_add(&request->prompts, 1, request->prompts_s, phase);
	if (request->steps > 0)
		phases_add(&request->tokens, request->steps, request->token_s, phase);
	estimate->iteration_s = estimate->iteration_quiet_s = request->total_s;
	estimate->compute_s = phase[PARADL_FORWARD];
	estimate->communication_s = estimate->exposed_communication_s = phase[PARADL_ACTIVATION_EXCHANGE] +
									phase[PARADL_HALO_EXCHANGE] +
									phase[PARADL_STAGE_TRANSFER];
	bounds_fill(request, phase, request->total_s, shares);
	estimate->inference.memory_share = shares[BOUND_MEMORY];
	estimate->inference.launch_share = shares[BOUND_LAUNCH];
	limit_fill(shares, estimate);
}

static void rates_fill(
	const struct evaluation *evaluation, const struct request *request, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	struct paradl_inference *inference = &estimate->inference;
	const double batch = estimate->plan.batch, total_s = request->total_s;
	const double peak = oracle->machine->device.peak_flop_per_s[oracle->precision];
	const double stages = evaluation->plan.degree[PARADL_PIPELINE];
	const double step_flop = request->tokens.count * request->tokens.flop;
	const double flop = request->prompts.count * request->prompts.flop + request->steps * step_flop;
	const struct paradl_model *model = evaluation->net->model;
	inference->prompt_tokens = model->input.tokens ? model->sequence : 0;
	inference->output_tokens = oracle->output_tokens;
	inference->prompts_s = request->prompts_s;
	inference->token_s = request->token_s;
	expense_fill(oracle, estimate);
	if (!(total_s > 0))
		return;
	estimate->samples_per_s = batch / total_s;
	estimate->flop_per_s_per_device = flop / stages / total_s;
	estimate->mfu = estimate->flop_per_s_per_device / peak;
	inference->tokens_per_s = batch * inference->output_tokens / total_s;
	inference->prompt_tokens_per_s = batch * inference->prompt_tokens / request->prompts_s;
	if (request->token_s > 0)
		inference->token_flop_share = step_flop / stages / request->token_s / peak;
}

/* The same with as many samples as fit. */
static bool largest_fill(struct evaluation *evaluation, double local, struct paradl_inference *inference,
	struct paradl_error *error)
{
	struct request request;
	const double replicas = serving_replicas(&evaluation->plan);
	inference->largest_batch = local * replicas;
	if (local < 1)
		return true;
	evaluation->samples = share(local, serving_prompt_passes(evaluation, local), false);
	costs_fill(evaluation);
	if (!request_run(evaluation, local, false, &request, error))
		return false;
	if (request.total_s > 0)
		inference->largest_batch_answers_per_s = inference->largest_batch / request.total_s;
	inference->largest_batch_tokens_per_s =
		inference->largest_batch_answers_per_s * inference->output_tokens;
	return true;
}

bool inference_run(
	struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct request request;
	struct forward first;
	double largest = 0;
	/* The stages are those of the prompts' passes, and memory is counted with their costs. */
	if (!pass_fill(evaluation, evaluation->micro_batches, true, &first, error))
		return false;
	serving_memory(evaluation, estimate, &largest);
	if (!request_run(evaluation, evaluation->local_batch, false, &request, error))
		return false;
	times_fill(&request, estimate);
	rates_fill(evaluation, &request, estimate);
	estimate->inference.cache_bytes_per_token = serving_cache_bytes(evaluation);
	return largest_fill(evaluation, largest, &estimate->inference, error);
}

void inference_explain(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms)
{
	const struct paradl_inference *inference = &estimate->inference;
	const double *phase = estimate->phase_s;
	const unsigned stages = evaluation->plan.degree[PARADL_PIPELINE];
	const double steps = inference->output_tokens > 1 ? inference->output_tokens - 1 : 0;
	term_add(terms, PARADL_FORWARD, phase[PARADL_FORWARD],
		steps > 0 ? "prompts + (tokens - 1) passes: max(flop / rate, bytes / memory rate) + launch"
			  : "passes of max(flop / rate, bytes / memory rate) + launch",
		"%.4g passes of %.4g samples; %.4g tokens more at %.4g ms; %.0f %% reads memory, %.0f %% "
		"launches",
		estimate->micro_batches, share(estimate->local_batch, estimate->micro_batches, false), steps,
		inference->token_s * 1e3, inference->memory_share * 100, inference->launch_share * 100);
	term_add(terms, PARADL_ACTIVATION_EXCHANGE, phase[PARADL_ACTIVATION_EXCHANGE],
		"sum over layers of collectives, forward", "tensor=%u, context=%u, expert=%u",
		evaluation->plan.degree[PARADL_TENSOR], evaluation->plan.degree[PARADL_CONTEXT],
		evaluation->plan.degree[PARADL_EXPERT]);
	term_add(terms, PARADL_HALO_EXCHANGE, phase[PARADL_HALO_EXCHANGE],
		"sum over windowed layers of messages (a + bytes b), forward", "%.4g passes",
		estimate->micro_batches);
	term_add(terms, PARADL_STAGE_TRANSFER, phase[PARADL_STAGE_TRANSFER],
		"p - 1 messages forward, and one back for each token", "p = %u stages", stages);
	term_add(terms, PARADL_BUBBLE, phase[PARADL_BUBBLE], "stages in turn - passes slowest stage",
		"p = %u stages, %.4g passes", stages, estimate->micro_batches);
}
