/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that give their memory to others, in closed form, against an engine that counts every token of its caches. */
#include "oracle/engine_simulation.h"

#include <string.h>

#include "oracle/setup.h"

enum { MOST = 4096, CASES = 500 };

/* A request: tokens of its prompt and answer that are unread, that it has, and that its answer gets. */
struct paged {
	double sent_s, unread, held, got, output;
};

/* An engine whose answers take memory as they grow. Requests wait in order; those that lost their memory are first. */
struct pages {
	const struct engine *engine;
	struct prices *prices;
	struct random random;
	struct paged waiting[MOST], running[MOST];
	unsigned waits, runs;
	double free, now_s, tokens; /* tokens: of the prompts and answers that a step reads */
	double ended, finished, preempted, request_s; /* the last three: of those that count */
};

static struct paged pages_request(struct pages *pages)
{
	const struct engine *engine = pages->engine;
	const double shorter = engine->spread * random_real(&pages->random, 0, 1);
	return (struct paged){.sent_s = pages->now_s,
		.unread = engine->prompt_tokens,
		.output = fmax(1, floor(engine->output_tokens * (1 - shorter) + 0.5))};
}

/* Takes memory from the newest until each answer can grow by a token. */
static void pages_preempt(struct pages *pages, bool counts)
{
	unsigned grow = 0;
	for (unsigned i = 0; i < pages->runs; ++i)
		grow += !(pages->running[i].unread > 0);
	while (pages->free < grow) {
		struct paged *const newest = &pages->running[--pages->runs];
		grow -= !(newest->unread > 0);
		pages->free += newest->held;
		newest->held = 0;
		newest->unread = pages->engine->prompt_tokens + newest->got;
		memmove(pages->waiting + 1, pages->waiting, pages->waits++ * sizeof *pages->waiting);
		pages->waiting[0] = *newest;
		pages->preempted += counts;
	}
	pages->free -= grow;
}

/* Reads what a step has room for: of those that run first, then of those that there is memory for. */
static void pages_read(struct pages *pages)
{
	double room = pages->engine->chunk_tokens;
	unsigned admitted = 0;
	for (; admitted < pages->waits && pages->free >= pages->waiting[admitted].unread; ++admitted) {
		struct paged *const next = &pages->running[pages->runs++];
		*next = pages->waiting[admitted];
		next->held = next->unread;
		pages->free -= next->held;
	}
	pages->waits -= admitted;
	memmove(pages->waiting, pages->waiting + admitted, pages->waits * sizeof *pages->waiting);
	for (unsigned i = 0; i < pages->runs; ++i) {
		const double read = fmin(room, pages->running[i].unread);
		pages->running[i].unread -= read;
		room -= read;
	}
	pages->tokens = pages->engine->chunk_tokens - room;
}

static void pages_step(struct pages *pages, bool counts)
{
	bool decodes[MOST];
	double sequences = 0;
	pages_preempt(pages, counts);
	for (unsigned i = 0; i < pages->runs; ++i)
		sequences += decodes[i] = !(pages->running[i].unread > 0);
	const unsigned before = pages->runs;
	pages_read(pages);
	pages->now_s += priced_step_s(pages->prices, sequences, pages->tokens / pages->engine->prompt_tokens);
	for (unsigned i = pages->runs; i-- > 0;) {
		struct paged *const one = &pages->running[i];
		if (one->unread > 0)
			continue;
		one->got += 1;
		if (i < before && decodes[i])
			one->held += 1;
		if (one->got < one->output)
			continue;
		pages->free += one->held;
		++pages->ended;
		pages->finished += counts;
		pages->request_s += counts ? pages->now_s - one->sent_s : 0;
		memmove(one, one + 1, (--pages->runs - i) * sizeof *one);
		pages->waiting[pages->waits++] = pages_request(pages);
	}
}

/* Random engines whose clients are up to three times those that there is memory for. */
static struct engine random_paged(struct random *random, struct prices *prices)
{
	struct engine engine = random_engine(random, prices);
	engine.mixes = engine.pages = true;
	engine.prompt_host_s = 0;
	engine.spread = 0.2;
	engine.seats = floor(between(random, 8, 200));
	engine.prompt_tokens = prices->prompt_tokens = floor(between(random, 128, 8192));
	engine.output_tokens = floor(between(random, 64, 1024));
	engine.clients = floor(engine.seats * random_real(random, 1.5, 3));
	return engine;
}

/* Throughput, which is what requests take, and how many are read again. */
static void closed_form_is_the_simulation(void **unused)
{
	static struct pages pages;
	static double times[CASES], counts[CASES];
	struct random random = {20261203};
	double all = 0, expected = 0;
	(void)unused;
	for (unsigned k = 0; k < CASES; ++k) {
		struct prices prices;
		const struct engine engine = random_paged(&random, &prices);
		struct engine_answer solved;
		const double answer = engine.output_tokens * (1 - engine.spread / 2);
		engine_solve(&engine, &(struct engine_steps){priced_step_s, &prices}, &solved);
		pages = (struct pages){.engine = &engine, .prices = &prices, .random = {k + 1}};
		pages.free = (engine.seats + 0.5) * (engine.prompt_tokens + answer / 2);
		for (unsigned i = 0; i < engine.clients; ++i)
			pages.waiting[pages.waits++] = pages_request(&pages);
		while (pages.finished < 8 * engine.seats)
			pages_step(&pages, pages.ended >= 8 * engine.seats);
		times[k] = fabs(solved.request_s / (pages.request_s / pages.finished) - 1);
		counts[k] = solved.preempted;
		all += pages.preempted;
		expected += solved.preempted * pages.finished;
	}
	assert_true(error_within(times, CASES, 0.5) < 0.05 && error_within(times, CASES, 0.95) < 0.1);
	assert_close(expected, all, 0.2);
	assert_true(error_within(counts, CASES, 0.01) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form_is_the_simulation)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
