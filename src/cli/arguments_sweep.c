/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options that only sweep has in this form. */
#include "cli/arguments_rows.h"

#define SWEEP(...) ROW("sweep", __VA_ARGS__)

static const struct option_row rows[] = {
	{SWEEP("vary", OPTION_TEXTS, vary, "KEY=VALUES"), .group = "Question",
		.help = "what varies: gpus=4..1024, batch=1k,2k, hw=abci,alps; precision=fp32,fp16, "
			"tensor=1..8, hw.levels.1.bandwidth=x0.5..x4: each with each; the last varies "
			"fastest"},
	{SWEEP("strategy", OPTION_TEXTS, plans, "PLANS"), .letter = 's', .completes = "strategies",
		.group = "Question",
		.help = "plans 'data=*,spatial=4', or axes data,data+spatial; * is what is left of the GPUs; "
			"of axes the best plan is taken; plans have ';' between them or one -s for each; "
			"without it the best of all"},
	{SWEEP("resume", OPTION_TEXT, resume_file, "FILE"), .completes = "file", .group = "Output",
		.help = "as -o FILE, but goes on where it was interrupted; what is done is kept in FILE.part "
			"until all is"},
};

const struct option_table arguments_sweep = {rows, sizeof rows / sizeof rows[0], NULL};
