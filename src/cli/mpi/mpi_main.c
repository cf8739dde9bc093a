/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program under mpirun: it is the same as paradl, but all processes share the work of a command. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/mpi/mpi_crew.h"

/* Silences the output of all processes but the first; the others keep a stream for complaints. False: it failed. */
static bool fall_silent(struct crew *crew)
{
	if (crew->rank == 0)
		return true;
	crew->complaints = fdopen(dup(STDERR_FILENO), "w");
	return crew->complaints && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

int main(int argc, char **argv)
{
	struct crew crew;
	struct session session;
	/* mpirun gives rank 0 a terminal, whatever its own output is. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	if (setenv("TERM", "dumb", 1) != 0 || !crew_join(&crew, &argc, &argv))
		return EXIT_INTERNAL;
	enum exit_status status = EXIT_INTERNAL;
	const bool begun = program_begin(&session, argc, argv) && fall_silent(&crew);
	session.team = &crew.team;
	if (begun)
		status = program_run(&session);
	const int left = crew_leave(&crew, (int)status, &session.error);
	program_end(&session);
	return left;
}
