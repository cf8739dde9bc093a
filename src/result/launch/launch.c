/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the launcher of a framework, and reports batches, axes and nestings that a launcher cannot express. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "result/launch/launch.h"

void launch_add(struct launch *launch, struct launch_list *list, const char *format, ...)
{
	char *const text = launch->text + launch->length;
	const size_t room = sizeof launch->text - launch->length;
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	const int length = vsnprintf(text, room, format, arguments);
	va_end(arguments);
	launch->is_cut =
		launch->is_cut || length < 0 || (size_t)length >= room || list->count == LAUNCH_ITEMS;
	if (launch->is_cut)
		return;
	list->items[list->count++] = text;
	launch->length += (size_t)length + 1;
}

const struct launcher *const launchers[] = {
#define X(id) &launcher_##id,
#include "result/launch/list.def"
#undef X
	NULL,
};

static const char *const axis_names[PARADL_AXIS_COUNT] = {
	"data", "pipeline", "expert", "context", "tensor", "filter", "channel", "spatial"};

const struct launcher *launcher_of(const char *framework)
{
	const struct launcher *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; launchers[i]; i++) {
		const char *word = launchers[i]->frameworks;
		for (size_t length; (length = strcspn(word, " ")), true; word += length + 1) {
			if (strncmp(framework, word, length) == 0 && (!best || length > longest)) {
				best = launchers[i];
				longest = length;
			}
			if (!word[length])
				break;
		}
	}
	return best;
}

void launch_torchrun(struct launch *launch, const struct launch_job *job, const char *script)
{
	struct launch_list *const command = &launch->command;
	launch_add(launch, command, "torchrun");
	launch_add(launch, command, "--nnodes=%u", job->nodes);
	launch_add(launch, command, "--nproc-per-node=%u", job->per_node);
	if (job->nodes > 1) {
		launch_add(launch, command, "--rdzv-backend=c10d");
		launch_add(launch, command, "--rdzv-endpoint=$MASTER_ADDR:29500");
	}
	launch_add(launch, command, "%s", script);
}

bool launch_axes(struct launch *launch, const char *program, const struct launch_job *job, unsigned axes)
{
	static const char *const nearest[PARADL_AXIS_COUNT] = {[PARADL_EXPERT] = "data",
		[PARADL_CONTEXT] = "tensor with sequence=on",
		[PARADL_TENSOR] = "data with zero=3",
		[PARADL_FILTER] = "data",
		[PARADL_CHANNEL] = "data",
		[PARADL_SPATIAL] = "data"};
	const unsigned char *const order = job->plan->order;
	bool all = true;
	for (size_t i = 0; i < PARADL_AXIS_COUNT; i++) {
		if (job->plan->degree[order[i]] <= 1 || axes & 1U << order[i])
			continue;
		all = false;
		launch_add(launch, &launch->cannot, "%s has no %s axis%s%s", program, axis_names[order[i]],
			nearest[order[i]] ? "; nearest: " : "", nearest[order[i]] ? nearest[order[i]] : "");
	}
	return all;
}

/* Returns whether the axes in use are nested in the order of `axes`, outermost first. */
static bool nests(const struct paradl_plan *plan, const enum paradl_axis *axes, size_t count)
{
	size_t place = 0;
	for (size_t i = 0; i < PARADL_AXIS_COUNT; i++) {
		if (plan->degree[plan->order[i]] <= 1)
			continue;
		while (place < count && axes[place] != plan->order[i])
			place++;
		if (place == count)
			return false;
	}
	return true;
}

void launch_nesting(struct launch *launch, const char *program, const struct paradl_plan *plan,
	const enum paradl_axis *axes, size_t count)
{
	char names[96];
	size_t length = 0;
	if (nests(plan, axes, count))
		return;
	for (size_t i = 0; i < count; i++)
		if (plan->degree[axes[i]] > 1 && length < sizeof names)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
				length > 0 ? ", " : "", axis_names[axes[i]]);
	launch_add(launch, &launch->cannot,
		"%s nests the axes as %s (outermost first), the plan otherwise: neighbours differ, and so "
		"may times",
		program, names);
}

bool launch_data_outside(struct launch *launch, const char *program, const struct paradl_plan *plan)
{
	static const enum paradl_axis pipeline_outside[] = {
		PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT, PARADL_CONTEXT, PARADL_TENSOR};
	static const enum paradl_axis data_outside[] = {
		PARADL_DATA, PARADL_PIPELINE, PARADL_CONTEXT, PARADL_TENSOR};
	if (!nests(plan, pipeline_outside, 5) && nests(plan, data_outside, 4))
		return true;
	launch_nesting(launch, program, plan, pipeline_outside, 5);
	return false;
}

/* Adds a run of stages with as many blocks each to a layout. */
static size_t layout_add(char *text, size_t length, const char *first, unsigned blocks, unsigned stages)
{
	char one[24] = "";
	if (blocks > 0)
		snprintf(one, sizeof one, blocks > 1 ? "t*%u" : "t", blocks);
	return length +
	       (size_t)(stages > 1
				? snprintf(text + length, LAYOUT_BYTES - length, "(%s|)*%u", one, stages)
				: snprintf(text + length, LAYOUT_BYTES - length, "%s%s%s", first, one, "|"));
}

/* Returns how the blocks of stages relate: `count` stages, or those that divide the blocks where it is 0. */
static enum stage_blocks blocks_of(const struct launch_job *job, unsigned count, double stages)
{
	const unsigned short *const split = job->estimate->split;
	const double blocks = job->dimensions->blocks;
	if (count == 0)
		return !(fmod(blocks, stages) > 0)       ? BLOCKS_ALIKE
		       : !(fmod(blocks + 2, stages) > 0) ? BLOCKS_ENDS_LESS
							 : BLOCKS_UNTOLD;
	bool alike = true;
	for (unsigned i = 2; i + 1 < count; i++)
		alike = alike && split[i] == split[1];
	if (alike && split[0] == split[1] && split[count - 1] == split[1])
		return BLOCKS_ALIKE;
	return alike && split[0] + 1 == split[1] && split[count - 1] + 1 == split[1] ? BLOCKS_ENDS_LESS
										     : BLOCKS_LAID_OUT;
}

enum stage_blocks launch_stages(const struct launch_job *job, double stages, char *layout)
{
	const unsigned count = job->estimate->split_count;
	const unsigned short *const split = job->estimate->split;
	const enum stage_blocks blocks = blocks_of(job, count, stages);
	if (blocks != BLOCKS_LAID_OUT)
		return blocks;
	size_t length = layout_add(layout, 0, "E", split[0], 1);
	for (unsigned i = 1, run; i + 1 < count; i += run) {
		for (run = 1; i + run + 1 < count && split[i + run] == split[i];)
			run++;
		length = layout_add(layout, length, "", split[i], run);
	}
	length = layout_add(layout, length, "", split[count - 1], 1);
	layout[length - 1] = 'L';
	return blocks;
}

bool launch_decoder(struct launch *launch, const char *program, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	if (!(of->blocks > 0))
		launch_add(launch, &launch->cannot,
			"%s trains transformers, and %s is none; nearest: --flags torchrun", program,
			job->head->model.name);
	else if (of->other)
		launch_add(launch, &launch->cannot,
			"%s trains decoders of attention and MLPs, and %s has %s; nearest: --flags torchrun",
			program, job->head->model.name, of->other);
	return of->blocks > 0 && !of->other;
}

bool launch_network(struct launch *launch, const char *program, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	const double parameters = job->head->model.parameters;
	if (job->head->model.frozen > 0) {
		launch_add(launch, &launch->cannot,
			"%s would train all %.6g parameters of these flags, and %s freezes %.6g of them; "
			"nearest: a "
			"script of its own",
			program, parameters, job->head->model.name, job->head->model.frozen);
		return false;
	}
	if (of->parameters > 0 && of->parameters > parameters - 0.5 && of->parameters < parameters + 0.5)
		return true;
	if (of->beyond)
		launch_add(launch, &launch->cannot,
			"%s has no flag for what %s has: %s; nearest: a script of its own", program,
			job->head->model.name, of->beyond);
	else
		launch_add(launch, &launch->cannot,
			"%s would build %.6g parameters of these flags, and %s has %.6g: its blocks differ; "
			"nearest: a "
			"script of its own",
			program, of->parameters, job->head->model.name, parameters);
	return false;
}

void launch_divides(struct launch *launch, const char *program, const struct launch_job *job)
{
	const struct paradl_dimensions *const of = job->dimensions;
	const unsigned tensor = job->plan->degree[PARADL_TENSOR];
	if (fmod(of->heads, tensor) > 0)
		launch_add(launch, &launch->cannot,
			"%s cannot deal %.15g heads out to tensor=%u; nearest: a divisor of %.15g", program,
			of->heads, tensor, of->heads);
	else if (of->key_rank > 0 || !(of->kv_heads > 0))
		return;
	else if (fmod(of->kv_heads, tensor) > 0 && fmod(tensor, of->kv_heads) > 0)
		launch_add(launch, &launch->cannot,
			"%s cannot deal %.15g heads of keys and values out to tensor=%u", program,
			of->kv_heads, tensor);
}

const char *launch_modules(const struct launch_job *job, char separator, char text[MODULES_BYTES])
{
	const bool is_latent = job->dimensions->key_rank > 0, has_experts = job->dimensions->experts > 0;
	size_t length = 0;
	if (is_latent)
		length += (size_t)snprintf(text, MODULES_BYTES, "mla_up_proj%c", separator);
	if (has_experts)
		length += (size_t)snprintf(text + length, MODULES_BYTES - length, "moe_act%c", separator);
	snprintf(text + length, MODULES_BYTES - length, "layernorm");
	return text;
}

void launch_batch(struct launch *launch, const char *program, const struct launch_job *job)
{
	const double batch = job->plan->batch, micro = job->micro;
	if (fmod(micro, 1) > 0 || fmod(batch, job->replicas * micro) > 0)
		launch_add(launch, &launch->cannot,
			"%s takes whole micro-batches, and %.15g samples are none of %.6g on %.15g replicas; "
			"nearest: another --batch",
			program, batch, micro, job->replicas);
}

static enum paradl_precision precision_of(const char *name)
{
	unsigned precision = PARADL_FP32;
	while (precision + 1 < PARADL_PRECISION_COUNT &&
		strcmp(paradl_precision_name((enum paradl_precision)precision), name) != 0)
		precision++;
	return (enum paradl_precision)precision;
}

static unsigned common_divisor(unsigned a, unsigned b)
{
	while (b > 0) {
		const unsigned rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

struct launch_job launch_job_of(const struct report_head *head, const struct paradl_estimate *estimate)
{
	const struct paradl_plan *const plan = &estimate->plan;
	const unsigned devices = estimate->devices, of_node = head->machine.devices_per_host;
	const unsigned overlaps = head->framework.overlaps & ~plan->apart;
	/* all nodes have the same number of processes: programs can start nothing else */
	const unsigned per_node =
		of_node == 0 || devices <= of_node ? devices : common_divisor(devices, of_node);
	return (struct launch_job){
		.head = head,
		.estimate = estimate,
		.plan = plan,
		.dimensions = &head->model.dimensions,
		.precision = precision_of(head->precision),
		.dispatcher = plan->dispatcher == PARADL_DISPATCHER_DEFAULT ? head->framework.dispatcher
									    : plan->dispatcher,
		.replicas = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT],
		.micro = plan->micro > 0 ? plan->micro : estimate->local_batch / estimate->micro_batches,
		.micro_batches = estimate->micro_batches,
		.nodes = devices / per_node,
		.per_node = per_node,
		.overlaps_gradients = overlaps & PARADL_OVERLAP_GRADIENTS,
		.overlaps_tensor = overlaps & PARADL_OVERLAP_TENSOR,
	};
}

bool launch_applies(const struct report_head *head)
{
	return head->launcher && head->launcher->serves == head->inference;
}

static void launch_empty(struct launch *launch)
{
	launch->command.count = launch->flags.count = launch->file.count = launch->cannot.count = 0;
	launch->length = 0;
	launch->file_name = "";
	launch->is_for_own = launch->is_cut = false;
}

bool launch_plan(
	struct launch *launch, const struct report_head *head, const struct paradl_estimate *estimate)
{
	launch_empty(launch);
	if (!launch_applies(head) || !estimate->fits)
		return false;
	const struct launch_job job = launch_job_of(head, estimate);
	if (estimate->inference.prefill)
		launch_pools_fill(launch, head, estimate);
	else
		head->launcher->tell(launch, &job);
	if (launch->is_cut) {
		launch_empty(launch);
		launch_add(launch, &launch->cannot,
			"what starts this plan is longer than %d characters or %d lines; nearest: shorter "
			"names",
			LAUNCH_BYTES, LAUNCH_ITEMS);
	}
	return true;
}
