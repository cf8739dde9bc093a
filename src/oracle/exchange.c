/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradient exchange, once per iteration, over the axes that replicate weights (data, spatial), with the bytes of the
 * weights' shard.
 *     flat     one allreduce over the whole group; groups of other axes' members (data+filter: one per member of a
 *              node) run at once and share the node's ports
 *     leader   with spatial pieces: allreduce among the pieces, then among one leader per set of pieces, the other
 *              pieces silent; packing and tensors are paid at both stages
 * plus packing and unpacking the buffer, and a cost per tensor. In buckets, each message chooses its algorithm.
 *     fp16     half the bytes of fp32 gradients; reading 4 and writing 2 bytes an item, and back
 *     top-k    non-zeros only: a sparse allreduce, the selection charged by its schedule
 * Ideal: one flat ring, nothing else.
 */
#include "base/error.h"
#include "oracle/oracle.h"

bool exchange_curve(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, const struct curve **curve, struct paradl_error *error)
{
	*curve = table_curve(evaluation->oracle->table, group, choice);
	if (*curve)
		return true;
	if (table_failed(evaluation->oracle->table))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	const struct collective *first = choice->algorithms[0];
	const bool only = first && !choice->algorithms[1];
	error_set(error, PARADL_INFEASIBLE, "%s%s for a group of %u devices on %u nodes",
		only ? first->name : operation_names[choice->operation],
		only ? " does not work" : ": no algorithm that the framework lists works", group->size,
		group->nodes);
	error_hint(error, choice == &evaluation->oracle->choices->gradient.choice
				  ? "choose another --algo, or another number of devices"
				  : "choose another framework, or another number of devices");
	return false;
}

static bool way_add(struct evaluation *evaluation, enum compression compression, const struct group *groups,
	unsigned count, struct paradl_error *error)
{
	const struct exchange_choices *choices = evaluation->oracle->choices;
	struct gradient_way *way = &evaluation->ways[evaluation->way_count++];
	const struct choice *choice =
		compression == COMPRESS_TOPK ? &choices->sparse.choice : &choices->gradient.choice;
	way->compression = compression;
	way->stage_count = count;
	for (unsigned i = 0; i < count; ++i)
		if (!exchange_curve(evaluation, &groups[i], choice, &way->stages[i], error))
			return false;
	return true;
}

/* Among the pieces, then among their leaders. */
static unsigned stages_of(const struct evaluation *evaluation, struct group groups[2])
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_plan *plan = &evaluation->plan;
	const bool leader = oracle->framework->spatial_leader && plan->degree[PARADL_SPATIAL] > 1 &&
			    plan->degree[PARADL_DATA] > 1;
	if (!leader)
		return 1;
	groups[0] = group_of(oracle->machine, plan, 1u << PARADL_SPATIAL);
	groups[1] = group_of(oracle->machine, plan, 1u << PARADL_DATA);
	group_silence(&groups[1], plan, 1u << PARADL_SPATIAL);
	return 2;
}

bool gradient_compile(struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const bool *compress = oracle->choices->compress;
	struct group groups[2];
	evaluation->way_count = 0;
	evaluation->gradient_nodes = 1;
	if (!evaluation->replicas)
		return true;
	groups[0] = group_of(oracle->machine, &evaluation->plan, evaluation->replicas);
	evaluation->gradient_nodes = groups[0].nodes;
	if (oracle->rules.ideal) {
		struct curve *own = &evaluation->own[(size_t)2 * PARADL_AXIS_COUNT];
		nominal_ring(oracle->machine, &groups[0], 2, own);
		evaluation->ways[evaluation->way_count++] =
			(struct gradient_way){.stages = {own}, .stage_count = 1};
		return true;
	}
	const unsigned count = stages_of(evaluation, groups);
	for (unsigned i = 0; i < COMPRESSIONS; ++i)
		if (compress[i] && !way_add(evaluation, (enum compression)i, groups, count, error))
			return false;
	return true;
}

/* Copies besides packing, in bytes of device memory for each byte of gradients: 4 to 2 and 2 to 4 bytes an item. */
static double cast_passes(enum compression compression)
{
	return compression == COMPRESS_FP16 ? (4.0 + 2 + 2 + 4) / 4 : 0;
}

/* Gradients that are half precision already are not compressed further. */
static bool halves(const struct evaluation *evaluation)
{
	return evaluation->item_bytes > 2;
}

static bool is_halved(const struct evaluation *evaluation, const struct gradient_way *way)
{
	return way->compression == COMPRESS_FP16 && halves(evaluation);
}

double gradient_message_bytes(const struct evaluation *evaluation, const struct gradient_way *way,
	double weight_items, double *messages)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double bucket = oracle->rules.ideal ? 0 : oracle->framework->bucket_bytes;
	const double bytes = weight_items * evaluation->item_bytes / (is_halved(evaluation, way) ? 2 : 1);
	*messages = bucket > 0 && bytes > bucket ? share(bytes, bucket, false) : 1;
	return bytes / *messages;
}

double gradient_host_s(const struct evaluation *evaluation, double weight_items, double tensors)
{
	if (evaluation->oracle->rules.ideal || !evaluation->way_count || !(weight_items > 0))
		return 0;
	return evaluation->ways[0].stage_count * tensors * evaluation->oracle->framework->gradient_tensor_s;
}

static double way_s(const struct evaluation *evaluation, const struct gradient_way *way, double weight_items,
	double tensors)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_framework *framework = oracle->framework;
	const double gradients = weight_items * evaluation->item_bytes;
	double s = 0, messages;
	const double bytes = gradient_message_bytes(evaluation, way, weight_items, &messages);
	const double passes =
		framework->gradient_passes + (is_halved(evaluation, way) ? cast_passes(way->compression) : 0);
	const double pack_s = passes * gradients * oracle->machine->device.s_per_byte +
			      tensors * framework->gradient_tensor_s;
	for (unsigned i = 0; i < way->stage_count; ++i)
		s += messages * curve_s(way->stages[i], bytes) + (oracle->rules.ideal ? 0 : pack_s);
	return s;
}

double gradient_exchange_s(const struct evaluation *evaluation, double weight_items, double tensors,
	const struct gradient_way **way)
{
	double best_s = 0;
	if (way)
		*way = NULL;
	if (!(weight_items > 0))
		return 0;
	for (unsigned i = 0; i < evaluation->way_count; ++i) {
		const double s = way_s(evaluation, &evaluation->ways[i], weight_items, tensors);
		if (i > 0 && s >= best_s)
			continue;
		best_s = s;
		if (way)
			*way = &evaluation->ways[i];
	}
	return best_s;
}

/* Half precision that halves nothing is none. */
void gradient_describe(
	const struct evaluation *evaluation, double weight_items, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const char *const names[COMPRESSIONS] = {
		"none", halves(evaluation) ? "fp16" : "none", oracle->choices->density_text};
	const struct gradient_way *way;
	if (!(gradient_exchange_s(evaluation, weight_items, 1, &way) > 0) || !way || oracle->rules.ideal)
		return;
	const double bytes =
		gradient_message_bytes(evaluation, way, weight_items, &estimate->gradient_messages);
	const struct curve *curve = way->stages[way->stage_count - 1];
	const struct collective *collective = curve_algorithm(curve, bytes);
	estimate->gradient_algorithm = curve->measured ? "measured curve"
				       : collective    ? collective->name
						       : NULL;
	estimate->gradient_compression = names[way->compression];
}
