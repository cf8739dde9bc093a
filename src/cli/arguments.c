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
		.help = "the machine: a profile, or a shipped one by name"},
	{.name = "strategy",
		.letter = 's',
		.kind = OPTION_TEXT,
		AT(strategy),
		.argument = "PLAN",
		.completes = "strategies",
		.group = "Question",
		.commands = "diagnose estimate export hide io whatif",
		.help = "the plan to estimate: data=64,spatial=4; see 'paradl help plans'"},
	{.name = "gpus",
		.kind = OPTION_COUNTS,
		AT(gpus),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = "advise io search sweep",
		.help = "GPUs: 64, 8,16,24, 4..1024 (doubling), 4..64+4; without it, every power of two"},
	{ROW("report", "gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "GPUs, one number; without it 64, or as many as the machine has"},
	{.name = "batch",
		.kind = OPTION_COUNT,
		AT(batch),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = "sweep validate export",
		.help = "samples per iteration on all GPUs together"},
	{ROW(ASKS " diagnose report io hide whatif", "batch", OPTION_COUNT, batch, "N"),
		.offset_tokens = offsetof(struct arguments, batch_tokens), .min = 1, .group = "Question",
		.help = "samples per iteration on all GPUs together, or '4M tokens'"},
	{.name = "per-gpu",
		.kind = OPTION_COUNT,
		AT(per_gpu),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = FEEDS " export",
		.help = "samples per iteration and GPU; without either, what the model says"},
	{.name = "micro",
		.kind = OPTION_COUNT,
		AT(micro),
		.argument = "N",
		.min = 1,
		.group = "Question",
		.commands = "advise report",
		.help = "samples per micro-batch and replica of a pipeline"},
	{ROW(FEEDS JOBS " export", "seq", OPTION_COUNT, seq, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "tokens of a sample, instead of the model's: as --set model.dims.seq=N"},
	{.name = "inference",
		.kind = OPTION_FLAG,
		AT(inference),
		.group = "Question",
		.commands = SERVES,
		.help = "forward only: --batch images at a time, or requests under way"},
	{.name = "input-tokens",
		.formerly = "prompt",
		.kind = OPTION_COUNT,
		AT(input_tokens),
		.argument = "N",
		.min = 1,
		.max = 1e9,
		.group = "Question",
		.commands = SERVES,
		.help = "inference: tokens of each prompt; without it 1024, or what fits the model"},
	{.name = "output-tokens",
		.formerly = "answer",
		.kind = OPTION_COUNT,
		AT(output_tokens),
		.argument = "N",
		.min = 1,
		.max = 1e9,
		.group = "Question",
		.commands = SERVES,
		.help = "inference: tokens that each sequence gets; without it 128"},
	{.name = "requests",
		.kind = OPTION_COUNT,
		AT(requests),
		.argument = "N",
		.min = 1,
		.max = 1e12,
		.group = "Question",
		.commands = SERVES,
		.help = "inference: of a whole test run, of which --batch come at once, each next when one "
			"has its answer; without it, they never end"},
	{.name = "spread",
		.kind = OPTION_RATIO,
		AT(spread),
		.argument = "SHARE",
		.group = "Question",
		.commands = SERVES,
		.help = "inference: answers are up to this share shorter than --output-tokens"},
	{ROW(SERVES, "rate", OPTION_QUANTITY, rate_per_s, "RATE"), .dimension = DIMENSION_RATE, .min = 1e-6,
		.max = 1e9, .group = "Question",
		.help = "inference: requests come at random, so many for all GPUs: '50/s'; instead of "
			"--batch"},
	{ROW(SERVES, "speculative-tokens", OPTION_COUNT, speculative_tokens, "N"), .min = 1, .max = 64,
		.group = "Question",
		.help = "inference: that are guessed for each sequence in a step, and checked"},
	{ROW(SERVES, "accepted-tokens", OPTION_RATIO, accepted_tokens, "X"), .min = 1, .max = 65,
		.group = "Question",
		.help = "with --speculative-tokens: that a step gives a sequence on average: 2.4"},
	{ROW("advise compare estimate report sweep whatif", "prefill", OPTION_TEXT, prefill, "PLAN"),
		.completes = "strategies", .group = "Question",
		.help = "inference: GPUs with this plan read prompts, the others answer: data=2,tensor=4; "
			"advise: auto"},
	{ROW(SERVES, "cached-prefix", OPTION_RATIO, cached_prefix, "SHARE"), .group = "Question",
		.help = "inference: share of each prompt that the cache has from requests before"},
	{.name = "goal",
		.kind = OPTION_CHOICE,
		AT(goal),
		.argument = "GOAL",
		.initial = "time",
		.choice = arguments_goal,
		.group = "Question",
		.commands = "advise report sweep",
		.help = "what to make small"},
	{.name = "strategies",
		.kind = OPTION_TEXT,
		AT(strategies),
		.argument = "LIST",
		.completes = "strategies",
		.group = "Question",
		.commands = "advise report search whatif",
		.help = "only these families: data,data+spatial"},
	{.name = "plan-options",
		.formerly = "with",
		.kind = OPTION_TEXT,
		AT(plan_options),
		.argument = "OPTIONS",
		.group = "Question",
		.commands = "advise report search sweep whatif",
		.help = "options that every plan has: zero=1,recompute=full; else what suits is chosen"},
	{COLLECTIVE("bytes", OPTION_TEXT, bytes, "SIZES"), .group = "Question",
		.help = "64M, 1K,1M, 1K..1G (doubling), 1K..1G*4; K is 1024 as in nccl-tests; without it "
			"1K..1G*4"},
	{ROW("export", "bytes", OPTION_TEXT, bytes, "SIZE"), .group = "Question",
		.help = "size of the vector: 100K, 64M (without it); K is 1024"},
	{ROW("export", "topology", OPTION_TEXT, topologies, "T"), .completes = "topologies",
		.group = "Question", .help = "a network on paper, instead of the machine's: torus:8x8"},
	{ROW(GROUPS, "ranks", OPTION_COUNT, ranks, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "devices of each group; without it, as many as there are places for"},
	{ROW(GROUPS, "concurrent", OPTION_COUNT, concurrent, "K"), .min = 1, .max = 1e9, .group = "Question",
		.help = "groups that do it at the same time"},
	{ROW(GROUPS, "stride", OPTION_COUNT, stride, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "devices from a rank to the next; without it as many as --concurrent groups: "
			"neighbours"},
	{ROW(GROUPS, "placement", OPTION_TEXT, placement, "HOW"), .group = "Question",
		.help = "in-order, scattered (dealt out to the nodes in turn) or random:SEED (all devices)"},
	{ROW(GROUPS, "algo", OPTION_TEXT, algorithms, "LIST"), .completes = "collectives",
		.group = "Question",
		.help = "only these algorithms: ring,hierarchical:leaders=2; all; see 'paradl list "
			"collectives'"},
	{ROW(GROUPS, "library", OPTION_TEXT, library, "NAME"), .group = "Question",
		.help = "only what it has: nccl, rccl, openmpi, mpich, mpi, xla, fpga; any: all algorithms"},
	{ROW(GROUPS, "density", OPTION_RATIO, density, "SHARE"), .max = 1, .group = "Question",
		.help = "non-zeros of a vector: sparse algorithms too; --bytes stay those of the dense one"},
	{ROW(GROUPS, "overlap", OPTION_RATIO, overlap, "SHARE"), .max = 1, .group = "Question",
		.help = "how much the places of the ranks' non-zeros coincide; 0 is at random"},
	{COLLECTIVE("topology", OPTION_TEXT, topologies, "LIST"), .completes = "topologies",
		.group = "Question",
		.help = "networks on paper, instead of the machine's: torus:8x8,dln:64; 'paradl list "
			"topologies'"},
	{ROW(GROUPS, "link", OPTION_TEXT, link, "LINK"), .group = "Assumptions",
		.help = "rate and latency of each cable on paper: '12.5 GB/s,500 ns'; else as the machine's "
			"ports"},
	{COLLECTIVE("equal", OPTION_CHOICE, equal, "WHAT"), .choice = equal_name, .group = "Assumptions",
		.help = "compare at equal ports (what a router's devices can send, over its cables) or "
			"price"},
	{COLLECTIVE("measured", OPTION_TEXT, measured, "FILE"), .completes = "file", .group = "Question",
		.help = "what nccl-tests or the OSU benchmarks printed, to compare with"},
	{ROW(ON_MODELS " collective", "set", OPTION_TEXTS, set, "KEY=VALUE"), .group = "Assumptions",
		.help = "as if a file said something else: hw.levels.1.bandwidth=x2; see 'paradl help "
			"changes'"},
	{ROW("fit validate", "measured", OPTION_TEXT, measured, "CSV"), .completes = "file",
		.group = "Question", .help = "the measurements"},
	{ROW("fit", "constants", OPTION_TEXT, constants, "FILE"), .completes = "file", .group = "Question",
		.help = "which constants are free, and their bounds, instead of "
			"hw-profiles/fit-constants.csv"},
	{ROW("fit", "leave-out", OPTION_TEXT, leave_out, "SET"), .group = "Question",
		.help = "a set of rows that has no say, but is projected"},
	{ROW("fit", "leave-each-out", OPTION_FLAG, leave_each_out, NULL), .group = "Question",
		.help = "fit again without each set (kernels: each device), and project it: what to expect "
			"of new ones"},
	{ROW("validate", "kernels", OPTION_TEXTS, kernels, "CSV"), .completes = "file", .group = "Question",
		.help = "times of single kernels, against what device files say of them; may be given again"},
	{ROW("fit validate", "device", OPTION_TEXT, device, "DEVICE"), .completes = "file",
		.group = "Question",
		.help = "kernels: only rows of this device, or a file that stands for the shipped one of its "
			"name"},
	{ROW("fit", "shapes", OPTION_COUNT, shapes, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "kernels: fit again to so many random rows of each kind and number format, and "
			"predict the others, five times"},
	{ROW("fit", "seed", OPTION_COUNT, seed, "N"), .max = 1e15, .group = "Question",
		.help = "of --shapes; without it 1"},
	{ROW("fit", "base", OPTION_TEXT, base, "HW"), .completes = "hw", .group = "Question",
		.help = "samples: the profile that --into HW.json starts from, if it is not there yet"},
	{ROW("fit", "into", OPTION_TEXT, into, "HW.json"), .completes = "file", .group = "Output",
		.help = "put numbers and curves into this profile and its device, new ones where there is "
			"none; "
			"--measured: put constants into devices/ and frameworks/ of this folder; "
			"kernels: put numbers into this device file"},
	{ROW("fit", "force", OPTION_FLAG, force, NULL), .group = "Output",
		.help = "samples: write --into also what was measured on a busy machine or follows no fit, "
			"all of it as assumed"},
	{ROW("fit", "write-layer-times", OPTION_TEXT, layer_times, "FILE"), .formerly = "layer-times",
		.completes = "file", .group = "Output",
		.help = "samples: write the times of the layers that were measured there, for --layer-times "
			"of estimate and advise"},
	{ROW("fit", "layers-of", OPTION_TEXT, model, "MODEL"), .formerly = "layers", .completes = "models",
		.group = "Question",
		.help = "samples: the network that --write-layer-times is of, where several were measured"},
	{ROW("validate", "all-rows", OPTION_FLAG, all_rows, NULL), .group = "Question",
		.help = "published results that are not complete, too"},
	{ROW("validate", "run", OPTION_FLAG, run, NULL), .group = "Run here",
		.help = "measure: training steps of MODEL under each plan, with mpirun, on this machine"},
	{ROW("validate", "ranks", OPTION_COUNTS, run_ranks, "N"), .initial = "1,2", .min = 1, .max = 1024,
		.group = "Run here", .help = "processes, each a device; those of each number are one set"},
	{ROW("validate", "strategies", OPTION_TEXT, strategies, "LIST"), .completes = "strategies",
		.group = "Run here", .help = "only these axes: data,spatial,filter,channel,pipeline"},
	{ROW("validate", "launches", OPTION_COUNT, run_launches, "N"), .initial = "5", .min = 1, .max = 1000,
		.group = "Run here", .help = "of each plan; a row is their median"},
	{ROW("validate", "quick", OPTION_FLAG, run_quick, NULL), .group = "Run here",
		.help = "half a second for each time instead of two"},
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
		.help = "number format, instead of the model's"},
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
		.help = "how the training program behaves: a profile instead of the machine's, with options "
			"of it as NAME+OPTION"},
	{.name = "layer-times",
		.kind = OPTION_TEXT,
		AT(layer_times),
		.argument = "FILE",
		.completes = "file",
		.group = "Assumptions",
		.commands = FEEDS JOBS,
		.help = "measured times of layers, instead of computed ones"},
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
		.help = "without the waiting that other jobs and stragglers cause"},
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
