/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of whatif, which estimates with something changed. */
#include "cli/arguments_rows.h"

#define WHATIF(...) ROW("whatif", __VA_ARGS__)

static const struct option_row rows[] = {
	{WHATIF("best", OPTION_FLAG, best, NULL), .group = "Question",
		.help = "take the best plan instead of -s; looked for again whenever something changes"},
	{WHATIF("gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "GPUs of --best (default the largest power of 2)"},
	{WHATIF("goal", OPTION_CHOICE, goal, "GOAL"), .choice = arguments_goal, .initial = "time",
		.group = "Question", .help = "what is compared; and what --best optimizes"},
	{WHATIF("perturb", OPTION_RATIO, perturb, "SHARE"), .formerly = "vary", .min = 0.001, .max = 0.99,
		.group = "Question",
		.help = "change each input by so much both ways: 20%; the default, where nothing else is "
			"asked"},
	{WHATIF("target", OPTION_TEXT, target, "WHAT=VALUE"), .group = "Question",
		.help = "say what would reach this: epoch='30 s', memory='16 GB'; by how much one input "
			"alone has to change: iteration=, deadline='30 d' of --tokens, --samples or "
			"--epochs, cost= or energy='5 kWh' of an epoch"},
	{WHATIF("upgrade", OPTION_TEXT, upgrade, "HW"), .completes = "hw", .group = "Question",
		.help = "the same on another machine, side by side"},
};

const struct option_table arguments_whatif = {rows, sizeof rows / sizeof rows[0], NULL};
