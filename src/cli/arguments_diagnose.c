/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of diagnose, which sets measured times against projected ones. */
#include "cli/arguments_rows.h"

static const struct option_row rows[] = {
	{ROW("diagnose", "measured", OPTION_TEXTS, measured_files, "FILE"), .completes = "file",
		.group = "Question",
		.help = "measured times: CSV of phases, or PyTorch profiler trace; or paradl-measured(5), "
			"paradl-samples(5); of traces one for each rank, with --measured again"},
	{ROW("diagnose", "tolerance", OPTION_RATIO, gap_tolerance, "SHARE"), .max = 10, .group = "Question",
		.help = "gap of a phase that needs no cause: 15%; without it the framework's known error"},
};

const struct option_table arguments_diagnose = {rows, sizeof rows / sizeof rows[0], NULL};
