/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file copies a machine with some of its rates moved. Measurements of links (rings, curves) go with them. */
#include "study/studies.h"

static void rates_scale(double *const *rates, size_t count, double factor)
{
	for (size_t i = 0; i < count; ++i)
		*rates[i] *= factor;
}

static void compute_move(struct device *device, double factor)
{
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; ++i)
		device->peak_flop_per_s[i] *= factor;
}

static void memory_move(struct device *device, double factor)
{
	device->memory_bytes_per_s *= factor;
	for (unsigned i = 0; i < device->memory_level_count; ++i)
		device->memory_levels[i].bytes_per_s *= factor;
}

static void level_move(struct level *level, double factor)
{
	level->bandwidth_bytes_per_s *= factor;
	level->ring_bytes_per_s *= factor;
	level->latency_s /= factor;
}

static bool is_inside(unsigned kind)
{
	return kind == LINK_DEVICE || kind == LINK_PCIE;
}

static const struct machine_network *network_move(
	struct paradl_arena *arena, const struct machine_network *network, double inside, double outside)
{
	struct machine_network *const moved = arena_alloc(arena, 1, sizeof *moved);
	if (!moved)
		return NULL;
	*moved = *network;
	for (unsigned i = 0; i < LINK_KINDS; ++i) {
		struct link_class *const links = &moved->links[i];
		double *const rates[] = {
			&links->bytes_per_s, &links->sustained_bytes_per_s, &links->flow_bytes_per_s};
		rates_scale(rates, sizeof rates / sizeof *rates, is_inside(i) ? inside : outside);
		links->latency_s /= is_inside(i) ? inside : outside;
	}
	moved->message_s /= outside;
	return moved;
}

static const struct measured_curve *curves_move(
	struct paradl_arena *arena, const struct paradl_machine *machine, double inside, double outside)
{
	struct measured_curve *const moved = arena_alloc(arena, machine->curve_count, sizeof *moved);
	for (unsigned i = 0; moved && i < machine->curve_count; ++i) {
		moved[i] = machine->curves[i];
		if (!points_scale(arena, &moved[i].points, 1, moved[i].nodes > 1 ? outside : inside))
			return NULL;
	}
	return moved;
}

static const struct storage_tier *storage_move(
	struct paradl_arena *arena, const struct paradl_machine *machine, double factor)
{
	struct storage_tier *const moved = arena_alloc(arena, machine->storage_count, sizeof *moved);
	for (unsigned i = 0; moved && i < machine->storage_count; ++i) {
		moved[i] = machine->storage[i];
		if (!points_scale(arena, &moved[i].by_clients, factor, 1))
			return NULL;
		double *const rates[] = {&moved[i].read_bytes_per_s, &moved[i].write_bytes_per_s,
			&moved[i].client_bytes_per_s, &moved[i].random_reads_per_s, &moved[i].opens_per_s};
		rates_scale(rates, sizeof rates / sizeof *rates, factor);
		moved[i].open_s /= factor;
		moved[i].create_s /= factor;
	}
	return moved;
}

static void host_move(struct paradl_machine *machine, double factor)
{
	struct host *const host = &machine->host;
	double *const rates[] = {&host->cores, &host->input_cores, &host->memory_bytes_per_s,
		&machine->device.link.host_bytes_per_s};
	rates_scale(rates, sizeof rates / sizeof *rates, factor);
}

const struct paradl_machine *machine_moved(struct paradl_arena *arena, const struct paradl_machine *machine,
	const double factors[PARADL_SOURCE_COUNT])
{
	struct paradl_machine *const moved = arena_alloc(arena, 1, sizeof *moved);
	const double inside = factors[PARADL_SOURCE_NODE_LINKS], outside = factors[PARADL_SOURCE_NETWORK];
	if (!moved)
		return NULL;
	*moved = *machine;
	compute_move(&moved->device, factors[PARADL_SOURCE_COMPUTE]);
	memory_move(&moved->device, factors[PARADL_SOURCE_MEMORY]);
	moved->device.link.bytes_per_s *= inside;
	for (unsigned i = 0; i < moved->level_count; ++i)
		level_move(&moved->levels[i], i > 0 ? outside : inside);
	host_move(moved, factors[PARADL_SOURCE_HOST]);
	device_derive(&moved->device);
	if (machine->network)
		moved->network = network_move(arena, machine->network, inside, outside);
	if (machine->curve_count > 0)
		moved->curves = curves_move(arena, machine, inside, outside);
	if (machine->storage_count > 0)
		moved->storage = storage_move(arena, machine, factors[PARADL_SOURCE_STORAGE]);
	const bool whole = (moved->network || !machine->network) &&
			   (moved->curves || !machine->curve_count) &&
			   (moved->storage || !machine->storage_count);
	return whole ? moved : NULL;
}
