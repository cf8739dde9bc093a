/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes an oracle, and what the oracle says of its network. Its rules are what the framework says of networks
 * of this kind, and what follows from the kind. Clones share the query and its choices of algorithms, because nothing
 * writes to them; networks as plans run them are prepared anew, because they hold scratch.
 *
 * Where neither the query nor the model says the batch of an iteration, it is the usual one. Networks that generate
 * text take as many tokens as GPT-3 of their size did (Brown et al. 2020, Table 2.1), others as many samples on each
 * device as torchvision's recipes of training do.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/names.h"
#include "base/version.h"
#include "model/model.h"
#include "oracle/evaluation.h"
#include "oracle/inference.h"
#include "oracle/kernels.h"
#include "oracle/replay.h"

/* Adds how networks of tokens are accounted for: one device's sums, memory at several moments. */
static void tokens_account(struct rules *rules)
{
	rules->host = rules->host_exposed > 0 ? HOST_BLOCKS : HOST_RUNS_AHEAD;
	rules->library_starts = rules->moments = true;
	if (rules->graphs)
		rules->host_layer_s = rules->host_collective_s = rules->host_micro_batch_s = 0;
}

/* Adds how networks of images are accounted for: each phase's maximum over devices, memory at the end of forward. */
static void images_account(struct rules *rules)
{
	rules->host = HOST_STRETCHES;
	rules->links_queue = rules->own_maxima = rules->holds_inputs = true;
	rules->frees_early = !rules->keeps_outputs;
	if (rules->graphs)
		rules->host_layer_s = 0;
}

/* Gives the device the convolutions of a program that chooses their kernels otherwise. */
static void convolutions_choose(const struct rules *rules, struct device *device)
{
	struct device_convolution *convolution = &device->convolution;
	const double peak = device->peak_flop_per_s[PARADL_FP32];
	if (rules->convolution_winograd > 0)
		convolution->winograd = rules->convolution_winograd;
	if (!(rules->convolution_sustained > 0) || !(peak > 0))
		return;
	convolution->sustained[PARADL_FP32] = rules->convolution_sustained;
	device->convolution_s_per_flop[PARADL_FP32] = 1 / (peak * rules->convolution_sustained);
}

void oracle_framework_changed(struct paradl_oracle *oracle)
{
	const bool tokens = oracle->model->tokens;
	struct rules *rules = &oracle->rules;
	oracle->latest = NULL;
	*rules = oracle->framework->rules[tokens ? RULES_TOKENS : RULES_IMAGES];
	if (oracle->options.ideal) /* rules of ParaDL's Table III */
		*rules = (struct rules){.ideal = true,
			.gradient_rings = 1,
			.activation_rings = 1,
			.schedule = PARADL_GPIPE,
			.micro_samples = tokens ? 1 : 0,
			.sustained = 1,
			.vocabulary_multiple = 1,
			.links_queue = true,
			.balanced = true,
			.recompute = PARADL_RECOMPUTE_NONE,
			.own_maxima = true};
	else if (tokens)
		tokens_account(rules);
	else
		images_account(rules);
	if (oracle->options.inference)
		inference_rules(rules);
	oracle->device = oracle->machine->device;
	convolutions_choose(rules, &oracle->device);
	device_sustain(&oracle->device, rules->sustained);
	if (!oracle->options.inference) /* measured kernels are those of serving; training has its own */
		oracle->device.product.grouped.rate = 1;
	band_prepare(oracle);
	cuts_forget(oracle);
	prepared_changed(oracle);
}

static void cuts_resolve(struct paradl_oracle *oracle)
{
	const struct paradl_framework *framework = oracle->framework;
	const struct paradl_model *model = oracle->model;
	const bool ideal = oracle->options.ideal;
	oracle->cuts = (struct cut_rules){.even = ideal,
		.filter_backward_partial = oracle->rules.filter_backward_partial,
		.pool_messages = ideal || framework->pool_messages};
	for (unsigned i = 0; !ideal && i < model->layer_count; ++i)
		if (model->layers[i].class_ == LAYER_POOL &&
			pool_is_padded(&model->layers[i], framework->padded_pools))
			oracle->cuts.padded_pools = framework->padded_pools;
}

static bool optimizer_unknown(const char *name, struct paradl_error *error)
{
	size_t count = 0;
	while (optimizer_names[count])
		++count;
	const struct suggestion near = suggestion_of(name, optimizer_names, count);
	error_set(error, PARADL_USAGE, "there is no optimizer \"%s\"%s", name, near.clause);
	return !*near.clause &&
	       error_hint(error, "sgd, sgd-momentum, adam, adamw, lamb, lars, adafactor or adamw-8bit");
}

/* Sets an error that says what the device computes in instead. */
static bool precision_unknown(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct device *const device = &oracle->machine->device;
	char names[120] = "";
	size_t length = 0;
	for (int i = 0; i < PARADL_PRECISION_COUNT && length < sizeof names; ++i)
		if (device->peak_flop_per_s[i] > 0)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
				length > 0 ? ", " : "", paradl_precision_name((enum paradl_precision)i));
	error_set(error, PARADL_USAGE, "%s does not compute in %s", device->name,
		paradl_precision_name(oracle->precision));
	return error_hint(error, "choose another --precision: %s", names);
}

/* Copies the caller's options, NULL for none, and those of input that they point to. */
static bool options_copy(
	struct paradl_oracle *oracle, const struct paradl_options *options, struct paradl_error *error)
{
	static const struct paradl_input_options usual;
	struct paradl_options *const ours = &oracle->options;
	if (options &&
		!sized_read(ours, sizeof *ours, offsetof(struct paradl_options, trace), options, error))
		return false;
	ours->size = sizeof *ours; /* for copies */
	const struct paradl_input_options *const input = ours->input ? ours->input : &usual;
	struct paradl_input_options *const copy = arena_alloc(oracle->arena, 1, sizeof *copy);
	if (!copy)
		return out_of_memory(error);
	*copy = *input;
	ours->input = copy;
	return true;
}

static bool options_apply(struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct paradl_options *options = &oracle->options;
	const char *name = options->optimizer ? options->optimizer : oracle->model->optimizer;
	const struct paradl_model_info model = paradl_model_info(oracle->model);
	const struct paradl_machine_info machine = paradl_machine_info(oracle->machine);
	oracle->precision = options->override_precision
				    ? options->precision
				    : paradl_usual_precision(&model, &machine, options->inference);
	oracle->optimizer = optimizer_find(name);
	if (!oracle->optimizer)
		return optimizer_unknown(name, error);
	if (!(oracle->machine->device.peak_flop_per_s[oracle->precision] > 0))
		return precision_unknown(oracle, error);
	oracle_framework_changed(oracle);
	cuts_resolve(oracle);
	return true;
}

const char *paradl_machine_framework(
	const struct paradl_machine *machine, const struct paradl_model *model, bool inference)
{
	const struct machine_programs *const programs = &machine->programs;
	if (inference)
		return model_generates(model) ? programs->serving : programs->other;
	return model->input.tokens ? programs->tokens : programs->other;
}

const struct paradl_framework *oracle_framework_load(struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_machine *machine, bool inference,
	struct paradl_error *error)
{
	const char *path = beside_or_shipped(arena, machine->path, "frameworks",
		paradl_machine_framework(machine, model, inference), machine->directories);
	if (!path)
		return out_of_memory_null(error);
	const struct paradl_framework *framework = paradl_framework_load(
		arena, &(struct paradl_source){.path = path, .changes = machine->changes}, error);
	if (!framework && error && error->status == PARADL_IO)
		error_hint(error, "it is the framework that the machine's file names: one beside it, in "
				  "frameworks/, or a "
				  "shipped one ('paradl list frameworks'); --framework takes another");
	return framework;
}

struct paradl_oracle *paradl_oracle_create(struct paradl_arena *arena, const struct paradl_model *model,
	const struct paradl_machine *machine, const struct paradl_framework *framework,
	const struct paradl_options *options, struct paradl_error *error)
{
	if (!model || !machine)
		return NULL;
	struct paradl_oracle *oracle = arena_alloc(arena, 1, sizeof *oracle);
	if (!oracle)
		return out_of_memory_null(error);
	if (!framework)
		framework =
			oracle_framework_load(arena, model, machine, options && options->inference, error);
	if (!framework)
		return NULL;
	*oracle = (struct paradl_oracle){
		.arena = arena, .model = model, .machine = machine, .framework = framework};
	if (!options_copy(oracle, options, error) || !options_apply(oracle, error) ||
		!choices_make(oracle, error) || !inference_check(oracle, error) ||
		!oracle_input_make(oracle, error) || !gear_prepare(oracle, error))
		return NULL;
	if (oracle->options.layer_times &&
		!(oracle->times = layer_times_load(arena, oracle->options.layer_times, error)))
		return NULL;
	return prefill_make(oracle, error) ? oracle : NULL;
}

struct paradl_oracle *oracle_clone(
	const struct paradl_oracle *oracle, struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_oracle *clone = arena_alloc(arena, 1, sizeof *clone);
	struct table *table = oracle->table ? table_clone(oracle->table, arena) : NULL;
	if (!clone || (oracle->table && !table))
		return out_of_memory_null(error);
	*clone = *oracle;
	clone->arena = arena;
	clone->options.threads = 1; /* other threads have clones of their own */
	clone->table = table;
	clone->prepared = NULL;
	clone->prepared_count = 0;
	clone->result = NULL;
	clone->latest = NULL;
	if (oracle->reader && !(clone->reader = oracle_clone(oracle->reader, arena, error)))
		return NULL;
	if (!slices_clone(clone, oracle->slices))
		return out_of_memory_null(error);
	if (oracle->replay && !(clone->replay = replay_create(arena, oracle->options.trace)))
		return out_of_memory_null(error);
	if (!oracle_input_make(clone, error))
		return NULL;
	return clone;
}

const struct paradl_framework *paradl_oracle_framework(const struct paradl_oracle *oracle)
{
	return oracle->framework;
}

unsigned paradl_oracle_dimensions(const struct paradl_oracle *oracle)
{
	return oracle->model->input.dimensions;
}

enum { LONG_SEQUENCE = 8192 }; /* tokens; shorter sequences are worth no exchange of keys and values */

unsigned oracle_axes(const struct paradl_oracle *oracle)
{
	const struct paradl_model *model = oracle->model;
	unsigned axes = 1u << PARADL_DATA | 1u << PARADL_PIPELINE;
	if (!model->tokens)
		return axes | 1u << PARADL_FILTER | 1u << PARADL_CHANNEL | 1u << PARADL_SPATIAL;
	axes |= 1u << PARADL_TENSOR;
	if (model->sequence >= LONG_SEQUENCE)
		axes |= 1u << PARADL_CONTEXT;
	for (unsigned i = 0; i < model->layer_count; ++i)
		if (model->layers[i].work && model->layers[i].work->experts)
			axes |= 1u << PARADL_EXPERT;
	return axes;
}

void oracle_most(struct paradl_oracle *oracle, double most[PARADL_AXIS_COUNT])
{
	const struct paradl_plan serial = {.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	const struct paradl_framework *framework = oracle->framework;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		most[axis] = 0;
	/* Frameworks that change the network from plan to plan change its limits, too. */
	if (!oracle->rules.ideal && (framework->input_count || oracle->cuts.padded_pools))
		return;
	const struct prepared *net = oracle_prepare(oracle, &serial, NULL);
	if (!net)
		return;
	most[PARADL_PIPELINE] = net->model->unit_count;
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_CHANNEL; ++axis)
		most[axis] = net->limits[axis].layer ? net->limits[axis].limit : 1;
	most[PARADL_SPATIAL] = 1;
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		if (net->spatial[i].layer)
			most[PARADL_SPATIAL] *= net->spatial[i].limit;
}

enum { RECIPE_SAMPLES = 32 };

/* Returns the tokens of a batch, of the published network whose size is closest in ratio. */
static double usual_tokens(double parameters)
{
	static const struct {
		double parameters, tokens;
	} published[] = {
		{760e6, 0.5e6}, {1.3e9, 1e6}, {2.7e9, 1e6}, {6.7e9, 2e6}, {13e9, 2e6}, {175e9, 3.2e6}};
	size_t closest = 0;
	for (size_t i = 1; i < sizeof published / sizeof published[0]; i++)
		if (parameters * parameters > published[i - 1].parameters * published[i].parameters)
			closest = i;
	return published[closest].tokens;
}

double paradl_token_samples(double tokens, double sequence)
{
	int exponent;
	const double samples = fmax(tokens / sequence, 1), fraction = frexp(samples, &exponent);
	return round(ldexp(round(8 * fraction), exponent - 3));
}

double paradl_oracle_batch(const struct paradl_oracle *oracle, double devices)
{
	const struct paradl_model_info model = paradl_model_info(oracle->model);
	if (oracle->options.inference && model.generates)
		return devices; /* a client for each */
	if (!(model.batch > 0) && model.batch_per_gpu > 0)
		return model.batch_per_gpu * devices;
	if (!(model.batch > 0) && !model.generates)
		return RECIPE_SAMPLES * devices;
	const double samples = model.batch > 0
				       ? model.batch
				       : paradl_token_samples(usual_tokens(model.parameters), model.sequence);
	return ceil(samples / devices) * devices;
}

double paradl_plan_batch(const struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	const double replicas = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	const bool answers = oracle->options.inference && model_generates(oracle->model);
	return paradl_oracle_batch(oracle, answers ? replicas : paradl_plan_devices(plan));
}
