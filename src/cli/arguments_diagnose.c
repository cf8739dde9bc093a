/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of diagnose, which sets measured times against projected ones. */
#include "cli/arguments_rows.h"

static const struct option_row rows[] = {
	{ROW("diagnose", "measured", OPTION_TEXTS, measured_files, "FILE"), .completes = "file",
		.group = "Question",
		.help = "measured times: phases as CSV, paradl-measured(5), paradl-samples(5), or traces of "
			"the "
			"PyTorch profiler, one for each rank, with --measured again"},
	{ROW("diagnose", "tolerance", OPTION_RATIO, gap_tolerance, "SHARE"), .max = 10, .group = "Question",
		.help = "of a phase: a gap up to that is the model's error; without it the framework's known "
			"error"},
};

const struct option_table arguments_diagnose = {rows, sizeof rows / sizeof rows[0], NULL};
