/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of whatif, which estimates with something changed. */
#include "cli/arguments_rows.h"

#define WHATIF(...) ROW("whatif", __VA_ARGS__)

static const struct option_row rows[] = {
	{WHATIF("best", OPTION_FLAG, best, NULL), .group = "Question",
		.help = "the best plan instead of one that is given, looked for again whenever something "
			"changes"},
	{WHATIF("gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "of --best; without it the largest power of two that the machine has"},
	{WHATIF("goal", OPTION_CHOICE, goal, "GOAL"), .choice = arguments_goal, .initial = "time",
		.group = "Question", .help = "what is compared, and what --best makes small"},
	{WHATIF("perturb", OPTION_RATIO, perturb, "SHARE"), .formerly = "vary", .min = 0.001, .max = 0.99,
		.group = "Question", .help = "each input with so much less and more of it: 20%"},
	{WHATIF("target", OPTION_TEXT, target, "WHAT=VALUE"), .group = "Question",
		.help = "by how much one input alone has to change: epoch='30 s', iteration=, "
			"deadline='30 d' of --tokens, --samples or --epochs, memory='16 GB', cost= or "
			"energy='5 kWh' of an epoch"},
	{WHATIF("upgrade", OPTION_TEXT, upgrade, "HW"), .completes = "hw", .group = "Question",
		.help = "the same on another machine"},
};

const struct option_table arguments_whatif = {rows, sizeof rows / sizeof rows[0], NULL};
