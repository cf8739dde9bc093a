/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options of a whole training: its length, and the checkpoints and failures between its steps. */
#include "cli/arguments_rows.h"

#define RUN(...) ROW(ASKS, __VA_ARGS__)

static const struct option_row rows[] = {
	{ROW(ASKS " report whatif", "tokens", OPTION_COUNT, tokens, "N"), .min = 1, .group = "Job",
		.help = "tokens of the whole training: 300B"},
	{ROW(ASKS " report whatif", "samples", OPTION_COUNT, samples, "N"), .min = 1, .group = "Job",
		.help = "samples of the whole training"},
	{ROW(ASKS " report whatif", "epochs", OPTION_COUNT, epochs, "N"), .min = 1, .group = "Job",
		.help = "epochs of the whole training; without an amount, one"},
	{ROW("advise estimate", "deadline", OPTION_QUANTITY, deadline_s, "TIME"), .formerly = "days",
		.formerly_unit = "d", .dimension = DIMENSION_TIME, .min = 1e-3, .group = "Job",
		.help = "say which plans finish training by then: '12 h', '30 d'; without an amount, how "
			"much they get done"},
	{RUN("checkpoint", OPTION_TEXT, checkpoint, "WHEN"), .group = "Job",
		.help = "when checkpoints are written: '30 min', best or none; after so much work; best "
			"(without it) is the interval that costs least"},
	{RUN("checkpoint-async", OPTION_FLAG, checkpoint_async, NULL), .group = "Job",
		.help = "GPUs wait for the copy to host memory only; the rest is written beside the steps"},
	{RUN("checkpoint-rate", OPTION_QUANTITY, checkpoint_bytes_per_s, "RATE"),
		.dimension = DIMENSION_BYTES_PER_S, .min = 1, .group = "Job",
		.help = "rate at which all nodes together write them: '100 GB/s'; instead of the profile's "
			"storage"},
	{RUN("mtbf", OPTION_TEXT, mtbf, "TIME"), .group = "Job",
		.help = "mean time between failures of a node: '200 d', or none: nothing fails"},
	{RUN("restart", OPTION_QUANTITY, restart_s, "TIME"), .dimension = DIMENSION_TIME, .min = 1e-3,
		.group = "Job", .help = "time from a failure until a checkpoint is loaded (default 10 min)"},
};

const struct option_table arguments_run = {rows, sizeof rows / sizeof rows[0], NULL};
