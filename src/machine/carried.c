/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Carries measured numbers over. With b the bandwidth and l the latency of a level, new / old, these change:
 *     rings of the level, and cables of a routed network with what they sustain:   rate b, latency l
 *     start of reductions in switches:   l of the nodes' level (nvls), of the one above (sharp)
 *     what a host gets of its ports:     b of the level above the node
 *     a measured curve:                  T'(n) = l T0 + (T(n) - T0) / b
 * T0 is the least time of the curve, and the level the lowest that holds all of its devices. Cables inside a node are
 * of level 0, those from a node to its first switch of level 1, between switches of level 2, between groups of the
 * last. Rates for a number of clients follow the rate of their storage. A number that a change names stays as the
 * change has it.
 */
#include "machine/machine.h"

#include <math.h>
#include <string.h>

#include "base/changes.h"
#include "base/error.h"

/* The trees before and after the changes, and what follows from them so far. */
struct carry {
	struct paradl_arena *arena;
	const struct json *file, *root, *result; /* result: `root` as it follows; NULL: error is set */
	struct paradl_changes *more;             /* what is not in `result` yet */
	struct paradl_error *error;
};

/* Applies what has been collected, which makes room for more. */
static void carry_apply(struct carry *carry)
{
	struct change_tally tally = {0};
	if (carry->result)
		carry->result = changes_apply(carry->arena, carry->more, CHANGE_MACHINE, carry->result, false,
			&tally, carry->error);
	carry->more->count = 0;
}

/* Ratios new / old of a level; 1 beyond the last. */
struct ratio {
	double bandwidth, latency;
};

static const struct json *item(const struct json *list, unsigned index)
{
	const struct json *node = list ? list->child : NULL;
	while (node && node->index != index)
		node = node->next;
	return node;
}

static const struct json *below(const struct json *node, const char *key)
{
	return node && node->kind == JSON_OBJECT ? json_member(node, key) : NULL;
}

/* Returns whether a change has set a node: the node is then of the change's document. */
static bool is_set(const struct json *root, const struct json *node)
{
	return node && node->document != root->document;
}

/* Returns new / old; 1 where a tree does not have the number, or has no quantity there: its reader will say so. */
static double ratio_of(
	const struct json *old, const struct json *new, const char *key, enum dimension dimension)
{
	const struct json_field field = {key, JSON_TO_QUANTITY, true, 0, 0, 1e18, dimension, NULL};
	const struct json *const before = below(old, key), *const after = below(new, key);
	struct paradl_error error;
	double from = 0, to = 0;
	if (!before || !after || before == after || !json_read_value(before, &field, &from, &error) ||
		!json_read_value(after, &field, &to, &error) || !(from > 0) || !(to > 0))
		return 1;
	return to / from;
}

static struct ratio level_ratio(const struct json *file, const struct json *root, unsigned level)
{
	const struct json *const old = item(below(file, "levels"), level);
	const struct json *const new = item(below(root, "levels"), level);
	return (struct ratio){ratio_of(old, new, "bandwidth", DIMENSION_BYTES_PER_S),
		ratio_of(old, new, "latency", DIMENSION_TIME)};
}

static bool is_one(double factor)
{
	return !(factor < 1) && !(factor > 1);
}

/*
 * Adds a change that multiplies the number at `key` of `parent`, unless there is none, or a change has set it. `where`
 * is the place of `parent`; NULL: there was no memory for it.
 */
static void follow(
	struct carry *carry, const struct json *parent, const char *where, const char *key, double factor)
{
	const struct json *const node = below(parent, key);
	if (!node || is_one(factor) || is_set(carry->root, node))
		return;
	if (carry->more->count == CHANGES_MAX)
		carry_apply(carry);
	struct change *const change = &carry->more->items[carry->more->count++];
	*change = (struct change){.scope = CHANGE_MACHINE, .factor = factor};
	change->key = where ? arena_printf(carry->arena, "%s.%s", where, key) : NULL;
	change->text = change->key ? arena_printf(carry->arena, "hw.%s, carried over", change->key) : NULL;
	if (!change->text)
		carry->result = out_of_memory_null(carry->error);
}

static void levels_follow(struct carry *carry)
{
	const struct json *const levels = below(carry->root, "levels");
	for (unsigned i = 0; levels && i < levels->count; i++) {
		const char *const where = arena_printf(carry->arena, "levels.%u", i);
		follow(carry, item(levels, i), where, "ring",
			level_ratio(carry->file, carry->root, i).bandwidth);
	}
}

static void cable_follows(struct carry *carry, const char *kind, unsigned level)
{
	const struct json *const old = below(below(below(carry->file, "network"), "links"), kind);
	const struct json *const new = below(below(below(carry->root, "network"), "links"), kind);
	const char *const where = arena_printf(carry->arena, "network.links.%s", kind);
	const struct ratio ratio = level_ratio(carry->file, carry->root, level);
	const bool own = is_set(carry->root, below(new, "bandwidth"));
	const double rate = own ? ratio_of(old, new, "bandwidth", DIMENSION_BYTES_PER_S) : ratio.bandwidth;
	if (!new)
		return;
	follow(carry, new, where, "bandwidth", rate);
	follow(carry, new, where, "sustained", rate);
	follow(carry, new, where, "flow", rate);
	follow(carry, new, where, "latency", ratio.latency);
}

static void network_follows(struct carry *carry)
{
	const struct json *const network = below(carry->root, "network");
	const struct json *const levels = below(carry->root, "levels");
	const unsigned last = levels && levels->count ? levels->count - 1 : 0;
	const unsigned ports = last < 1 ? last : 1, switches = last < 2 ? last : 2;
	if (!network)
		return;
	cable_follows(carry, "device", 0);
	cable_follows(carry, "pcie", ports);
	cable_follows(carry, "port", ports);
	cable_follows(carry, "backplane", ports);
	cable_follows(carry, "switch", switches);
	cable_follows(carry, "global", last);
	follow(carry, below(network, "nvls"), "network.nvls", "start",
		level_ratio(carry->file, carry->root, 0).latency);
	follow(carry, below(network, "sharp"), "network.sharp", "start",
		level_ratio(carry->file, carry->root, ports).latency);
}

static void storage_follows(struct carry *carry)
{
	const struct json *const tiers = below(carry->root, "storage");
	for (const struct json *tier = tiers ? tiers->child : NULL; tier; tier = tier->next) {
		const struct json *const rows = below(tier, "by_clients");
		const double rate = ratio_of(
			below(below(carry->file, "storage"), tier->key), tier, "read", DIMENSION_BYTES_PER_S);
		for (unsigned i = 0; rows && !is_one(rate) && i < rows->count; i++) {
			const char *const where =
				arena_printf(carry->arena, "storage.%s.by_clients.%u", tier->key, i);
			follow(carry, item(rows, i), where, "read", rate);
		}
	}
}

const struct json *carried_apply(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_error *error)
{
	struct carry carry = {arena, file, root, root, arena_alloc(arena, 1, sizeof *carry.more), error};
	if (!carry.more)
		return out_of_memory_null(error);
	levels_follow(&carry);
	network_follows(&carry);
	storage_follows(&carry);
	follow(&carry, below(root, "host"), "host", "network", level_ratio(file, root, 1).bandwidth);
	carry_apply(&carry);
	return carry.result;
}

static unsigned level_of(const struct paradl_machine *machine, const struct measured_curve *curve)
{
	unsigned level = curve->nodes > 1;
	while (level + 1 < machine->level_count && machine->levels[level].devices < curve->devices)
		level++;
	return level;
}

/* Carries a curve over: T'(n) = l T0 + (T(n) - T0) / b. False: out of memory. */
static bool curve_follows(struct paradl_arena *arena, const struct ratio *ratio, struct measured_curve *curve)
{
	struct points *const points = &curve->points;
	double *const time_s = arena_alloc(arena, points->count, sizeof *time_s);
	double least_s = HUGE_VAL;
	for (unsigned i = 0; i < points->count; i++)
		least_s = fmin(least_s, points->y[i]);
	for (unsigned i = 0; time_s && i < points->count; i++)
		time_s[i] = ratio->latency * least_s + (points->y[i] - least_s) / ratio->bandwidth;
	points->y = time_s;
	return time_s;
}

bool carried_curves(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_machine *machine, struct paradl_error *error)
{
	const struct json *const rows = below(root, "curves");
	struct measured_curve *const curves = arena_alloc(arena, machine->curve_count + 1, sizeof *curves);
	bool ok = curves;
	if (ok && machine->curve_count)
		memcpy(curves, machine->curves, machine->curve_count * sizeof *curves);
	for (unsigned i = 0; ok && i < machine->curve_count; i++) {
		const struct ratio ratio = level_ratio(file, root, level_of(machine, &curves[i]));
		const struct json *const times = below(item(rows, i), "us");
		if ((!is_one(ratio.bandwidth) || !is_one(ratio.latency)) && !is_set(root, times) &&
			!is_set(root, item(times, 0)))
			ok = curve_follows(arena, &ratio, &curves[i]);
	}
	machine->curves = curves;
	return ok || out_of_memory(error);
}
