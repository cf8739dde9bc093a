/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels of layers are kept, because they depend only on how samples are cut and on how many there are, and many
 * plans of a search differ in neither. With p stages and d replicas, a micro-batch always has B / (d p) samples.
 */
#include <string.h>

#include "oracle/evaluation.h"

enum { KEPT_MAX = 1 << 10 }; /* a power of two; a cut takes its place from another */

/* Key of a cut: all that the kernels of one network depend on. */
struct cut_key {
	double samples;
	unsigned degree[PARADL_AXIS_COUNT - PARADL_EXPERT], spatial[3];
	unsigned
		tokens; /* of token layers: how sequences and experts are cut, the dispatcher, copies of tied weights */
};

struct cuts_kept {
	unsigned forgotten; /* number of times that all was forgotten */
	struct kept_cut {
		unsigned forgotten; /* that number when this was kept */
		struct cut_key key; /* no samples: the place is free */
		struct layer_cost *kernels;
		struct shard *shards;
	} places[KEPT_MAX];
};

static struct cut_key key_of(const struct evaluation *evaluation)
{
	const struct paradl_plan *plan = &evaluation->plan;
	struct cut_key key;
	memset(&key, 0, sizeof key);
	key.samples = evaluation->samples;
	memcpy(key.degree, plan->degree + PARADL_EXPERT, sizeof key.degree);
	memcpy(key.spatial, plan->spatial, sizeof key.spatial);
	if (evaluation->oracle->model->tokens)
		key.tokens = (unsigned)evaluation->dispatcher << 8 | (unsigned)plan->context << 3 |
			     (evaluation->net->tied && plan->degree[PARADL_PIPELINE] > 1 ? 4U : 0U) |
			     (plan->sequence ? 2U : 0U) | (plan->expert_tensor ? 1U : 0U);
	return key;
}

static bool is_same(const struct cut_key *a, const struct cut_key *b)
{
	return !(a->samples < b->samples) && !(a->samples > b->samples) &&
	       memcmp(a->degree, b->degree, sizeof a->degree) == 0 &&
	       memcmp(a->spatial, b->spatial, sizeof a->spatial) == 0 && a->tokens == b->tokens;
}

static unsigned place_of(const struct cut_key *key)
{
	unsigned char bytes[sizeof *key];
	unsigned hash = 2166136261u; /* FNV-1a */
	memcpy(bytes, key, sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; ++i)
		hash = (hash ^ bytes[i]) * 16777619u;
	return (hash ^ hash >> 16) & (KEPT_MAX - 1);
}

/* Returns whether cuts are kept: measured times of layers depend on more, inference on most options of a plan. */
static bool keeps(const struct evaluation *evaluation)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	return !oracle->options.inference && !oracle->times;
}

/* Returns the place for this cut, with room for its kernels. NULL: out of memory, nothing is kept. */
static struct kept_cut *kept_find(struct paradl_arena *arena, struct prepared *net, const struct cut_key *key)
{
	const size_t layers = net->model->layer_count;
	if (!net->kept && !(net->kept = arena_alloc(arena, 1, sizeof *net->kept)))
		return NULL;
	struct kept_cut *kept = &net->kept->places[place_of(key)];
	if (!kept->kernels)
		kept->kernels = arena_alloc(arena, layers, sizeof *kept->kernels);
	if (!kept->shards)
		kept->shards = arena_alloc(arena, layers, sizeof *kept->shards);
	return kept->kernels && kept->shards ? kept : NULL;
}

void layers_cut(struct evaluation *evaluation, struct paradl_arena *arena)
{
	struct prepared *net = evaluation->net;
	const struct cut_key key = key_of(evaluation);
	struct kept_cut *const kept = keeps(evaluation) ? kept_find(arena, net, &key) : NULL;
	if (kept) {
		net->kernels = kept->kernels;
		net->shards = kept->shards;
		if (kept->forgotten == net->kept->forgotten && is_same(&kept->key, &key))
			return;
		kept->key = key;
		kept->forgotten = net->kept->forgotten;
	}
	if (!kept && net->kept) /* may overwrite another cut's: nothing kept holds any more */
		++net->kept->forgotten;
	for (unsigned i = 0; i < net->model->layer_count; ++i)
		layer_kernels(evaluation, i, &net->kernels[i]);
}

void cuts_forget(struct paradl_oracle *oracle)
{
	for (unsigned i = 0; i < oracle->prepared_count; ++i)
		if (oracle->prepared[i].kept)
			++oracle->prepared[i].kept->forgotten;
}
