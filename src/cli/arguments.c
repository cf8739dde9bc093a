/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file has the options that ask a question; arguments_output.c has those that format and place the answer. */
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

static const char *equal_name(size_t index)
{
	static const char *const names[] = {[EQUAL_PORTS] = "ports", [EQUAL_PRICE] = "price"};
	return arguments_pick(names, sizeof names / sizeof names[0], index);
}

static const char *precision_name(size_t index)
{
	return index < PARADL_PRECISION_COUNT ? paradl_precision_name((enum paradl_precision)index) : NULL;
}

#define COLLECTIVE(...) ROW("collective", __VA_ARGS__)

static const struct option_row rows[] = {
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
		.commands = "sweep validate export",
		.help = "samples per step on all GPUs (default the model's)"},
	{ROW(ASKS " diagnose report io hide whatif", "batch", OPTION_COUNT, batch, "N"),
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
	{ROW(FEEDS JOBS " export", "seq", OPTION_COUNT, seq, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "tokens of a sample (default the model's); as --set model.dims.seq=N"},
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
	{ROW("advise compare estimate report sweep whatif", "prefill", OPTION_TEXT, prefill, "PLAN"),
		.completes = "strategies", .group = "Question",
		.help = "inference: GPUs with this plan read prompts, the others answer: data=2,tensor=4; "
			"advise: auto"},
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
	{COLLECTIVE("bytes", OPTION_TEXT, bytes, "SIZES"), .group = "Question",
		.help = "message sizes: 64M or 1K,1M or 1K..1G (default 1K..1G*4); 1K..1G doubles, K is 1024 "
			"as in nccl-tests"},
	{ROW("export", "bytes", OPTION_TEXT, bytes, "SIZE"), .group = "Question",
		.help = "message size: 100K (default 64M); K is 1024"},
	{ROW("export", "topology", OPTION_TEXT, topologies, "T"), .completes = "topologies",
		.group = "Question",
		.help = "a network on paper instead of --hw: torus:8x8; 'paradl list topologies'"},
	{ROW(GROUPS, "ranks", OPTION_COUNT, ranks, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "devices that take part (default all); with --concurrent, of each group"},
	{ROW(GROUPS, "concurrent", OPTION_COUNT, concurrent, "K"), .min = 1, .max = 1e9, .group = "Question",
		.help = "groups that communicate at the same time (default 1)"},
	{ROW(GROUPS, "stride", OPTION_COUNT, stride, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "devices from a rank to the next; without it as many as --concurrent groups: "
			"neighbours"},
	{ROW(GROUPS, "placement", OPTION_TEXT, placement, "HOW"), .group = "Question",
		.help = "where ranks are: in-order (default), scattered, random:SEED; scattered deals them "
			"out to the nodes in turn, random to all devices"},
	{ROW(GROUPS, "algo", OPTION_TEXT, algorithms, "LIST"), .completes = "collectives",
		.group = "Question",
		.help = "only these algorithms: ring,rabenseifner; hierarchical:leaders=2, all; 'paradl list "
			"collectives'"},
	{ROW(GROUPS, "library", OPTION_TEXT, library, "NAME"), .group = "Question",
		.help = "only algorithms of this library: nccl, rccl, openmpi, mpich; mpi, xla, fpga; any: "
			"all algorithms"},
	{ROW(GROUPS, "density", OPTION_RATIO, density, "SHARE"), .max = 1, .group = "Question",
		.help = "non-zeros of a vector: sparse algorithms too; --bytes stay those of the dense one"},
	{ROW(GROUPS, "overlap", OPTION_RATIO, overlap, "SHARE"), .max = 1, .group = "Question",
		.help = "how much the places of the ranks' non-zeros coincide; 0 is at random"},
	{COLLECTIVE("topology", OPTION_TEXT, topologies, "LIST"), .completes = "topologies",
		.group = "Question",
		.help = "networks on paper instead of --hw: torus:8x8,dln:64; 'paradl list topologies'"},
	{ROW(GROUPS, "link", OPTION_TEXT, link, "LINK"), .group = "Assumptions",
		.help = "rate and latency of cables on paper: '12.5 GB/s,500 ns'; without it, those of the "
			"machine's ports"},
	{COLLECTIVE("equal", OPTION_CHOICE, equal, "WHAT"), .choice = equal_name, .group = "Assumptions",
		.help = "compare at equal ports (what a router's devices can send, over its cables) or "
			"price"},
	{COLLECTIVE("measured", OPTION_TEXT, measured, "FILE"), .completes = "file", .group = "Question",
		.help = "output of nccl-tests or OSU benchmarks to compare with"},
	{ROW(ON_MODELS " collective", "set", OPTION_TEXTS, set, "KEY=VALUE"), .group = "Assumptions",
		.help = "change an input: hw.levels.1.bandwidth=x2; see 'paradl help changes'"},
	{ROW("fit validate", "measured", OPTION_TEXT, measured, "CSV"), .completes = "file",
		.group = "Question", .help = "CSV table of measured steps; paradl-measured(5)"},
	{ROW("fit", "constants", OPTION_TEXT, constants, "FILE"), .completes = "file", .group = "Question",
		.help = "which constants are free, and their bounds; instead of "
			"hw-profiles/fit-constants.csv"},
	{ROW("fit", "leave-out", OPTION_TEXT, leave_out, "SET"), .group = "Question",
		.help = "a set of rows that is not fitted to, but projected"},
	{ROW("fit", "leave-each-out", OPTION_FLAG, leave_each_out, NULL), .group = "Question",
		.help = "fit without each set in turn, and project that one; kernels: without each device. "
			"What to expect of new ones"},
	{ROW("validate", "kernels", OPTION_TEXTS, kernels, "CSV"), .completes = "file", .group = "Question",
		.help = "CSV table of measured times of kernels; against what device files say of them; may "
			"be given again"},
	{ROW("fit validate", "device", OPTION_TEXT, device, "DEVICE"), .completes = "file",
		.group = "Question",
		.help = "kernels: only rows of this device; or a file that stands for the shipped one of its "
			"name"},
	{ROW("fit", "shapes", OPTION_COUNT, shapes, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "kernels: fit again to so many random rows of each kind and number format, and "
			"predict the others, five times"},
	{ROW("fit", "seed", OPTION_COUNT, seed, "N"), .max = 1e15, .group = "Question",
		.help = "seed of --shapes (default 1)"},
	{ROW("fit", "base", OPTION_TEXT, base, "HW"), .completes = "hw", .group = "Question",
		.help = "samples: profile that a new --into HW.json starts from"},
	{ROW("fit", "into", OPTION_TEXT, into, "HW.json"), .completes = "file", .group = "Output",
		.help = "write the numbers into this machine profile; and its device, new ones where there "
			"is none; --measured: write constants into devices/ and frameworks/ of this folder; "
			"kernels: write numbers into this device file"},
	{ROW("fit", "force", OPTION_FLAG, force, NULL), .group = "Output",
		.help = "samples: write --into doubtful numbers, too; measured on a busy machine or "
			"following no fit, all of them as assumed"},
	{ROW("fit", "write-layer-times", OPTION_TEXT, layer_times, "FILE"), .formerly = "layer-times",
		.completes = "file", .group = "Output",
		.help = "samples: write measured times of layers here; for --layer-times of estimate and "
			"advise"},
	{ROW("fit", "layers-of", OPTION_TEXT, model, "MODEL"), .formerly = "layers", .completes = "models",
		.group = "Question",
		.help = "samples: the network of --write-layer-times; where several were measured"},
	{ROW("validate", "all-rows", OPTION_FLAG, all_rows, NULL), .group = "Question",
		.help = "published results that are not complete, too"},
	{ROW("validate", "run", OPTION_FLAG, run, NULL), .group = "Run here",
		.help = "measure training steps of MODEL on this machine first; under each plan, with "
			"mpirun"},
	{ROW("validate", "ranks", OPTION_COUNTS, run_ranks, "N"), .initial = "1,2", .min = 1, .max = 1024,
		.group = "Run here",
		.help = "processes of --run, each a device; those of each number are one set"},
	{ROW("validate", "strategies", OPTION_TEXT, strategies, "LIST"), .completes = "strategies",
		.group = "Run here", .help = "only these axes: data,spatial,filter,channel,pipeline"},
	{ROW("validate", "launches", OPTION_COUNT, run_launches, "N"), .initial = "5", .min = 1, .max = 1000,
		.group = "Run here", .help = "how often each plan is started; a row is the median"},
	{ROW("validate", "quick", OPTION_FLAG, run_quick, NULL), .group = "Run here",
		.help = "measure each time for half a second instead of two"},
	{ROW("validate", "samples-file", OPTION_TEXT, run_samples, "FILE"), .formerly = "samples",
		.completes = "file", .group = "Run here",
		.help = "keep the samples there (paradl-samples(5)); a new file"},
	{ROW("validate", "mpirun", OPTION_TEXT, run_mpirun, "WORDS"), .initial = "mpirun",
		.group = "Run here",
		.help = "the launcher: 'mpirun --oversubscribe'; cut at blanks, without a shell"},
	{.name = "tolerance",
		.kind = OPTION_RATIO,
		AT(tolerance),
		.argument = "SHARE",
		.initial = "15%",
		.max = 1,
		.group = "Question",
		.commands = "validate",
		.help = "mean error of the totals that is still a pass"},
	{.name = "precision",
		.kind = OPTION_CHOICE,
		AT(precision),
		.argument = "P",
		.choice = precision_name,
		.group = "Assumptions",
		.commands = FEEDS JOBS " compare export",
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

static const struct option_table *const others[] = {
#define X(id) &arguments_##id,
#include "cli/tables.def"
#undef X
	NULL,
};

const struct option_table arguments_table = {rows, sizeof rows / sizeof rows[0], others};

bool arguments_complete(struct paradl_arena *arena, struct arguments *arguments, struct paradl_error *error)
{
	struct option_texts *const set = &arguments->set;
	if (!(arguments->seq > 0))
		return true;
	if (set->count == OPTION_TEXTS_MAX)
		return error_set(error, PARADL_USAGE, "--set and --seq are more than %d changes",
			(int)OPTION_TEXTS_MAX);
	set->items[set->count] = arena_printf(arena, "model.dims.seq=%.0f", arguments->seq);
	return set->items[set->count++] || out_of_memory(error);
}

struct arguments arguments_initial(void)
{
	return (struct arguments){.goal = -1,
		.precision = -1,
		.flags = -1,
		.price = -1,
		.import_from = -1,
		.top = -1,
		.equal = -1,
		.fraction = -1,
		.gap_tolerance = -1};
}
