/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libparadl from another program: which way of training a network on some GPUs is fastest?
 *
 *     cc embed.c $(pkg-config --cflags --libs paradl) -o embed
 *     ./embed models/resnet50.json hw-profiles/abci.json 64
 */
#include "paradl/oracle.h"

#include <stdio.h>
#include <stdlib.h>

static int complain(const struct paradl_error *error)
{
	char text[1024];

	paradl_error_format(error, text, sizeof(text));
	fprintf(stderr, "embed: %s\n", text);
	if (error->hint[0] != '\0')
		fprintf(stderr, "  %s\n", error->hint);
	return 1;
}

static void print_ranking(const struct paradl_ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; ++i) {
		const struct paradl_estimate *result = &ranking->results[i];
		char plan[128];

		paradl_plan_format(&result->plan, plan, sizeof(plan));
		printf("%zu. %-24s %.4g s per iteration, %.3g GB per GPU%s; %s\n", i + 1, plan,
			result->iteration_s, result->memory_bytes / 1e9, result->fits ? "" : " (too much)",
			result->limited_by.text);
	}
	for (size_t i = 0; i < ranking->infeasible_count; ++i)
		printf("-  %-24s %s\n", ranking->infeasible[i].strategy, ranking->infeasible[i].reason);
}

static int advise(struct paradl_arena *arena, const char *model_path, const char *machine_path, unsigned gpus)
{
	const struct paradl_options options = {0};
	const struct paradl_request request = {.devices = gpus};
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	struct paradl_oracle *oracle;
	struct paradl_ranking ranking;
	struct paradl_error error = {0};

	if ((model = paradl_model_load(arena, &(struct paradl_source){.path = model_path}, &error)) == NULL ||
		(machine = paradl_machine_load(
			 arena, &(struct paradl_source){.path = machine_path}, &error)) == NULL ||
		(oracle = paradl_oracle_create(arena, model, machine, NULL, &options, &error)) == NULL ||
		!paradl_advise(oracle, &request, arena, &ranking, &error))
		return complain(&error);
	print_ranking(&ranking);
	return ranking.count == 0;
}

int main(int argc, char **argv)
{
	struct paradl_arena *arena;
	int status;

	if (argc != 4) {
		fprintf(stderr, "usage: embed MODEL HW GPUS\n");
		return 2;
	}
	if ((arena = paradl_arena_create()) == NULL)
		return 1;
	status = advise(arena, argv[1], argv[2], (unsigned)strtoul(argv[3], NULL, 10));
	paradl_arena_free(arena);
	return status;
}
