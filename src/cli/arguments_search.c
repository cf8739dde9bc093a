/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of search, and those that it shares with other commands that rank plans. */
#include "cli/arguments_rows.h"

#define SEARCH(...)   ROW("search", __VA_ARGS__)
#define PROMISED(...) ROW("advise compare search", __VA_ARGS__)

static const char *percentile_of(size_t index)
{
	return index < PARADL_PERCENTILE_COUNT ? paradl_percentile_name((enum paradl_percentile)index) : NULL;
}

static const struct option_row rows[] = {
	{SEARCH("goal", OPTION_CHOICE, goal, "GOAL"), .choice = arguments_goal, .group = "Question",
		.help = "what to optimize; without it time, or cost with --deadline"},
	{SEARCH("search-over", OPTION_TEXT, search_over, "LIST"), .formerly = "vary", .completes = "vary",
		.group = "Question",
		.help = "options to search besides degrees: zero,recompute; of order, micro, schedule, "
			"recompute, zero, shard, sequence, experts, context, overlap, batch of inference; or "
			"none; +offload adds that to all"},
	{SEARCH("gap", OPTION_RATIO, gap, "SHARE"), .max = 1, .group = "Question",
		.help = "how far from the best the answer may be, to come sooner: 1%"},
	{SEARCH("per-layer", OPTION_FLAG, per_layer, NULL), .group = "Question",
		.help = "find the fastest way to cut each layer; for one number of GPUs"},
	{SEARCH("layer-plans", OPTION_COUNT, layer_plans, "N"), .formerly = "ways", .min = 1, .max = 1000,
		.group = "Question",
		.help = "ways to cut a layer that --per-layer knows, at most; without it 24"},
	{SEARCH("exhaustive", OPTION_FLAG, exhaustive, NULL), .group = "Question",
		.help = "evaluate every plan, prove none away: a check"},
	{SEARCH("pareto", OPTION_TEXT, pareto, "GOALS"), .completes = "goals", .group = "Question",
		.help = "the plans that no other beats in all of these: time,cost,memory,energy"},
	{SEARCH("map", OPTION_TEXT, map, "AXES"), .completes = "strategies", .group = "Question",
		.help = "the best plan for each pair of degrees of two axes: tensor,pipeline"},
	{ROW("advise report search sweep whatif", "threads", OPTION_COUNT, threads, "N"), .min = 1,
		.max = 1024, .group = "Question",
		.help = "threads that work (default all processors); OMP_NUM_THREADS where that is set"},
	{ROW("search sweep", "lost-after", OPTION_QUANTITY, lost_after_s, "TIME"),
		.dimension = DIMENSION_TIME, .initial = "30 s", .min = 0.1, .max = 1e6, .group = "Question",
		.help = "paradl-mpi: a process of which nothing is heard for so long is given up"},
	{SEARCH("write-plan", OPTION_TEXT, write_plan, "FILE"), .formerly = "plan", .completes = "file",
		.group = "Output",
		.help = "write the plan of --per-layer here; for 'paradl estimate -s FILE'"},
	{SEARCH("min-gpus", OPTION_FLAG, min_gpus, NULL), .formerly = "fewest", .group = "Job",
		.help = "find the fewest GPUs on which a plan fits; and holds the limits below"},
	{SEARCH("deadline", OPTION_QUANTITY, deadline_s, "TIME"), .dimension = DIMENSION_TIME, .group = "Job",
		.help = "limit on the whole training: '12 h', '30 d'"},
	{SEARCH("budget", OPTION_COUNT, budget, "MONEY"), .min = 1, .group = "Job",
		.help = "limit on its cost: 250k; in the machine's currency"},
	{PROMISED("ttft", OPTION_QUANTITY, promise.first_s, "TIME"), .dimension = DIMENSION_TIME,
		.group = "Job", .help = "inference: limit on the time to first token: '2 s'"},
	{PROMISED("tpot", OPTION_QUANTITY, promise.token_s, "TIME"), .formerly = "token-latency",
		.dimension = DIMENSION_TIME, .group = "Job",
		.help = "inference: limit on the time per output token: '50 ms'"},
	{PROMISED("latency", OPTION_QUANTITY, promise.latency_s, "TIME"), .dimension = DIMENSION_TIME,
		.group = "Job", .help = "inference: limit on the time of a whole answer: '2 s'; on average"},
	{PROMISED("percentile", OPTION_CHOICE, percentile, "P"), .choice = percentile_of, .initial = "mean",
		.group = "Job", .help = "requests that --ttft and --tpot hold for"},
};

const struct option_table arguments_search = {rows, sizeof rows / sizeof rows[0], NULL};
