/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives: operations, algorithms, groups and sizes on the networks of machines and on networks on paper. */
#include "golden/golden.h"
#include "paradl/network.h"

#include <stdio.h>
#include <string.h>

enum { QUESTIONS_EACH = 25, SIZES_MOST = 3 };

/* A network for many questions. */
struct place {
	char name[96];
	struct paradl_arena *arena;
	struct paradl_network *network; /* NULL: refused, `error` says why */
	unsigned devices;
	struct paradl_error error;
};

/* Everything that is asked. */
struct inquiry {
	double bytes[SIZES_MOST];
	struct paradl_collective_request request;
	char words[256];
};

static void place_begin(struct place *place, const struct asking *asking, struct draw *draw, unsigned index)
{
	static const char *const papers[] = {"switch:16", "nvlink:8", "fat-tree:4x8", "fat-tree:2x4x4",
		"rail:2x4x8", "abci:2", "torus:4x4x4", "torus:8x8", "mesh:4x4", "ring:12", "hyperx:4x4",
		"dragonfly:5x4", "dln:16", "dln2d:4x4", "kautz:2x4", "torus:5", "mesh:3x2x2"};
	struct paradl_paper paper = {.topology = papers[(index / 3) % COUNT(papers)]};
	*place = (struct place){.arena = paradl_arena_create(), .devices = 1};
	if (!place->arena)
		give_up("out of memory");
	const bool on_paper = index % 3 == 2;
	const char *machine = machine_names[(index * 7) % machine_count];
	if (draw_chance(draw, 50))
		machine = DRAW_FROM_LIST(draw, routed_machines, routed_count);
	if (draw_chance(draw, 50) || !on_paper)
		paper.machine = inputs_machine(asking->inputs, machine);
	if (!paper.machine || draw_chance(draw, 30)) {
		paper.cable_bytes_per_s = 12.5e9;
		paper.cable_latency_s = 5e-7;
	}
	paper.equal_ports = draw_chance(draw, 20);
	if (on_paper) {
		snprintf(place->name, sizeof place->name, "%s on %s cable=%g equal=%d", paper.topology,
			paper.machine ? machine : "paper", paper.cable_bytes_per_s, paper.equal_ports);
		place->network = paradl_network_on_paper(place->arena, &paper, &place->error);
	} else {
		snprintf(place->name, sizeof place->name, "%s", machine);
		place->network = paradl_network_create(place->arena, paper.machine, &place->error);
	}
	if (place->network)
		place->devices = paradl_network_info(place->network).devices;
}

static void sparse_draw(struct draw *draw, struct inquiry *inquiry)
{
	static const double densities[] = {0.001, 0.01, 0.1};
	struct paradl_collective_request *const request = &inquiry->request;
	const double density = DRAW_FROM(draw, densities);
	const double overlap = draw_real(draw, 0, 1);
	if (request->operation != PARADL_ALLREDUCE || !draw_chance(draw, 25))
		return;
	request->density = density;
	request->overlap = overlap;
}

static void group_draw(
	struct draw *draw, const struct place *place, struct paradl_collective_request *request)
{
	const unsigned room = place->devices < 128 ? place->devices : 128;
	const unsigned power = draw_power(draw, room);
	const unsigned any = draw_between(draw, 1, room < 48 ? room : 48);
	request->ranks = draw_chance(draw, 65) ? power : any;
	if (request->ranks < 2)
		request->ranks = 2;
	if (request->operation == PARADL_POINT_TO_POINT)
		request->ranks = 2;
	const unsigned copies = draw_power(draw, 8);
	const unsigned gap = draw_power(draw, 8);
	if (draw_chance(draw, 30) && request->ranks * copies <= place->devices)
		request->concurrent = copies;
	if (draw_chance(draw, 20) && request->ranks * gap <= place->devices)
		request->stride = gap;
	if (draw_chance(draw, 30))
		request->placement = (enum paradl_placement)draw_between(draw, 0, PARADL_RANDOM);
	request->seed = draw_between(draw, 0, 3);
}

/* One or two by name; the last is sometimes of another operation. */
static void algorithms_draw(struct draw *draw, struct paradl_collective_request *request)
{
	static const char *const names[PARADL_OPERATION_COUNT][8] = {
		[PARADL_ALLREDUCE] = {"ring", "doubling", "rabenseifner", "tree", "double-tree",
			"leaders-ring,ring", "blueconnect,bucket", "ring-segmented"},
		[PARADL_ALLGATHER] = {"ring", "doubling", "bruck", "neighbour", "pat", "hierarchical",
			"ring,pat", "tree"},
		[PARADL_REDUCE_SCATTER] = {"ring", "pairwise", "halving", "pat", "hierarchical",
			"ring,halving", "pairwise,pat", "bruck"},
		[PARADL_BROADCAST] = {"binomial", "scatter-ring", "scatter-doubling", "chain", "tree",
			"hierarchical", "chain,tree", "ring"},
		[PARADL_REDUCE] = {"binomial", "rabenseifner", "ring-gather", "chain", "tree", "hierarchical",
			"chain,tree", "ring"},
		[PARADL_ALL_TO_ALL] = {"direct", "shift", "xor", "bruck", "hierarchical", "rows", "two-way",
			"ring"},
		[PARADL_POINT_TO_POINT] = {"point-to-point", "point-to-point", "halo", "halo",
			"point-to-point", "halo", "halo", "ring"},
	};
	request->algorithms = DRAW_FROM(draw, names[request->operation]);
}

static void inquiry_draw(struct draw *draw, const struct place *place, struct inquiry *inquiry)
{
	struct paradl_collective_request *const request = &inquiry->request;
	*inquiry = (struct inquiry){.request = {.bytes = inquiry->bytes}};
	request->operation = (enum paradl_operation)draw_between(draw, 0, PARADL_OPERATION_COUNT - 1);
	if (draw_chance(draw, 35))
		request->operation = PARADL_ALLREDUCE;
	group_draw(draw, place, request);
	sparse_draw(draw, inquiry);
	if (draw_chance(draw, 25))
		algorithms_draw(draw, request);
	request->count = draw_between(draw, 1, SIZES_MOST);
	double bytes = draw_power(draw, 1u << 20);
	for (size_t i = 0; i < request->count; ++i) {
		inquiry->bytes[i] = bytes;
		bytes *= draw_between(draw, 2, 200);
	}
	snprintf(inquiry->words, sizeof inquiry->words,
		"%s ranks=%u concurrent=%u stride=%u placement=%d:%u density=%g:%.3f %s bytes=%.15g..%zu",
		paradl_operation_name(request->operation), request->ranks, request->concurrent,
		request->stride, (int)request->placement, request->seed, request->density, request->overlap,
		request->algorithms ? request->algorithms : "all", inquiry->bytes[0], request->count);
}

static void tell_rows(struct text *text, const struct paradl_collective_table *table)
{
	for (size_t i = 0; i < table->row_count; ++i) {
		const struct paradl_collective_row *const row = &table->rows[i];
		text_prefix(text, "row[%zu].", i);
		NUMBER(text, row, bytes);
		NUMBER(text, row, time_s);
		NUMBER(text, row, least_s);
		NUMBER(text, row, origin);
		NUMBER(text, row, error_share);
		NUMBER(text, row, choice);
		NUMBER(text, row, model_s);
		NUMBER(text, row, next);
		NUMBER(text, row, margin);
		NUMBER(text, row, bytes_per_s);
		NUMBER(text, row, bus_bytes_per_s);
		NUMBER(text, row, links_watt);
		NUMBER(text, row, links_joule);
		NUMBER(text, row, gear_watt);
		NUMBER(text, row, gear_joule);
		NUMBER(text, row, waiting_watt);
		NUMBER(text, row, waiting_joule);
	}
}

static void tell_choices(struct text *text, const struct paradl_collective_table *table)
{
	for (size_t i = 0; i < table->choice_count; ++i) {
		const struct paradl_collective_choice *const choice = &table->choices[i];
		text_prefix(text, "choice[%zu].", i);
		text_word(text, "algorithm", choice->algorithm);
		for (size_t k = 0; k < table->row_count; ++k) {
			text_number(text, "time_s", choice->time_s[k]);
			text_number(text, "least_s", choice->least_s[k]);
			text_word(text, "variant", choice->variants[k]);
		}
		NUMBER(text, choice, steps);
		NUMBER(text, choice, links_watt);
		NUMBER(text, choice, joule_per_byte);
		NUMBER(text, choice, traffic);
		text_word(text, "hottest", choice->hottest);
		NUMBER(text, choice, hottest_s_per_byte);
	}
	for (size_t i = 0; i < table->crossover_count; ++i) {
		text_prefix(text, "crossover[%zu].", i);
		NUMBER(text, &table->crossovers[i], bytes);
		NUMBER(text, &table->crossovers[i], from);
		NUMBER(text, &table->crossovers[i], to);
	}
}

static void tell_schedule(struct text *text, const struct paradl_schedule *schedule)
{
	text_prefix(text, "schedule.");
	text_word(text, "algorithm", schedule->algorithm);
	text_word(text, "variant", schedule->variant);
	NUMBER(text, schedule, total);
	NUMBER(text, schedule, complete);
	for (size_t i = 0; i < schedule->count; ++i) {
		const struct paradl_step *const step = &schedule->steps[i];
		text_prefix(text, "step[%zu].", i);
		text_word(text, "phase", step->phase);
		text_word(text, "messages", step->messages);
		NUMBER(text, step, first);
		NUMBER(text, step, repeat);
		NUMBER(text, step, depth);
		NUMBER(text, step, count);
		NUMBER(text, step, least_bytes);
		NUMBER(text, step, most_bytes);
		NUMBER(text, step, combined_bytes);
		NUMBER(text, step, memory_bytes);
		NUMBER(text, step, wait_s);
	}
}

static void question_ask(const struct asking *asking, struct place *place, struct draw *draw)
{
	struct text *const text = asking->text;
	struct inquiry inquiry;
	struct paradl_collective_table table;
	struct paradl_schedule schedule;
	struct paradl_error error = place->error;
	inquiry_draw(draw, place, &inquiry);
	text_question(text, asking->name, "%s; %s", place->name, inquiry.words);
	inquiry.request.steps = true; /* thousands are not followed message by message */
	if (!place->network ||
		!paradl_collective(place->network, &inquiry.request, place->arena, &table, &error)) {
		text_refusal(text, place->network ? "refused" : "no network", &error);
		return;
	}
	++text->answered;
	NUMBER(text, &table, ranks);
	NUMBER(text, &table, nodes);
	NUMBER(text, &table, concurrent);
	NUMBER(text, &table, stride);
	NUMBER(text, &table, bus_factor);
	tell_rows(text, &table);
	tell_choices(text, &table);
	if (draw_chance(draw, 20) && paradl_collective_schedule(place->network, &inquiry.request,
					     inquiry.bytes[0], place->arena, &schedule, &error))
		tell_schedule(text, &schedule);
	text_prefix_end(text);
}

void ask_collectives(const struct asking *asking, unsigned questions)
{
	const unsigned places = (questions + QUESTIONS_EACH - 1) / QUESTIONS_EACH;
	for (unsigned s = 0; s < places; ++s) {
		struct place place;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		place_begin(&place, asking, &draw, (asking->block - 1) * places + s);
		for (unsigned q = 0; q < QUESTIONS_EACH && asking->text->questions < questions; ++q) {
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			question_ask(asking, &place, &draw);
		}
		paradl_arena_free(place.arena);
	}
}
