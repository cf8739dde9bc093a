/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains the best way's step, and the first way that exchanges samples, as terms: formula, numbers, seconds. */
#include <math.h>

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/quantity.h"
#include "oracle/input/input.h"
#include "study/job/job.h"

enum { QUANTITY_BYTES = 32 };

struct terms {
	struct paradl_arena *arena;
	struct paradl_term *items;
	size_t count;
	bool failed; /* out of memory */
};

static void add(struct terms *terms, double seconds, const char *formula, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct terms *terms, double seconds, const char *formula, const char *format, ...)
{
	struct paradl_term *const term = LIST_ADD(terms->arena, terms->items, terms->count);
	va_list values;
	terms->failed = terms->failed || !term;
	if (!term)
		return;
	*term = (struct paradl_term){.phase = PARADL_INPUT, .seconds = seconds};
	snprintf(term->formula, sizeof term->formula, "%s", formula);
	va_start(values, format);
	vsnprintf(term->numbers, sizeof term->numbers, format, values);
	va_end(values);
}

/* ---- seconds of a resource in a step: samples * seconds of one ---- */

static const char *formula_of(enum paradl_resource resource)
{
	static const char *const formulas[PARADL_RESOURCE_COUNT] = {
		[PARADL_RESOURCE_SHARED] = "shared: B · missed s / rate of the file system",
		[PARADL_RESOURCE_REQUESTS] = "requests: B · missed reads / reads in a second",
		[PARADL_RESOURCE_METADATA] =
			"metadata: max(missed opens / opens in a second, of a node · latest)",
		[PARADL_RESOURCE_CLIENT] = "client: b_node · missed s / rate of a node · latest",
		[PARADL_RESOURCE_LOCAL] = "local: b_node · missed s / rate of the disks",
		[PARADL_RESOURCE_PEERS] = "peers: b_node · s (K - 1) / K / network of a node",
		[PARADL_RESOURCE_MEMORY] = "memory: b_node · cached s / memory rate",
		[PARADL_RESOURCE_CORES] = "cores: b_node · preparation of a sample / (cores · 0.9)",
		[PARADL_RESOURCE_HOST_LINK] = "host_link: b · decoded bytes / rate of the link",
		[PARADL_RESOURCE_EXCHANGE] = "exchange: b_reader · (messages + way)",
		[PARADL_RESOURCE_DEVICES] = "devices: the step without input",
	};
	return formulas[resource];
}

static const char *duration(char text[QUANTITY_BYTES], double seconds)
{
	return quantity_format(text, QUANTITY_BYTES, seconds, DIMENSION_TIME);
}

static void add_resources(
	struct terms *terms, const struct input_rates *rates, const struct paradl_input *input, double batch)
{
	char each[QUANTITY_BYTES];
	for (unsigned r = 0; r < PARADL_RESOURCE_DEVICES; ++r) {
		const double seconds = input->resource_s[r];
		const bool of_system = rates->system_s[r] * input->nodes >= rates->node_s[r] * rates->latest;
		const double samples = of_system ? batch : batch / input->nodes;
		if (!(seconds > 0) || r == PARADL_RESOURCE_EXCHANGE)
			continue;
		add(terms, seconds, formula_of((enum paradl_resource)r), "%.6g (%s) · %s", samples,
			of_system ? "all" : "a node", duration(each, seconds / samples));
	}
}

static void add_waiting(
	struct terms *terms, const struct input_rates *rates, const struct paradl_input *input)
{
	if (!(input->straggler_s > 0))
		return;
	char fetch[QUANTITY_BYTES];
	add(terms, input->straggler_s, "stragglers: fetch · (E[slowest of M] / mean - 1)",
		"%s · (%.4g - 1), M = %.0f nodes", duration(fetch, input->fetch_s), rates->latest,
		fmin(input->nodes, input->readers));
}

static const char *const exchange_formulas[PARADL_SHUFFLE_COUNT] = {
	[PARADL_SHUFFLE_PARTIAL] = "partial exchange: t0 + b_reader Q c, behind compute b_reader Q way",
	[PARADL_SHUFFLE_PAIRWISE] =
		"pairwise exchange: b_reader gather, behind compute bundle + b_reader Q store",
	[PARADL_SHUFFLE_MODELS] = "models: b_reader H (t0 + c + W / link) / samples of a worker",
};

static void add_exchange(struct terms *terms, const struct input_rates *rates,
	const struct paradl_input_mode *way, const struct paradl_input *input, double batch)
{
	char step[QUANTITY_BYTES], sample[QUANTITY_BYTES], behind[QUANTITY_BYTES], each[QUANTITY_BYTES];
	const char *const formula = exchange_formulas[way->shuffle];
	const double samples = batch / input->readers;
	if (!formula)
		return;
	add(terms, input->exchange_s, formula, "%s + %.6g · %s, behind compute %s + %.6g · %s, %s = %.3g",
		duration(step, rates->exchange.step_s), samples, duration(sample, rates->exchange.sample_s),
		duration(behind, rates->exchange_behind.step_s), samples,
		duration(each, rates->exchange_behind.sample_s),
		way->shuffle == PARADL_SHUFFLE_MODELS ? "H" : "Q",
		way->shuffle == PARADL_SHUFFLE_MODELS ? way->hops : way->exchanged);
}

static void add_step(struct terms *terms, const struct paradl_input *input, bool in_turn)
{
	char fetch[QUANTITY_BYTES], preparation[QUANTITY_BYTES], transfer[QUANTITY_BYTES],
		busy[QUANTITY_BYTES];
	add(terms, input->step_s,
		in_turn ? "step: fetch + preparation + transfer + devices + exchange"
			: "step: max(fetch, preparation, transfer, devices + exchange)",
		"%s, %s, %s, %s", duration(fetch, input->fetch_s + input->straggler_s),
		duration(preparation, input->preparation_s), duration(transfer, input->transfer_s),
		duration(busy, input->busy_s));
}

static struct input_rates rates_of(const struct input_variant *base, const struct paradl_input_mode *way,
	const struct paradl_input *input)
{
	struct paradl_input_options options = base->options;
	struct input_rates rates;
	input_variant_mode(&options, way);
	const struct input_setting setting =
		input_setting_make(&base->model, &base->machine, oracle_input_rules(&base->oracle), &options);
	input_rates_fill(&setting, input->nodes, input->readers, options.store, &rates);
	return rates;
}

static const struct paradl_input_row *first_exchange(const struct paradl_input_case *answer)
{
	for (size_t i = 1; i < answer->row_count; ++i)
		if (answer->rows[i].input.exchange_s > 0)
			return &answer->rows[i];
	return NULL;
}

bool input_terms(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer)
{
	struct paradl_explanation *const explanation = arena_alloc(arena, 1, sizeof *explanation);
	struct terms terms = {.arena = arena};
	const struct paradl_input_row *const best = &answer->rows[0];
	const struct paradl_input_row *const other = first_exchange(answer);
	const double batch = answer->estimate.plan.batch;
	if (!explanation)
		return false;
	const struct input_rates rates = rates_of(base, &best->way, &best->input);
	add_resources(&terms, &rates, &best->input, batch);
	add_waiting(&terms, &rates, &best->input);
	add_exchange(&terms, &rates, &best->way, &best->input, batch);
	add_step(&terms, &best->input, base->options.in_turn);
	if (other && !(best->input.exchange_s > 0)) {
		const struct input_rates others = rates_of(base, &other->way, &other->input);
		add_exchange(&terms, &others, &other->way, &other->input, batch);
	}
	if (terms.failed)
		return false;
	*explanation = (struct paradl_explanation){.terms = terms.items, .count = terms.count};
	answer->explanation = explanation;
	return true;
}
