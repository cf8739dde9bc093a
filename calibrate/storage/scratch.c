/* SPDX-License-Identifier: BSD-3-Clause */
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* nftw */
#endif
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	const char *directory;
	char path[PATH_LENGTH - 64];
	double limit, taken;
	bool made;
	pid_t keeper;
	int keeper_end; /* the keeper reads the other end: closed when this process is gone */
} scratch;

void scratch_set(const char *directory, double limit_bytes)
{
	scratch.directory = directory;
	scratch.limit = limit_bytes;
}

void scratch_path(char path[PATH_LENGTH], const char *name, unsigned number)
{
	snprintf(path, PATH_LENGTH, "%s/%.32s.%u", scratch.path, name, number);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	(void)remove(path);
	return 0;
}

static void remove_tree(void)
{
	enum { OPEN_DIRECTORIES = 4 };
	(void)nftw(scratch.path, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* Not in the group of this process, so that what ends that group leaves it; and no pipe of this process stays open. */
static void keep(int end)
{
	enum { DESCRIPTORS = 1024 };
	char byte;
	(void)setsid();
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	for (int other = 0; other < DESCRIPTORS; other++)
		if (other != end)
			(void)close(other);
	while (read(end, &byte, 1) < 0 && errno == EINTR)
		;
	remove_tree();
	_exit(0);
}

static bool start_keeper(void)
{
	int ends[2];
	if (pipe(ends) != 0)
		return false;
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	scratch.keeper = fork();
	if (scratch.keeper == 0) {
		(void)close(ends[1]);
		keep(ends[0]);
	}
	(void)close(ends[0]);
	scratch.keeper_end = ends[1];
	if (scratch.keeper < 0)
		(void)close(ends[1]);
	return scratch.keeper > 0;
}

static enum ready make(struct run *run)
{
	int length;
	if (scratch.made)
		return READY;
	if (!scratch.directory)
		return run_say(run, ABSENT, "no --directory was given");
	length = snprintf(scratch.path, sizeof scratch.path, "%s/paradl-scratch-%ld", scratch.directory,
		(long)getpid());
	if (length < 0 || (size_t)length >= sizeof scratch.path)
		return run_say(run, FAILED, "the path of --directory is too long");
	if (mkdir(scratch.path, S_IRWXU) != 0)
		return run_say(run, FAILED, "%.100s cannot be made: %s", scratch.path, strerror(errno));
	scratch.made = true;
	if (!start_keeper()) {
		scratch_remove();
		return run_say(run, FAILED, "no process could be started to clean up later");
	}
	return READY;
}

static enum ready fits(struct run *run, double bytes)
{
	struct statvfs status;
	double free_bytes;
	if (scratch.taken + bytes > scratch.limit)
		return run_say(run, ABSENT, "it needs %.0f MB more, over the limit of %.0f MB", bytes / 1e6,
			scratch.limit / 1e6);
	if (statvfs(scratch.path, &status) != 0)
		return run_say(run, FAILED, "free space is not known: %s", strerror(errno));
	free_bytes = (double)status.f_bavail * (double)status.f_frsize;
	if (bytes > free_bytes / 2)
		return run_say(run, ABSENT, "it needs %.0f MB, more than half of the %.0f MB that are free",
			bytes / 1e6, free_bytes / 1e6);
	return READY;
}

enum ready scratch_take(struct run *run, double bytes)
{
	enum ready ready = make(run);
	if (ready == READY)
		ready = fits(run, bytes);
	if (ready == READY)
		scratch.taken += bytes;
	return ready;
}

void scratch_give(double bytes)
{
	scratch.taken -= bytes;
}

void scratch_remove(void)
{
	if (!scratch.made)
		return;
	remove_tree();
	if (scratch.keeper > 0) {
		(void)close(scratch.keeper_end);
		while (waitpid(scratch.keeper, NULL, 0) < 0 && errno == EINTR)
			;
	}
	scratch.made = false;
	scratch.keeper = 0;
	scratch.taken = 0;
}
