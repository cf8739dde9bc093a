/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches against simulated ones, and what others measured or computed. */
#include "oracle/input/input.h"

#include "input_random.h"
#include "test.h"

enum { ITEMS = 4000, EPOCHS = 6 };

static void shuffle(unsigned *order, uint64_t *state)
{
	for (unsigned i = ITEMS - 1; i > 0; i--) {
		const unsigned j = (unsigned)(random_share(state) * (i + 1)), other = order[i];
		order[i] = order[j];
		order[j] = other;
	}
}

/*
 * Least recently used: an item is there if fewer than `places` others were read since. last[] has when each was read; a tree
 * of counts (Fenwick) says how many items were last read after that.
 */
static double lru_simulated(double x)
{
	enum { TIMES = ITEMS * (EPOCHS + 1) };
	static unsigned order[ITEMS], last[ITEMS], tree[TIMES + 1];
	uint64_t state = 12345;
	const double places = x * ITEMS;
	unsigned hits = 0, now = 0;
	memset(last, 0, sizeof last);
	memset(tree, 0, sizeof tree);
	for (unsigned i = 0; i < ITEMS; i++)
		order[i] = i;
	for (unsigned epoch = 0; epoch <= EPOCHS; epoch++) {
		shuffle(order, &state);
		for (unsigned i = 0; i < ITEMS; i++) {
			const unsigned item = order[i];
			unsigned before = 0;
			++now;
			if (last[item]) {
				for (unsigned t = last[item]; t > 0; t -= t & -t)
					before += tree[t];
				hits += ITEMS - before < places;
				for (unsigned t = last[item]; t <= TIMES; t += t & -t)
					--tree[t];
			}
			for (unsigned t = now; t <= TIMES; t += t & -t)
				++tree[t];
			last[item] = now;
		}
	}
	return (double)hits / (ITEMS * EPOCHS);
}

static void lru(void **state)
{
	(void)state;
	for (unsigned i = 1; i < 10; i++)
		assert_true(
			fabs(cache_hits(PARADL_CACHE_LRU, i / 10., false) - lru_simulated(i / 10.)) < 0.01);
}

/* The first `places` items read stay for ever. */
static void pinned(void **state)
{
	(void)state;
	static unsigned order[ITEMS];
	static bool kept[ITEMS];
	uint64_t random = 999;
	const unsigned places = ITEMS * 3 / 10;
	for (unsigned i = 0; i < ITEMS; i++)
		order[i] = i;
	shuffle(order, &random);
	for (unsigned i = 0; i < places; i++)
		kept[order[i]] = true;
	shuffle(order, &random);
	unsigned hits = 0;
	for (unsigned i = 0; i < ITEMS; i++)
		hits += kept[order[i]];
	assert_close(cache_hits(PARADL_CACHE_PINNED, 0.3, false), (double)hits / ITEMS, 1e-12);
}

static void between(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= 20; i++) {
		const double x = i / 20., lru_hits = cache_hits(PARADL_CACHE_LRU, x, false),
			     page = cache_hits(PARADL_CACHE_PAGE, x, false);
		assert_true(lru_hits <= page && page <= cache_hits(PARADL_CACHE_PINNED, x, false));
		assert_true(lru_hits >= 0 && cache_hits(PARADL_CACHE_NONE, x, false) <= 0);
		assert_true(i == 0 || page > cache_hits(PARADL_CACHE_PAGE, x - 0.05, false));
		assert_true(fabs(cache_hits(PARADL_CACHE_PAGE, x, true) - lru_hits) < 1e-12);
	}
	assert_true(cache_hits(PARADL_CACHE_LRU, 3, false) >= 1);
}

/* Calibration, V04 of Mohan et al. (VLDB'21): with 35 % cached 85 % were read, with 65 % 53 %; 0.6 lies between both. */
static void page_measured(void **state)
{
	(void)state;
	assert_true(fabs(1 - cache_hits(PARADL_CACHE_PAGE, 0.35, false) - 0.85) < 0.05);
	assert_true(fabs(1 - cache_hits(PARADL_CACHE_PAGE, 0.65, false) - 0.53) < 0.06);
	/* TFRecord files: 91 to 97 % are read with 25 to 50 % cached. */
	assert_true(1 - cache_hits(PARADL_CACHE_PAGE, 0.25, true) > 0.91);
	assert_true(1 - cache_hits(PARADL_CACHE_PAGE, 0.5, true) > 0.8);
}

/* Epoch by epoch: a cache that has met 1 - (1 - 1/K)^e of all samples, until it is full. */
static void caches_fill(void **state)
{
	(void)state;
	for (unsigned nodes = 1; nodes <= 256; nodes *= 4)
		for (unsigned epochs = 2; epochs <= 200; epochs += 33)
			for (double hits = 0; hits <= 1; hits += 0.125) {
				double missed = 1, sum = 0;
				for (unsigned e = 1; e < epochs; e++) {
					missed *= 1 - 1. / nodes;
					sum += fmin(hits, 1 - missed);
				}
				assert_close(
					cache_hits_filling(hits, nodes, epochs), sum / (epochs - 1), 1e-9);
			}
	assert_close(cache_hits_filling(0.5, 1, 1), 0, 0);
}

/* Golden, V03 of NoPFS (SC'21), section 3.1: samples that one of 16 workers reads more than 10 times in 90 epochs. */
static void met_often(void **state)
{
	(void)state;
	assert_close(cache_met_often(1281167, 16, 90, 11), 31635, 1e-3);
	assert_close(cache_met_often(1281167, 16, 90, 11), 31634.6858, 1e-7);
	assert_close(cache_met_often(1000, 7, 90, 0), 1000, 1e-12);
	assert_close(cache_met_often(1000, 1, 90, 90), 1000, 1e-12);
	assert_true(cache_met_often(1000, 7, 90, 91) <= 0);
	/* all but never, by hand */
	assert_close(cache_met_often(1000, 4, 90, 1), 1000 * (1 - pow(0.75, 90)), 1e-12);
	/* the mean number of times is epochs / readers */
	double mean = 0;
	for (unsigned k = 1; k <= 3000; k++)
		mean += cache_met_often(1, 64, 3000, k);
	assert_close(mean, 3000. / 64, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_fill),
		cmocka_unit_test(lru),
		cmocka_unit_test(pinned),
		cmocka_unit_test(between),
		cmocka_unit_test(page_measured),
		cmocka_unit_test(met_often),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
