/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the best plan of all is found: seconds on the processor (best of three runs), plans of the space, plans a second;
 * and how much of the waiting a second thread saves. Figures, not a test; from the project's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "machine/machine.h"
#include "paradl/oracle.h"

static double now_s(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void stop(const struct paradl_error *error)
{
	char text[1024];
	paradl_error_format(error, text, sizeof text);
	fprintf(stderr, "%s\n", text);
	exit(1);
}

struct question {
	const char *model, *hw; /* hw NULL: 2,048 H100 on paper */
	unsigned devices;
	double batch;
	bool exhaustive;
};

static const struct paradl_machine *paper_machine(struct paradl_arena *arena, struct paradl_error *error)
{
	const struct paper_machine paper = {.device_path = "hw-profiles/devices/h100-sxm5-80gb.json",
		.framework = "nccl",
		.devices = 2048,
		.devices_per_node = 8,
		.port_bytes_per_s = 50e9};
	return machine_on_paper(arena, &paper, error);
}

/* From files to the best plan. */
static double search_s(const struct question *question, unsigned threads, clockid_t clock,
	struct paradl_search *search, char *plan, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	char path[128];
	snprintf(path, sizeof path, "models/%s.json", question->model);
	const struct paradl_model *model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	snprintf(path, sizeof path, "hw-profiles/%s.json", question->hw ? question->hw : "");
	const struct paradl_machine *machine =
		question->hw ? paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error)
			     : paper_machine(arena, &error);
	const struct paradl_framework *framework =
		question->hw ? NULL
			     : paradl_framework_load(arena,
				       &(struct paradl_source){.path = "hw-profiles/frameworks/nccl.json"},
				       &error);
	struct paradl_oracle *oracle =
		model && machine ? paradl_oracle_create(arena, model, machine, framework, NULL, &error)
				 : NULL;
	const struct paradl_search_request request = {.devices = &question->devices,
		.device_count = 1,
		.batch = question->batch,
		.exhaustive = question->exhaustive,
		.threads = threads};
	const double begin = now_s(clock);
	if (!oracle || !paradl_search(oracle, &request, arena, search, &error))
		stop(&error);
	const double s = now_s(clock) - begin;
	snprintf(plan, size, "no plan fits");
	if (search->count)
		paradl_plan_format(&search->results[0].plan, plan, size);
	paradl_arena_free(arena);
	return s;
}

static void figures_print(const struct question *question)
{
	struct paradl_search search;
	char plan[PARADL_PLAN_TEXT];
	double least_s = -1;
	for (unsigned run = 0; run < 3; ++run) {
		const double s = search_s(question, 1, CLOCK_PROCESS_CPUTIME_ID, &search, plan, sizeof plan);
		least_s = least_s < 0 || s < least_s ? s : least_s;
	}
	printf("%-14s %-18s %5u %-10s %8.3f s %10.0f plans %10.0f evaluated %11.0f plans/s  %s\n",
		question->model, question->hw ? question->hw : "paper-h100", question->devices,
		question->exhaustive ? "exhaustive" : "proved", least_s, search.plans, search.evaluated,
		search.plans / least_s, plan);
	fflush(stdout);
}

/* Runs take turns, so that both meet the same disturbances. */
static void threads_print(const struct question *question)
{
	double least_s[2] = {-1, -1};
	struct paradl_search search;
	char plan[PARADL_PLAN_TEXT];
	for (unsigned run = 0; run < 10; ++run) {
		const double s = search_s(question, 1 + run % 2, CLOCK_MONOTONIC, &search, plan, sizeof plan);
		if (least_s[run % 2] < 0 || s < least_s[run % 2])
			least_s[run % 2] = s;
	}
	printf("%s %s: 1 thread %.3f s, 2 threads %.3f s of waiting, %.2f times as fast\n", question->model,
		question->exhaustive ? "exhaustive" : "proved", least_s[0], least_s[1],
		least_s[0] / least_s[1]);
	fflush(stdout);
}

int main(void)
{
	static const struct question questions[] = {
		{"gpt3-175b", "dgx-a100-superpod", 1024, 1024, false},
		{"llama3-405b", "dgx-h100-superpod", 1024, 1024, false},
		{"deepseek-v3", "dgx-h100-superpod", 1024, 4096, false},
		{"deepseek-v3", NULL, 2048, 4096, false},
		{"resnet50", "abci", 1024, 32768, false},
		{"gpt3-175b", "dgx-a100-superpod", 1024, 1024, true},
	};
	const size_t count = sizeof questions / sizeof *questions;
	for (size_t i = 0; i < count; ++i)
		figures_print(&questions[i]);
	threads_print(&questions[0]);
	threads_print(&questions[2]);
	return 0;
}
