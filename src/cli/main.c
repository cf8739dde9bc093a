/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

int main(int argc, char **argv)
{
	struct session session;
	if (!program_begin(&session, argc, argv))
		return EXIT_INTERNAL;
	const enum exit_status status = program_run(&session);
	program_end(&session);
	return (int)status;
}
