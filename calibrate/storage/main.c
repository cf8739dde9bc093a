/* SPDX-License-Identifier: BSD-3-Clause */
/* What a storage does for its clients on this host. Writes only below --directory, and removes what it wrote. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "scratch.h"
#include "storage.h"

#define X(name) extern const struct bench bench_##name;
#include "list.def"
#undef X

static const struct bench *const benches[] = {
#define X(name) &bench_##name,
#include "list.def"
#undef X
	0,
};

enum { ABSENT_STATUS = 77, USAGE_STATUS = 2 };

static const double limit_bytes = 2147483648.0, quick_limit_bytes = 268435456.0;
static const char *directory; /* as the command line says: begin() sees no options */

static enum ready begin(struct run *run)
{
	(void)run;
	(void)signal(SIGXFSZ, SIG_IGN); /* a limit on files is an error of a write, not the end */
	storage_describe(directory);
	return READY;
}

static const struct program program = {
	.name = "storage",
	.summary = "what the storage below --directory DIR does: blocks, small files, several clients",
	.benches = benches,
	.begin = begin,
	.end = scratch_remove,
	.probe = files_probe,
};

static bool is_option(const char *argument, const char *name)
{
	return strcmp(argument, name) == 0;
}

static const char *find_directory(int argc, char **argv)
{
	static const char with_value[] = "--directory=";
	for (int i = 1; i < argc; i++) {
		if (is_option(argv[i], "--directory") && i + 1 < argc)
			return argv[i + 1];
		if (strncmp(argv[i], with_value, sizeof with_value - 1) == 0)
			return argv[i] + sizeof with_value - 1;
	}
	return NULL;
}

static bool has(int argc, char **argv, const char *name)
{
	for (int i = 1; i < argc; i++)
		if (is_option(argv[i], name))
			return true;
	return false;
}

/* 0, or the status to leave with. */
static int look_at_directory(void)
{
	struct stat status;
	if (!directory) {
		(void)fprintf(stderr, "paradl-measure-storage: nothing to measure without --directory DIR, a "
				      "directory of the "
				      "storage to be measured\n");
		return ABSENT_STATUS;
	}
	if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
		errno = ENOTDIR;
	else if (access(directory, W_OK | X_OK) == 0)
		return 0;
	(void)fprintf(stderr,
		"paradl-measure-storage: --directory %s: %s; it is to be a directory that you may write to\n",
		directory, strerror(errno));
	return USAGE_STATUS;
}

int main(int argc, char **argv)
{
	int status;
	directory = find_directory(argc, argv);
	if (!has(argc, argv, "--help") && !has(argc, argv, "--benches")) {
		status = look_at_directory();
		if (status != 0)
			return status;
	}
	scratch_set(directory, has(argc, argv, "--quick") ? quick_limit_bytes : limit_bytes);
	status = calibrate_main(argc, argv, &program);
	scratch_remove();
	return status;
}
