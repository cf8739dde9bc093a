/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best of all plans of random networks, programs and numbers of GPUs, against an estimate of each:
 * search_random [SEED]
 */
#include "fit/random.h"
#include "search/proof.h"

enum { CASES_IMAGES = 8, CASES_TOKENS = 4 };

static unsigned seed = 20261126;

static unsigned pick(struct random *random, unsigned count)
{
	const unsigned drawn = (unsigned)(random_uniform(random) * count);
	return drawn < count ? drawn : count - 1;
}

static bool toss(struct random *random)
{
	return pick(random, 2) == 0;
}

/* A chain of convolutions, one to three with a shortcut around two more, poolings, and one or two linear layers. */
static const struct paradl_model *random_model(struct setup *setup, struct random *random)
{
	static const unsigned extents[] = {16, 24, 32};
	const unsigned extent = extents[pick(random, 3)], convs = 2 + pick(random, 3);
	const char *layers = "";
	for (unsigned i = 0; i < convs; ++i) {
		const unsigned filters = 8U << pick(random, 4), kernel = 1 + 2 * pick(random, 2);
		layers = arena_printf(setup->arena,
			"%s{\"type\": \"conv\", \"out\": %u, \"kernel\": %u, \"pad\": %u}, "
			"{\"type\": \"act\", \"kind\": \"relu\"}, ",
			layers, filters, kernel, kernel / 2);
		if (toss(random))
			layers = arena_printf(setup->arena,
				"%s{\"type\": \"add\", \"branches\": [[{\"type\": \"conv\", \"out\": %u, "
				"\"kernel\": 3, \"pad\": 1}, {\"type\": \"norm\", \"kind\": \"batch\"}], "
				"[]]}, ",
				layers, filters);
		if (i == 0 || toss(random))
			layers = arena_printf(setup->arena,
				"%s{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2, \"stride\": 2}, ",
				layers);
	}
	if (toss(random))
		layers = arena_printf(setup->arena, "%s{\"type\": \"linear\", \"out\": %u}, ", layers,
			32U << pick(random, 3));
	layers = arena_printf(setup->arena, "%s{\"type\": \"linear\", \"out\": 100}", layers);
	return setup_model(setup,
		arena_printf(setup->arena,
			"\"input\": {\"channels\": 3, \"shape\": [%u, %u]}, \"dataset\": {\"name\": \"d\", "
			"\"samples\": 100000, \"sample_size\": \"1 kB\"}",
			extent, extent),
		layers);
}

/* A program with or without each thing that costs, hides or recomputes, and with what it offers, or everything. */
static const char *random_keys(struct setup *setup, struct random *random)
{
	const char *const offers = toss(random) ? ""
						: ", \"offers\": {\"axes\": [\"data\"], \"schedules\": "
						  "[\"1f1b\", \"zero-bubble\"], \"zero\": [1, 2, "
						  "3], \"zero_with_pipeline\": [1], \"recomputes\": "
						  "[\"full\"], \"offload\": [\"optimizer\", "
						  "\"activations\"], \"shard\": true, \"contexts\": []}";
	return arena_printf(setup->arena,
		"%s%s, \"rules\": {\"overlap_gradients\": %.2f, \"overlap_gathers\": %.2f, "
		"\"overlap_shards\": %.2f, "
		"\"host_layer\": \"%u us\", \"interference\": %.2f, \"bucket\": \"%u kB\", "
		"\"gradient_passes\": %u, "
		"\"gradient_tensor\": \"%u us\", \"jitter\": \"%u ms\", \"stage_blocking\": %.1f, "
		"\"balanced\": %s, "
		"\"recompute\": \"%s\", \"micro_batches\": %u}",
		offers, toss(random) ? ", " SETUP_SPLIT_ALL : "", random_uniform(random),
		random_uniform(random), random_uniform(random), pick(random, 3) * 20,
		0.2 * random_uniform(random), pick(random, 2) * 256, pick(random, 3), pick(random, 3) * 5,
		pick(random, 3), 0.5 * pick(random, 3), toss(random) ? "true" : "false",
		toss(random) ? "none" : "stages", pick(random, 2) * 4);
}

static void networks_of_images(void **state)
{
	static const unsigned counts[] = {2, 4, 6, 8};
	struct setup *const setup = *state;
	struct random random = {seed};
	for (unsigned i = 0; i < CASES_IMAGES / (takes_all() ? 1 : 2); ++i) {
		const struct paradl_model *model = random_model(setup, &random);
		const unsigned devices = counts[pick(&random, 4)];
		const double batch = devices * (1U << pick(&random, 3));
		const char *keys = random_keys(setup, &random);
		const unsigned more = pick(&random, 3) ? 0 : 1U << PARADL_VARY_OFFLOAD;
		const struct proof proof = {model, devices, batch, keys, BRUTE_USUAL | more};
		check_proof(setup, &proof);
		setup_renew(setup);
	}
}

/* Blocks that do not go evenly into stages, which are then cut by cost, or always are. */
static const struct paradl_model *random_transformer(struct setup *setup, struct random *random)
{
	const bool experts = pick(random, 3) == 0;
	const struct transformer_shape shape = {.name = "small",
		.layers = 3 + pick(random, 4),
		.hidden = 256U << pick(random, 2),
		.heads = 8,
		.vocabulary = 1000U << pick(random, 6),
		.sequence = 256U << pick(random, 3),
		.experts = experts ? 4 : 0,
		.top_k = experts ? 2 : 0,
		.moe_ffn = experts ? 512 : 0,
		.unfused = toss(random),
		.dataset = "d",
		.dataset_tokens = 1e9,
		.token_size = "2 B"};
	const struct paradl_model *model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	return model;
}

static void networks_of_tokens(void **state)
{
	struct setup *const setup = *state;
	struct random random = {seed};
	for (unsigned i = 0; i < CASES_TOKENS / (takes_all() ? 1 : 2); ++i) {
		const struct paradl_model *model = random_transformer(setup, &random);
		const unsigned devices = 4 + 2 * pick(&random, 2);
		const struct proof proof = {model, devices, devices, random_keys(setup, &random),
			BRUTE_USUAL & ~(1U << PARADL_VARY_OVERLAP)};
		check_proof(setup, &proof);
		setup_renew(setup);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = (unsigned)strtoul(argv[1], NULL, 10);
	const struct CMUnitTest tests[] = {setup_test(networks_of_images), setup_test(networks_of_tokens)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
