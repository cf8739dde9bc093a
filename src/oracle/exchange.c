/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradients take routes once per iteration, over the axes that replicate weights, with the bytes of the weights'
 * shard.
 *     flat     one allreduce (with zero: reduce-scatter) over the whole group; groups of other axes' members
 *              (data+filter: one per member of a node) run at once and share the node's ports
 *     leader   with spatial pieces: allreduce among the pieces, then among one leader per set of pieces, the other
 *              pieces silent; packing and tensors are paid at both stages
 * To this come packing and unpacking the buffer, and a cost per tensor. In buckets, each message chooses its
 * algorithm. Gradients may be compressed.
 *     fp16     half the bytes of fp32 gradients; reading 4 and writing 2 bytes an item, and back
 *     top-k    non-zeros only: a sparse allreduce, the selection charged by its schedule
 * The ideal model has one flat ring, and nothing else.
 */
#include "base/error.h"
#include "oracle/replicas.h"

bool exchange_curve(const struct evaluation *evaluation, const struct group *group,
	const struct choice *choice, const struct curve **curve, struct paradl_error *error)
{
	*curve = (evaluation->oracle->floors ? table_floor : table_curve)(evaluation->table, group, choice);
	if (*curve)
		return true;
	if (table_failed(evaluation->table))
		return out_of_memory(error);
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

bool oracle_sum_curve(struct paradl_oracle *oracle, const struct paradl_plan *plan, unsigned axes,
	struct curve *curve, struct paradl_error *error)
{
	struct evaluation evaluation;
	if (!evaluation_begin(&evaluation, oracle, plan, 0, error))
		return false;
	const struct group group = group_of(oracle->machine, plan, axes);
	const struct curve *found;
	if (oracle->rules.ideal)
		nominal_ring(oracle->machine, &group, 2, curve);
	else if (exchange_curve(&evaluation, &group, &oracle->choices->gradient.choice, &found, error))
		*curve = *found;
	else
		return false;
	return true;
}

static bool route_add(const struct evaluation *evaluation, enum compression compression,
	const struct group *groups, unsigned count, struct replicas *replicas, struct paradl_error *error)
{
	const struct exchange_choices *choices = evaluation->oracle->choices;
	struct gradient_route *route = &replicas->routes[replicas->route_count++];
	const struct choice *choice = &choices->gradient.choice;
	if (evaluation->plan.zero)
		choice = &choices->shards.choice;
	else if (compression == COMPRESS_TOPK)
		choice = &choices->sparse.choice;
	route->compression = compression;
	route->stage_count = count;
	for (unsigned i = 0; i < count; ++i)
		if (!exchange_compile(evaluation, &groups[i], choice, &route->stages[i], error))
			return false;
	return true;
}

/* Sets the groups among pieces, and among their leaders; without leaders leaves the one there is; returns how many. */
static unsigned stages_of(const struct evaluation *evaluation, struct group groups[2])
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_plan *plan = &evaluation->plan;
	if (!oracle->rules.spatial_leader || plan->degree[PARADL_SPATIAL] < 2 ||
		plan->degree[PARADL_DATA] < 2 || plan->zero)
		return 1;
	groups[0] = group_of(oracle->machine, plan, 1u << PARADL_SPATIAL);
	groups[1] = group_of(oracle->machine, plan, 1u << PARADL_DATA);
	group_silence(&groups[1], plan, 1u << PARADL_SPATIAL);
	return 2;
}

bool routes_compile(struct evaluation *evaluation, const struct group *group, struct replicas *replicas,
	struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	struct group groups[2] = {*group};
	replicas->route_count = 0;
	if (group->size < 2)
		return true;
	if (oracle->rules.ideal) {
		struct curve *own = &evaluation->own[(size_t)2 * PARADL_AXIS_COUNT];
		nominal_ring(oracle->machine, group, 2, own);
		replicas->routes[replicas->route_count++] =
			(struct gradient_route){.stages = {{.curve = own}}, .stage_count = 1};
		return true;
	}
	const unsigned count = stages_of(evaluation, groups);
	for (unsigned i = 0; i < COMPRESSIONS; ++i)
		if (oracle->choices->compress[i] && !(evaluation->plan.zero && i == COMPRESS_TOPK) &&
			!route_add(evaluation, (enum compression)i, groups, count, replicas, error))
			return false;
	return replicas->route_count > 0 ||
	       error_set(error, PARADL_INFEASIBLE,
		       "zero=%u scatters whole gradients, and --compress %s sends the largest only",
		       evaluation->plan.zero, oracle->choices->density_text);
}

unsigned routes_all(const struct evaluation *evaluation, const struct replicas *replicas)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	unsigned count = 0;
	if ((evaluation->plan.zero ? replicas->shard : replicas->size) < 2)
		return 0;
	for (unsigned i = 0; i < COMPRESSIONS; ++i)
		count += oracle->choices->compress[i] && !(evaluation->plan.zero && i == COMPRESS_TOPK);
	return oracle->rules.ideal ? 1 : count;
}

static unsigned routes_leave(const struct evaluation *evaluation, struct replicas *replicas, unsigned count)
{
	const unsigned all = routes_all(evaluation, replicas);
	replicas->route_count = count < all ? count : all;
	return all;
}

bool compressed_enough(double iteration_s, double fastest_s)
{
	static const double rounding = 1e-9;
	return iteration_s <= fastest_s * (1 + rounding);
}

unsigned routes_use(struct evaluation *evaluation, unsigned count)
{
	const unsigned dense = routes_leave(evaluation, &evaluation->dense, count),
		       experts = routes_leave(evaluation, &evaluation->experts, count);
	return dense > experts ? dense : experts;
}

double gradient_bytes(const struct evaluation *evaluation)
{
	const double bytes = evaluation->oracle->rules.gradient_bytes;
	return bytes > 0 ? bytes : evaluation->item_bytes;
}

double gradient_tensor_s(const struct evaluation *evaluation)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const bool whole = evaluation->dense.size >= paradl_plan_devices(&evaluation->plan);
	const bool split = evaluation->plan.degree[PARADL_DATA] > 1 && !whole;
	return rules->gradient_tensor_s + (split ? rules->gradient_tensor_split_s : 0);
}

/* Bytes that casts move, on top of packing, for each byte of gradients: 4 to 2 and 2 to 4 bytes an item. */
static const double cast_passes = (4.0 + 2 + 2 + 4) / 4;

/* Returns whether fp16 halves the bytes of gradients; those in half precision already are not compressed further. */
static bool halves(const struct evaluation *evaluation)
{
	return gradient_bytes(evaluation) > 2;
}

static bool is_halved(const struct evaluation *evaluation, const struct gradient_route *route)
{
	return route->compression == COMPRESS_FP16 && halves(evaluation);
}

double route_bytes(const struct evaluation *evaluation, const struct gradient_route *route, double weights)
{
	return weights * gradient_bytes(evaluation) / (is_halved(evaluation, route) ? 2 : 1);
}

double message_count(const struct replicas *replicas, double bytes)
{
	const double bucket = replicas->bucket_bytes;
	return bucket > 0 && bytes > bucket ? share(bytes, bucket, false) : 1;
}

double bucketed_s(const struct replicas *replicas, const struct exchange *exchange, double bytes)
{
	const double messages = message_count(replicas, bytes);
	return bytes > 0 ? messages * exchange_s(exchange, bytes / messages) : 0;
}

double packing_s(const struct evaluation *evaluation, const struct gradient_route *route, double weights,
	double tensors)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct rules *rules = &oracle->rules;
	const double passes = rules->gradient_passes + (is_halved(evaluation, route) ? cast_passes : 0);
	return passes * weights * gradient_bytes(evaluation) * oracle->machine->device.s_per_byte +
	       tensors * gradient_tensor_s(evaluation);
}

static struct routing routing_of(const struct evaluation *evaluation, const struct replicas *replicas,
	const struct gradient_route *route, double weights, double tensors)
{
	const double bytes = route_bytes(evaluation, route, weights);
	struct routing routing = {route, 0, bytes, message_count(replicas, bytes), 0};
	const double pack_s = packing_s(evaluation, route, weights, tensors);
	routing.packing_s = route->stage_count * pack_s;
	for (unsigned i = 0; i < route->stage_count; ++i)
		routing.seconds +=
			routing.messages * exchange_s(&route->stages[i], bytes / routing.messages) + pack_s;
	return routing;
}

struct routing gradient_routing(
	const struct evaluation *evaluation, const struct replicas *replicas, double weights, double tensors)
{
	struct routing best = {.messages = 1};
	for (unsigned i = 0; i < replicas->route_count && weights > 0; ++i) {
		const struct routing other =
			routing_of(evaluation, replicas, &replicas->routes[i], weights, tensors);
		if (!best.route || other.seconds < best.seconds)
			best = other;
	}
	return best;
}

/* Describes fp16 as no compression where it halves nothing. */
void gradient_describe(const struct evaluation *evaluation, double weights, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const char *const names[COMPRESSIONS] = {
		"none", halves(evaluation) ? "fp16" : "none", oracle->choices->density_text};
	if (oracle->rules.ideal)
		return;
	const struct routing routing = gradient_routing(evaluation, &evaluation->dense, weights, 1);
	const struct gradient_route *route = routing.route;
	if (!route)
		return;
	const struct curve *curve = route->stages[route->stage_count - 1].curve;
	const struct collective *collective = curve_algorithm(curve, routing.bytes / routing.messages);
	estimate->gradient_messages = routing.messages;
	estimate->gradient_algorithm = curve->measured ? "measured curve"
				       : collective    ? collective->name
						       : NULL;
	estimate->gradient_compression = names[route->compression];
}
