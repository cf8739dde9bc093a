/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds changes that make input faster: each change is made and evaluated. The cheapest are listed that gain at least
 * a tenth of the best one's gain: options of the program, then the data set's files, its place, its shuffle, and last
 * machines.
 */
#include <math.h>

#include "base/arena.h"
#include "base/quantity.h"
#include "oracle/input/input.h"
#include "study/job/job.h"

enum { FIXES_SHOWN = 3, QUANTITY_BYTES = 32 };

static const double least_gain = 0.01, least_of_best = 0.1, shard_bytes = 1e9;

/* Changes the variant; false: the change is there already, or makes no sense here. */
typedef bool change(struct input_variant *variant, const struct paradl_input *now);

static bool let_overlap(struct input_variant *variant, const struct paradl_input *now)
{
	(void)now;
	const bool was = variant->options.in_turn;
	variant->options.in_turn = false;
	return was;
}

static bool use_all_workers(struct input_variant *variant, const struct paradl_input *now)
{
	(void)now;
	const bool was = variant->options.workers > 0;
	variant->options.workers = 0;
	return was;
}

static bool prefetch_more(struct input_variant *variant, const struct paradl_input *now)
{
	(void)now;
	const bool was = variant->options.prefetch > 0;
	variant->options.prefetch = 0;
	return was;
}

static bool pin_cache(struct input_variant *variant, const struct paradl_input *now)
{
	(void)now;
	const bool was = variant->options.cache != PARADL_CACHE_PINNED;
	variant->options.cache = PARADL_CACHE_PINNED;
	return was;
}

static bool pack_files(struct input_variant *variant, const struct paradl_input *now)
{
	struct dataset *const dataset = &variant->model.dataset;
	(void)now;
	if (dataset->layout != LAYOUT_FILES || !(dataset->sample_bytes > 0))
		return false;
	dataset->layout = LAYOUT_SHARDS;
	dataset->files = fmax(1, ceil(dataset->samples * dataset->sample_bytes / shard_bytes));
	return true;
}

/*
 * Stores samples unpacked if they are compressed as a whole; pictures are cropped at random, so they cannot be decoded
 * before.
 */
static bool store_unpacked(struct input_variant *variant, const struct paradl_input *now)
{
	struct dataset *const dataset = &variant->model.dataset;
	(void)now;
	if (dataset->encoding != ENCODING_GZIP)
		return false;
	dataset->sample_bytes = fmax(dataset->sample_bytes, dataset->decoded_bytes);
	dataset->encoding = ENCODING_NONE;
	dataset->preparation_s = 0;
	return true;
}

static bool copy_to_nodes(struct input_variant *variant, const struct paradl_input *now)
{
	variant->options.store = PARADL_STORE_COPY;
	return now->store != PARADL_STORE_COPY && variant->options.shuffle == PARADL_SHUFFLE_GLOBAL;
}

static bool pool_disks(struct input_variant *variant, const struct paradl_input *now)
{
	variant->options.store = PARADL_STORE_POOLED;
	return now->store != PARADL_STORE_POOLED && variant->options.shuffle == PARADL_SHUFFLE_GLOBAL;
}

/* Returns the least share to exchange whose risk is at most low; 0: none that is tried. */
static double safe_share(const struct input_variant *variant)
{
	static const double shares[] = {0.1, 0.3, 0.5};
	struct input_variant trial;
	for (size_t i = 0; i < sizeof shares / sizeof shares[0]; ++i) {
		const struct paradl_input_mode way = {
			PARADL_STORE_SHARD, PARADL_SHUFFLE_PARTIAL, shares[i], 0};
		input_variant_copy(&trial, variant);
		input_variant_mode(&trial.options, &way);
		if (input_variant_ask(&trial).risk <= PARADL_RISK_LOW)
			return shares[i];
	}
	return 0;
}

static bool shuffle_partially(struct input_variant *variant, const struct paradl_input *now)
{
	const struct paradl_input_mode way = {
		PARADL_STORE_SHARD, PARADL_SHUFFLE_PARTIAL, safe_share(variant), 0};
	if (variant->options.shuffle != PARADL_SHUFFLE_GLOBAL || now->readers <= 1 || !(way.exchanged > 0))
		return false;
	input_variant_mode(&variant->options, &way);
	return true;
}

/* Adds as many cores as preparation needs to keep up with the devices, while all else stays. */
static bool add_cores(struct input_variant *variant, const struct paradl_input *now)
{
	const struct host *const host = &variant->machine.host;
	const double cores = host->input_cores > 0 ? host->input_cores : host->cores;
	const double wanted = ceil(cores * now->resource_s[PARADL_RESOURCE_CORES] / now->busy_s - 1e-9);
	if (!(wanted > cores) || variant->options.workers > 0)
		return false;
	input_variant_cores(variant, wanted);
	return true;
}

static bool add_memory(struct input_variant *variant, const struct paradl_input *now)
{
	struct host *const host = &variant->machine.host;
	const double all = variant->model.dataset.samples * variant->model.dataset.sample_bytes;
	(void)now;
	if (!(all > 0) || variant->options.cache_bytes >= all ||
		host->memory_bytes * host->cache_share >= all)
		return false;
	variant->options.cache_bytes = all;
	if (variant->options.cache == PARADL_CACHE_NONE || variant->options.cache == PARADL_CACHE_AUTO)
		variant->options.cache = PARADL_CACHE_PINNED;
	return true;
}

/* The changes in order of cost. */
static const struct {
	const char *name, *option;
	change *make;
} changes[] = {
	{"overlap", "without --no-prefetch", let_overlap},
	{"workers", "without --workers", use_all_workers},
	{"prefetch", "without --prefetch", prefetch_more},
	{"pinned", "--cache pinned", pin_cache},
	{"pack", NULL, pack_files},
	{"unpacked", NULL, store_unpacked},
	{"copy", "--store copy", copy_to_nodes},
	{"pooled", "--store pooled", pool_disks},
	{"partial", "--shuffle partial", shuffle_partially},
	{"cores", NULL, add_cores},
	{"memory", NULL, add_memory},
};
enum { OVERLAP, WORKERS, PREFETCH, PINNED, PACK, UNPACKED, COPY, POOLED, PARTIAL, CORES, MEMORY, CHANGES };
_Static_assert(sizeof changes / sizeof changes[0] == CHANGES, "a text for each change");

/* ---- texts ---- */

static const char *bytes_text(char text[QUANTITY_BYTES], double bytes)
{
	return quantity_format(text, QUANTITY_BYTES, bytes, DIMENSION_BYTES);
}

static const char *text_of(struct paradl_arena *arena, int kind, const struct input_variant *variant,
	const struct paradl_input *with)
{
	char text[QUANTITY_BYTES], staging[QUANTITY_BYTES];
	const struct dataset *const dataset = &variant->model.dataset;
	quantity_format(staging, sizeof staging, with->staging_s, DIMENSION_TIME);
	switch (kind) {
	case OVERLAP:
		return arena_text(arena, "read and prepare while devices compute");
	case WORKERS:
		return arena_text(arena, "let all cores of a node prepare samples");
	case PREFETCH:
		return arena_text(arena, "prefetch more batches");
	case PINNED:
		return arena_text(arena, "keep what was read first in memory (pinned cache)");
	case PACK:
		return arena_printf(arena, "pack the files into %.0f shards of %s", dataset->files,
			bytes_text(text, dataset->samples * dataset->sample_bytes / dataset->files));
	case UNPACKED:
		return arena_printf(arena, "store samples uncompressed (%s each)",
			bytes_text(text, dataset->sample_bytes));
	case COPY:
		return arena_printf(arena, "a copy on each node (staging %s)", staging);
	case POOLED:
		return arena_printf(arena, "the pooled disks of the nodes (staging %s)", staging);
	case PARTIAL:
		return arena_printf(arena, "partial shuffling (staging %s)", staging);
	case CORES:
		return arena_printf(
			arena, "%.0f cores per node for input", variant->machine.host.input_cores);
	default:
		return arena_printf(arena, "%s of memory per node for samples",
			bytes_text(text, variant->options.cache_bytes));
	}
}

/* ---- the list ---- */

struct trial {
	bool useful;
	double gain, exchanged;
	struct paradl_input with;
	const char *text;
};

static bool try_all(struct paradl_arena *arena, const struct input_variant *base,
	const struct paradl_input *now, struct trial trials[CHANGES], double *best)
{
	struct input_variant variant;
	*best = 0;
	for (int i = 0; i < CHANGES; ++i) {
		input_variant_copy(&variant, base);
		trials[i] = (struct trial){.useful = changes[i].make(&variant, now)};
		if (!trials[i].useful)
			continue;
		trials[i].with = input_variant_ask(&variant);
		trials[i].exchanged = variant.options.exchanged;
		trials[i].gain = 1 - trials[i].with.step_s / now->step_s;
		trials[i].useful = trials[i].with.possible && trials[i].gain >= least_gain;
		if (!trials[i].useful)
			continue;
		trials[i].text = text_of(arena, i, &variant, &trials[i].with);
		if (!trials[i].text)
			return false;
		*best = fmax(*best, trials[i].gain);
	}
	return true;
}

static const char *option_of(struct paradl_arena *arena, int kind, const struct trial *trial)
{
	if (kind != PARTIAL)
		return changes[kind].option;
	return arena_printf(arena, "--shuffle partial:%.1f", trial->exchanged);
}

bool input_fixes(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer)
{
	const struct paradl_input *const now = &answer->rows[0].input;
	struct paradl_input_fix *const fixes = arena_alloc(arena, FIXES_SHOWN, sizeof *fixes);
	struct trial *const trials = arena_alloc(arena, CHANGES, sizeof *trials);
	double best;
	if (!fixes || !trials)
		return false;
	answer->fixes = fixes;
	if (!now->possible || now->step_s <= now->busy_s * (1 + least_gain))
		return true;
	if (!try_all(arena, base, now, trials, &best))
		return false;
	for (int i = 0; i < CHANGES && answer->fix_count < FIXES_SHOWN; ++i)
		if (trials[i].useful && trials[i].gain >= least_of_best * best)
			fixes[answer->fix_count++] = (struct paradl_input_fix){.name = changes[i].name,
				.text = trials[i].text,
				.option = option_of(arena, i, &trials[i]),
				.step_s = trials[i].with.step_s,
				.utilisation = trials[i].with.utilisation,
				.saved_share = trials[i].gain,
				.binding = trials[i].with.binding};
	return true;
}
