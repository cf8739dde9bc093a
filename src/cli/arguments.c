/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a question that many commands share, and what answers assume; all tables of options in their order. */
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "result/ranking.h"

const char *arguments_pick(const char *const *names, size_t count, size_t index)
{
	return index < count ? names[index] : NULL;
}

const char *arguments_goal(size_t index)
{
	return result_goal_name((unsigned)index);
}

static const char *precision_name(size_t index)
{
	return index < PARADL_PRECISION_COUNT ? paradl_precision_name((enum paradl_precision)index) : NULL;
}

static const struct option_row question[] = {
	{.name = "hw",
		.kind = OPTION_TEXT,
		AT(hw),
		.argument = "HW",
		.completes = "hw",
		.group = "Question",
		.commands = ASKS " diagnose io hide sweep whatif" JOBS " collective export validate",
		.help = "a shipped machine ('paradl list hw') or a file"},
	{.name = "strategy",
		.letter = 's',
		.kind = OPTION_TEXT,
		AT(strategy),
		.argument = "PLAN",
		.completes = "strategies",
		.group = "Question",
		.commands = "diagnose estimate export hide io whatif",
		.help = "the plan: data=16,spatial=4 (see 'paradl help plans'); or a file of plans for "
			"parts, paradl-plan(5)"},
	{.name = "gpus",
		.kind = OPTION_COUNTS,
		AT(gpus),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = "advise io search sweep",
		.help = "GPUs: 64 or 8,16 or 4..1024 (default every power of 2); 4..1024 doubles, 4..64+4 "
			"adds 4"},
	{ROW("report", "gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "how many GPUs (default 64); fewer where the machine has fewer"},
	{.name = "batch",
		.kind = OPTION_COUNT,
		AT(batch),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = "validate",
		.help = "samples per step on all GPUs (default the model's)"},
	{ROW(ASKS " diagnose report io hide whatif sweep export", "batch", OPTION_COUNT, batch, "N"),
		.offset_tokens = offsetof(struct arguments, batch_tokens), .min = 1, .group = "Question",
		.help = "samples per step on all GPUs together, or '4M tokens'; without it, what the model "
			"says of each GPU"},
	{.name = "per-gpu",
		.kind = OPTION_COUNT,
		AT(per_gpu),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = FEEDS " export",
		.help = "samples per step and GPU (default the model's); instead of --batch"},
	{.name = "micro",
		.kind = OPTION_COUNT,
		AT(micro),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = "advise report",
		.help = "samples per micro-batch and replica of a pipeline; without it, what suits"},
	{ROW(FEEDS JOBS " export validate", "seq", OPTION_COUNT, seq, "N"), .min = 1, .max = 1e9,
		.group = "Question",
		.help = "tokens of a sample: 8192, 8Ki; 8k are 8000 (default the model's); as --set "
			"model.dims.seq=N"},
	{.name = "inference",
		.kind = OPTION_FLAG,
		AT(inference),
		.group = "Question",
		.commands = SERVES,
		.help = "serve instead of train, with --batch requests at a time; of images, forward passes "
			"alone"},
	{.name = "input-tokens",
		.formerly = "prompt",
		.kind = OPTION_COUNT,
		AT(input_tokens),
		.argument = "N",
		.min = 1,
		.max = 1e9,
		.group = "Question",
		.commands = SERVES,
		.help = "inference: tokens of each prompt (default 1024); or what fits the model"},
	{.name = "output-tokens",
		.formerly = "answer",
		.kind = OPTION_COUNT,
		AT(output_tokens),
		.argument = "N",
		.min = 1,
		.max = 1e9,
		.group = "Question",
		.commands = SERVES,
		.help = "inference: tokens of each answer (default 128)"},
	{.name = "requests",
		.kind = OPTION_COUNT,
		AT(requests),
		.argument = "N",
		.min = 1,
		.max = 1e12,
		.group = "Question",
		.commands = SERVES,
		.help = "inference: requests of a whole test run, --batch at once, each next when one has "
			"its answer; without it, they never end"},
	{.name = "spread",
		.kind = OPTION_RATIO,
		AT(spread),
		.argument = "SHARE",
		.group = "Question",
		.commands = SERVES,
		.help = "inference: answers are up to this share shorter than --output-tokens"},
	{ROW(SERVES, "rate", OPTION_QUANTITY, rate_per_s, "RATE"), .dimension = DIMENSION_RATE, .min = 1e-6,
		.max = 1e9, .group = "Question",
		.help = "inference: rate of requests, which come at random: 50/s; for all GPUs, instead of "
			"--batch"},
	{ROW(SERVES, "speculative-tokens", OPTION_COUNT, speculative_tokens, "N"), .min = 1, .max = 64,
		.group = "Question",
		.help = "inference: tokens guessed for each sequence in a step, and checked"},
	{ROW(SERVES, "accepted-tokens", OPTION_RATIO, accepted_tokens, "X"), .min = 1, .max = 65,
		.group = "Question",
		.help = "with --speculative-tokens: tokens that a step gives a sequence on average: 2.4"},
	{ROW("advise compare estimate report search sweep whatif", "prefill", OPTION_TEXT, prefill, "PLAN"),
		.completes = "strategies", .group = "Question",
		.help = "inference: GPUs with this plan read prompts, the others answer: data=2,tensor=4; "
			"auto: the best of plans with and without such GPUs"},
	{ROW("advise estimate search", "trace", OPTION_TEXT, trace, "FILE"), .completes = "file",
		.group = "Question",
		.help = "inference: requests as a CSV file has them, answered step by step: input_tokens, "
			"output_tokens and perhaps arrival_s"},
	{ROW(SERVES, "cached-prefix", OPTION_RATIO, cached_prefix, "SHARE"), .group = "Question",
		.help = "inference: share of each prompt that is cached from earlier requests"},
	{.name = "goal",
		.kind = OPTION_CHOICE,
		AT(goal),
		.argument = "GOAL",
		.initial = "time",
		.choice = arguments_goal,
		.group = "Question",
		.commands = "advise report sweep",
		.help = "what to optimize"},
	{.name = "strategies",
		.kind = OPTION_TEXT,
		AT(strategies),
		.argument = "LIST",
		.completes = "strategies",
		.group = "Question",
		.commands = "advise report search whatif",
		.help = "only plans along these axes: data,data+tensor; 'paradl list strategies'"},
	{.name = "plan-options",
		.formerly = "with",
		.kind = OPTION_TEXT,
		AT(plan_options),
		.argument = "OPTIONS",
		.group = "Question",
		.commands = "advise report search sweep whatif",
		.help = "options of every plan: zero=1,recompute=full; without it, what suits is chosen"},
};

const struct option_table arguments_question = {question, sizeof question / sizeof question[0], NULL};

static const struct option_row assumptions[] = {
	{ROW(ON_MODELS " collective", "set", OPTION_TEXTS, set, "KEY=VALUE"), .group = "Assumptions",
		.help = "change an input: hw.levels.1.bandwidth=x2; see 'paradl help changes'"},
	{.name = "precision",
		.kind = OPTION_CHOICE,
		AT(precision),
		.argument = "P",
		.choice = precision_name,
		.group = "Assumptions",
		.commands = FEEDS JOBS " compare export validate",
		.help = "number format, else the model's"},
	{.name = "optimizer",
		.kind = OPTION_TEXT,
		AT(optimizer),
		.argument = "NAME",
		.group = "Assumptions",
		.commands = FEEDS JOBS,
		.help = "optimizer, instead of the model's"},
	{.name = "framework",
		.kind = OPTION_TEXT,
		AT(framework),
		.argument = "NAME",
		.completes = "frameworks",
		.group = "Assumptions",
		.commands = FEEDS JOBS " compare export validate",
		.help = "training program, by name ('paradl list frameworks'); instead of the machine's, or "
			"a file; with options of it as NAME+OPTION"},
	{.name = "layer-times",
		.kind = OPTION_TEXT,
		AT(layer_times),
		.argument = "FILE",
		.completes = "file",
		.group = "Assumptions",
		.commands = FEEDS JOBS,
		.help = "measured times of layers instead of computed ones; as 'paradl fit "
			"--write-layer-times' writes them"},
	{.name = "ideal",
		.kind = OPTION_FLAG,
		AT(ideal),
		.group = "Assumptions",
		.commands = FEEDS " validate",
		.help = "the assumptions of the paper's Table III instead of the calibrated ones"},
	{.name = "quiet-network",
		.kind = OPTION_FLAG,
		AT(quiet_network),
		.group = "Assumptions",
		.commands = FEEDS " validate",
		.help = "leave out the waiting that other jobs and stragglers cause"},
	{.name = "algo",
		.kind = OPTION_TEXT,
		AT(algorithm),
		.argument = "NAME",
		.completes = "collectives",
		.group = "Assumptions",
		.commands = FEEDS,
		.help = "allreduce of the gradients: ring, rabenseifner, ...; auto: any; default: what the "
			"framework has"},
	{.name = "compress",
		.kind = OPTION_TEXT,
		AT(compress),
		.argument = "HOW",
		.group = "Assumptions",
		.commands = FEEDS,
		.help = "gradients: none, fp16, topk:SHARE or auto, the fastest; accuracy is up to you"},
};

const struct option_table arguments_assumptions = {
	assumptions, sizeof assumptions / sizeof assumptions[0], NULL};

static const struct option_table *const tables[] = {
#define X(id) &arguments_##id,
#ifdef PARADL_WITHOUT_FIT
#define Z(id)
#else
#define Z(id) X(id)
#endif
#include "cli/tables.def"
#undef X
#undef Z
	NULL,
};

const struct option_table arguments_table = {NULL, 0, tables};

bool arguments_complete(struct paradl_arena *arena, struct arguments *arguments, struct paradl_error *error)
{
	struct option_texts *const set = &arguments->set;
	if (!(arguments->seq > 0))
		return true;
	if (set->count == OPTION_TEXTS_MAX)
		return error_set(error, PARADL_USAGE, "--set and --seq are more than %d changes",
			(int)OPTION_TEXTS_MAX);
	/* First, so that a change of what --seq says is one of its value. */
	memmove(&set->items[1], set->items, set->count++ * sizeof *set->items);
	set->items[0] = arena_printf(arena, "model.dims.seq=%.0f", arguments->seq);
	return set->items[0] || out_of_memory(error);
}

struct arguments arguments_initial(void)
{
	return (struct arguments){.goal = -1,
		.precision = -1,
		.flags = -1,
		.compare.price = -1,
		.import.from = -1,
		.top = -1,
		.network.equal = -1,
		.hide.fraction = -1,
		.diagnose.tolerance = -1};
}
