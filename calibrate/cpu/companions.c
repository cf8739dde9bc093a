/* SPDX-License-Identifier: BSD-3-Clause */
#include "companions.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Of the point that is measured: there is one at a time. */
static struct {
	pid_t *processes;
	unsigned count;
} companions;

/* Never returns; nothing of the parent's is flushed or closed. */
static void work(struct run *run, const struct kernel *kernel, pid_t parent, int ready)
{
	struct run mine = {.point = run->point, .context = run->context};
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	(void)signal(SIGINT, SIG_IGN); /* the parent ends it */
	(void)signal(SIGTERM, SIG_DFL);
	if (!kernel->create(&mine))
		_exit(1);
	kernel->once(&mine);
	if (write(ready, "r", 1) != 1)
		_exit(1);
	(void)close(ready);
	while (getppid() == parent)
		kernel->once(&mine);
	_exit(0);
}

static bool all_ready(int from, unsigned count)
{
	char bytes[64];
	while (count > 0) {
		ssize_t got = read(from, bytes, count < sizeof bytes ? count : sizeof bytes);
		if (got < 0 && errno == EINTR)
			return false;
		if (got <= 0)
			return false;
		count -= (unsigned)got;
	}
	return true;
}

bool companions_start(struct run *run, const struct kernel *kernel, unsigned count)
{
	int ends[2];
	pid_t parent = getpid();
	bool started = false;
	if (count == 0)
		return true;
	companions.count = 0;
	companions.processes = calloc(count, sizeof *companions.processes);
	if (!companions.processes || pipe(ends) != 0) {
		run_say(run, FAILED, "no companion could be started: %s", strerror(errno));
		companions_stop();
		return false;
	}
	while (companions.count < count) {
		pid_t process = fork();
		if (process == 0) {
			(void)close(ends[0]);
			work(run, kernel, parent, ends[1]);
		}
		if (process < 0)
			break;
		companions.processes[companions.count++] = process;
	}
	(void)close(ends[1]);
	started = companions.count == count && all_ready(ends[0], count);
	(void)close(ends[0]);
	if (!started) {
		run_say(run, FAILED,
			"only %u of %u companions could be started, or one ended: too little memory?",
			companions.count, count);
		companions_stop();
	}
	return started;
}

bool companions_alive(void)
{
	for (unsigned i = 0; i < companions.count; i++)
		if (waitpid(companions.processes[i], NULL, WNOHANG) != 0) {
			companions.processes[i] = companions.processes[--companions.count];
			return false;
		}
	return true;
}

void companions_stop(void)
{
	for (unsigned i = 0; i < companions.count; i++)
		(void)kill(companions.processes[i], SIGKILL);
	for (unsigned i = 0; i < companions.count; i++)
		while (waitpid(companions.processes[i], NULL, 0) < 0 && errno == EINTR)
			;
	free(companions.processes);
	companions.processes = NULL;
	companions.count = 0;
}
