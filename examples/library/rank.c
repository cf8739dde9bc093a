/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a network in code and ranks the plans that train it: cc rank.c $(pkg-config --cflags --libs paradl) -o rank
 *
 *     ./rank hw-profiles/abci.json 64
 */
#include <paradl.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_layers *layers = paradl_layers_begin(arena, "small", &error);
	paradl_layers_set(layers, "input",
		(struct paradl_member[]){{"channels", .number = 3}, {"shape", .json = "[224, 224]"}, {0}});
	for (unsigned out = 64; out <= 512; out *= 2) {
		const struct paradl_member conv[] = {
			{"out", .number = out}, {"kernel", .number = 3}, {"stride", .number = 2}, {0}};
		paradl_layers_add(layers, "conv", conv);
		paradl_layers_add(layers, "act", (struct paradl_member[]){{"kind", .text = "relu"}, {0}});
	}
	paradl_layers_add(layers, "linear", (struct paradl_member[]){{"out", .number = 1000}, {0}});
	const struct paradl_model *model = paradl_layers_end(layers, &error);
	const struct paradl_source hw = {.path = argc > 1 ? argv[1] : "abci.json"};
	const struct paradl_machine *machine = model ? paradl_machine_load(arena, &hw, &error) : NULL;
	struct paradl_oracle *oracle = paradl_oracle_create(arena, model, machine, NULL, NULL, &error);
	const struct paradl_request request = {.devices = argc > 2 ? (unsigned)atoi(argv[2]) : 64};
	const struct paradl_plans *plans = paradl_rank(oracle, &request, arena, &error);
	for (size_t i = 0; i < paradl_plans_count(plans); ++i) {
		struct paradl_figures figures = {0};
		char text[PARADL_PLAN_TEXT];
		paradl_plan_format(paradl_plans_at(plans, i, &figures), text, sizeof text);
		printf("%zu. %-22s %.4g s, %.3g GB%s; %s\n", i + 1, text, figures.iteration_s,
			figures.memory_bytes / 1e9, figures.feasible ? "" : " (too much)",
			figures.limited_by);
	}
	if (!plans)
		fprintf(stderr, "%s %s: %s; %s\n", error.path, error.pointer, error.message, error.hint);
	paradl_arena_free(arena);
	return !plans;
}
