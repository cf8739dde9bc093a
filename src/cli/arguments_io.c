/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These rows are the options that only io has in this form. */
#include "cli/arguments_rows.h"

static const struct option_row rows[] = {
	{ROW("io", "epochs", OPTION_COUNT, epochs, "N"), .min = 1, .group = "Question",
		.help = "epochs of the whole training (default 90, of text 1)"},
	{FLAG("resources", resources, "io"),
		.help = "show what each resource offers, besides what is needed"},
};

const struct option_table arguments_io = {rows, sizeof rows / sizeof rows[0], NULL};
