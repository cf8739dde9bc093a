/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of questions, dealt out to threads. */
#include "golden/golden.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind kinds[] = {
	{"images", 8, 500, ask_images},
	{"images-options", 6, 500, ask_images_options},
	{"tokens", 6, 500, ask_tokens},
	{"tokens-options", 8, 500, ask_tokens_options},
	{"ideal", 3, 500, ask_ideal},
	{"inference-images", 1, 500, ask_inference_images},
	{"inference-tokens", 3, 500, ask_inference_tokens},
	{"layered-images", 2, 500, ask_layered_images},
	{"layered-tokens", 3, 500, ask_layered_tokens},
	{"collectives", 4, 500, ask_collectives},
	{"io", 1, 125, ask_io},
	{"hide", 1, 125, ask_hide},
	{"federate", 1, 125, ask_federate},
	{"runs", 1, 125, ask_runs},
	{"uncertainty", 1, 100, ask_uncertainty},
	{"advise", 1, 80, ask_advise},
	{"search", 1, 80, ask_search},
	{"search-all", 1, 20, ask_search_all},
	{"search-layers", 1, 40, ask_search_layers},
};

/* FNV-1a. */
uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; ++i)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3U;
	return hash;
}

/* Those functions that src/ uses; compilers cannot know the arguments. */
uint64_t fingerprint(void)
{
	struct draw draw = draw_begin("libm", 0, 0, 0);
	uint64_t hash = HASH_BEGIN;
	for (unsigned i = 0; i < 400; ++i) {
		const double small = draw_real(&draw, -3, 3), large = draw_real(&draw, 1e-6, 1e6);
		const double values[] = {exp(small), expm1(small), log(large), log1p(large), log2(large),
			log10(large), pow(large, small), sqrt(large), cbrt(large), sin(small), cos(small),
			hypot(small, large), ldexp(small, (int)i % 40)};
		hash = hash_bytes(hash, (const char *)values, sizeof values);
	}
	return hash;
}

void blocks_list(struct blocks *blocks)
{
	for (unsigned k = 0; k < COUNT(kinds); ++k)
		for (unsigned b = 1; b <= kinds[k].blocks; ++b) {
			struct block *const block = &blocks->items[blocks->count++];
			if (blocks->count > BLOCKS_MOST)
				give_up("more than %d blocks", (int)BLOCKS_MOST);
			block->kind = &kinds[k];
			block->number = b;
			snprintf(block->name, sizeof block->name, "%s-%u", kinds[k].name, b);
		}
}

bool blocks_want(struct blocks *blocks, const char *name)
{
	bool found = false;
	for (unsigned i = 0; i < blocks->count; ++i) {
		struct block *const block = &blocks->items[i];
		if (strcmp(block->name, name) != 0 && strcmp(block->kind->name, name) != 0)
			continue;
		block->wanted = true;
		found = true;
	}
	return found;
}

void blocks_want_first(struct blocks *blocks)
{
	for (unsigned i = 0; i < blocks->count; ++i)
		blocks->items[i].wanted = blocks->items[i].number == 1;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

struct crew {
	struct blocks *blocks;
	pthread_mutex_t lock;
	unsigned next;
};

static struct block *next_block(struct crew *crew)
{
	struct block *block = NULL;
	pthread_mutex_lock(&crew->lock);
	while (!block && crew->next < crew->blocks->count) {
		block = &crew->blocks->items[crew->next++];
		block = block->wanted ? block : NULL;
	}
	pthread_mutex_unlock(&crew->lock);
	return block;
}

static void block_run(const struct blocks *blocks, struct block *block, struct inputs *inputs)
{
	struct asking asking = {.inputs = inputs,
		.text = &block->text,
		.threads = blocks->threads,
		.kind = block->kind->name,
		.block = block->number};
	snprintf(asking.name, sizeof asking.name, "%s", block->name);
	block->kind->ask(&asking, block->kind->questions);
	block->hash = hash_bytes(HASH_BEGIN, block->text.bytes, block->text.length);
	if (blocks->keeps)
		return;
	free(block->text.bytes);
	block->text.bytes = NULL;
}

static void *work(void *argument)
{
	struct crew *const crew = argument;
	struct inputs inputs = {.arena = paradl_arena_create()};
	if (!inputs.arena)
		give_up("out of memory");
	for (struct block *block = next_block(crew); block; block = next_block(crew))
		block_run(crew->blocks, block, &inputs);
	paradl_arena_free(inputs.arena);
	return NULL;
}

void blocks_run(struct blocks *blocks)
{
	enum { THREADS_MOST = 64 };
	pthread_t threads[THREADS_MOST];
	struct crew crew = {.blocks = blocks};
	unsigned started = 0;
	pthread_mutex_init(&crew.lock, NULL);
	while (started + 1 < blocks->threads && started < THREADS_MOST &&
		pthread_create(&threads[started], NULL, work, &crew) == 0)
		++started;
	work(&crew);
	for (unsigned i = 0; i < started; ++i)
		pthread_join(threads[i], NULL);
	pthread_mutex_destroy(&crew.lock);
}
