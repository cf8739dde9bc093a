/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exchanges of layers and of replicas that go over the same links share them. Whether a group spans nodes tells its
 * links: groups across nodes meet at the ports of nodes, those inside at the links between devices.
 */
#include "oracle/replicas.h"

#include <string.h>

static enum link_reach reach_of(unsigned nodes)
{
	return nodes > 1 ? LINKS_ACROSS : LINKS_INSIDE;
}

enum link_reach replicas_reach(const struct evaluation *evaluation)
{
	return reach_of(evaluation->dense.nodes);
}

enum link_reach axis_reach(const struct evaluation *evaluation, enum paradl_axis axis)
{
	return reach_of(evaluation->nodes[axis]);
}

enum link_reach load_reach(const struct evaluation *evaluation, unsigned load)
{
	return load == LOAD_CUTS ? reach_of(evaluation->call_nodes)
				 : axis_reach(evaluation, (enum paradl_axis)(PARADL_EXPERT + load));
}

void layer_loads_add(const double *term, bool plain, double load_s[LAYER_LOADS][2])
{
	for (unsigned pass = 0; pass < 2; ++pass) {
		for (unsigned axis = 0; axis < TOKEN_AXES && !plain; ++axis)
			load_s[axis][pass] += term[STAGE_EXCHANGE_S + 2 * axis + pass];
		if (!plain)
			load_s[PARADL_CONTEXT - PARADL_EXPERT][pass] += term[STAGE_HIDDEN_S + pass];
		load_s[LOAD_CUTS][pass] += term[STAGE_LAYERWISE_S + pass] + term[STAGE_HALO_S + pass];
	}
	load_s[PARADL_TENSOR - PARADL_EXPERT][PASS_BACKWARD] += term[STAGE_AGAIN_EXCHANGE_S];
}

void layers_taken_add(const struct evaluation *evaluation, const double *term, bool plain, double taken_s[2])
{
	const enum link_reach reach = replicas_reach(evaluation);
	double load_s[LAYER_LOADS][2] = {{0}};
	layer_loads_add(term, plain, load_s);
	for (unsigned load = 0; load < LAYER_LOADS; ++load)
		for (unsigned pass = 0; pass < 2 && load_reach(evaluation, load) == reach; ++pass)
			taken_s[pass] += load_s[load][pass];
}

/* Adds the seconds of a stage whose layers have plans of their own, and of what is dealt out again between them. */
static void parts_taken_add(
	const struct evaluation *evaluation, const struct stage *stage, unsigned device, double taken_s[2])
{
	double between[STAGE_TERMS];
	memcpy(between, stage->term, sizeof between);
	for (struct part part = {0}; part_next(evaluation, device, NULL, &part);) {
		layers_taken_add(part.evaluation, part.sums, false, taken_s);
		for (unsigned i = STAGE_LAYERWISE_S; i <= STAGE_AGAIN_EXCHANGE_S; ++i)
			between[i] -= part.sums[i];
	}
	layers_taken_add(evaluation, between, true, taken_s);
}

void links_taken_add(
	const struct evaluation *evaluation, unsigned device, const struct stage *stage, double taken_s[2])
{
	if (evaluation->shares)
		parts_taken_add(evaluation, stage, device, taken_s);
	else
		layers_taken_add(evaluation, stage->term, stage->plain, taken_s);
	for (unsigned pass = 0;
		pass < 2 && axis_reach(evaluation, PARADL_PIPELINE) == replicas_reach(evaluation); ++pass)
		taken_s[pass] += stage->send_s[pass];
}
