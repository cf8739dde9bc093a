/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of compare: those of other commands, as they read with several machines. */
#include "cli/arguments_rows.h"

#include "result/documents.h"

static const char *basis_name(size_t index)
{
	return arguments_pick(price_basis_names, PRICE_BASES, index);
}

#define COMPARE(...) ROW("compare", __VA_ARGS__)

static const struct option_row rows[] = {
	{COMPARE("hw", OPTION_TEXTS, machines, "HW"), .completes = "hw", .group = "Question",
		.help = "a machine, once for each ('paradl list hw'); or a file"},
	{ROW("report", "hw", OPTION_TEXTS, machines, "HW"), .completes = "hw", .group = "Question",
		.help = "a shipped machine ('paradl list hw') or a file; several are compared; with "
			"--interactive up to three"},
	{COMPARE("gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "GPUs of each: 64 or 4..1024 (default the smallest's); 8,16,24; 4..1024 doubles; "
			"without it, as many as the smallest machine has"},
	{COMPARE("deadline", OPTION_QUANTITY, deadline_s, "TIME"), .dimension = DIMENSION_TIME, .min = 1e-3,
		.group = "Question", .help = "instead, the fewest GPUs that finish by then: '30 d'"},
	{COMPARE("budget", OPTION_COUNT, budget, "AMOUNT"), .min = 1, .group = "Question",
		.help = "instead, the GPUs that finish first for that: 40k; in the common currency"},
	{COMPARE("exchange", OPTION_TEXTS, rates, "CURRENCY=X"), .group = "Question",
		.help = "value of a currency in the common one: JPY=0.0067; that of the first machine that "
			"has none"},
	{COMPARE("price", OPTION_CHOICE, price, "BASIS"), .choice = basis_name, .group = "Question",
		.help = "compare costs of machines rented or bought; without it, as the first that has a "
			"price"},
	{COMPARE("batch", OPTION_COUNT, batch, "N"), .min = 1, .group = "Question",
		.help = "samples per step on all GPUs (default the model's)"},
	{COMPARE("per-gpu", OPTION_COUNT, per_gpu, "N"), .min = 1, .group = "Question",
		.help = "samples per step and GPU (default the model's); instead of --batch"},
	{COMPARE("seq", OPTION_COUNT, seq, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "tokens of a sample (default the models'); as --set model.dims.seq=N"},
	{COMPARE("strategies", OPTION_TEXT, strategies, "LIST"), .completes = "strategies",
		.group = "Question",
		.help = "only plans along these axes: data,data+tensor; 'paradl list strategies'"},
	{COMPARE("plan-options", OPTION_TEXT, plan_options, "OPTIONS"), .formerly = "with",
		.group = "Question", .help = "options that all plans have: zero=1,recompute=full"},
	{COMPARE("threads", OPTION_COUNT, threads, "N"), .min = 1, .max = 1024, .group = "Question",
		.help = "threads that work (default all processors); OMP_NUM_THREADS where that is set"},
	{COMPARE("tokens", OPTION_COUNT, tokens, "N"), .min = 1, .group = "Job",
		.help = "tokens of the whole training: 300B"},
	{COMPARE("samples", OPTION_COUNT, samples, "N"), .min = 1, .group = "Job",
		.help = "samples of the whole training"},
	{COMPARE("epochs", OPTION_COUNT, epochs, "N"), .min = 1, .group = "Job",
		.help = "epochs of the whole training; without an amount, one"},
};

const struct option_table arguments_compare = {rows, sizeof rows / sizeof rows[0], NULL};
