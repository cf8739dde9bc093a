/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves the rules of an oracle: what the framework says of networks of this kind, and what follows from the kind. */
#include "oracle/oracle.h"

/* Adds how networks of tokens are accounted for: one device's sums, memory at several moments. */
static void tokens_account(struct rules *rules)
{
	rules->host = rules->host_exposed > 0 ? HOST_BLOCKS : HOST_RUNS_AHEAD;
	rules->host_unsure = rules->library_starts = rules->moments = true;
	if (rules->graphs)
		rules->host_layer_s = rules->host_collective_s = rules->host_micro_batch_s = 0;
}

/* Adds how networks of images are accounted for: each phase's maximum over devices, memory at the end of forward. */
static void images_account(struct rules *rules)
{
	rules->host = HOST_STRETCHES;
	rules->links_queue = rules->own_maxima = rules->frees_early = rules->holds_inputs = true;
	if (rules->graphs)
		rules->host_layer_s = 0;
}

void rules_resolve(const struct paradl_framework *framework, bool tokens, bool ideal, struct rules *rules)
{
	if (ideal) {
		*rules = (struct rules){.ideal = true,
			.gradient_rings = 1,
			.activation_rings = 1,
			.schedule = PARADL_GPIPE,
			.micro_samples = tokens ? 1 : 0,
			.links_queue = true,
			.balanced = true,
			.recompute = PARADL_RECOMPUTE_NONE,
			.own_maxima = true};
		return;
	}
	*rules = framework->rules[tokens ? RULES_TOKENS : RULES_IMAGES];
	if (tokens)
		tokens_account(rules);
	else
		images_account(rules);
}
