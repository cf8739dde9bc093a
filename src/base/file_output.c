/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files are written whole or not at all. Output has no name until it is complete, where the system can do that
 * (O_TMPFILE of Linux), so that a program which is killed leaves nothing behind; elsewhere it has a temporary name
 * beside its final one.
 */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

enum { TEMPORARY_TRIES = 100 };

/*
 * Sets output->path to `path`, or to the file that it links to: renaming onto a link would replace the link. A link
 * to no file is replaced.
 */
static bool resolve(struct file_output *output, const char *path, struct paradl_error *error)
{
	struct stat status;
	char *const target =
		lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? realpath(path, NULL) : NULL;
	const int length = snprintf(output->path, sizeof output->path, "%s", target ? target : path);
	free(target);
	return length < (int)sizeof output->path || file_fail(path, "cannot write", ENAMETOOLONG, error);
}

static bool open_directly(struct file_output *output, int descriptor, struct paradl_error *error)
{
	if (descriptor < 0)
		return file_fail(output->path, "cannot write", errno, error);
	output->file = fdopen(descriptor, "w");
	if (output->file)
		return true;
	file_fail(output->path, "cannot write", errno, error);
	close(descriptor);
	return false;
}

/* Writes the temporary name of the file: its path, the process, and the number of the try. */
static void name_temporary(struct file_output *output, unsigned try)
{
	snprintf(output->temporary, sizeof output->temporary, "%s.%ld-%u.tmp", output->path, (long)getpid(),
		try);
}

/* Opens a file without a name in the folder of output->path; -1: the system cannot do that here. */
static int open_nameless(const struct file_output *output)
{
#ifdef O_TMPFILE
	char folder[sizeof output->path];
	const char *const slash = strrchr(output->path, '/');
	const int length = slash ? (int)(slash - output->path) : 1;
	snprintf(folder, sizeof folder, "%.*s%s", length, slash ? output->path : ".", length ? "" : "/");
	/* it gets its name by way of /proc, and stays nameless until then */
	return access("/proc/self/fd", X_OK) == 0 ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
#else
	(void)output;
	return -1;
#endif
}

/* Gives the file the name `temporary`; returns 0, or an errno. */
static int name_it(struct file_output *output)
{
	char place[64];
	int failed = -1;
	snprintf(place, sizeof place, "/proc/self/fd/%d", fileno(output->file));
	for (unsigned try = 0; try < TEMPORARY_TRIES && failed != 0; try++) {
		name_temporary(output, try);
		failed = linkat(AT_FDCWD, place, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW);
		if (failed != 0 && errno != EEXIST)
			break;
	}
	output->nameless = failed != 0;
	return failed == 0 ? 0 : errno;
}

/* Opens a new file beside the old one: O_EXCL makes sure that it is new, 0666 leaves the mode to the umask. */
static bool open_temporary(struct file_output *output, const struct stat *old, struct paradl_error *error)
{
	int descriptor = open_nameless(output);
	output->nameless = descriptor >= 0;
	for (unsigned try = 0; try < TEMPORARY_TRIES && descriptor < 0; try++) {
		name_temporary(output, try);
		descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor < 0 && errno != EEXIST)
			break;
	}
	output->is_new = descriptor >= 0;
	if (descriptor < 0)
		return file_fail(output->path, "cannot write", errno, error);
	if (old)
		(void)fchmod(descriptor, old->st_mode & 0777);
	output->file = fdopen(descriptor, "w");
	if (output->file)
		return true;
	file_fail(output->path, "cannot write", errno, error);
	close(descriptor);
	if (!output->nameless)
		unlink(output->temporary);
	return false;
}

bool file_create(struct file_output *output, const char *path, struct paradl_error *error)
{
	struct stat old;
	memset(output, 0, sizeof *output);
	if (!resolve(output, path, error))
		return false;
	if (strcmp(path, "-") == 0)
		return open_directly(output, dup(STDOUT_FILENO), error);
	if (stat(output->path, &old) != 0)
		return open_temporary(output, NULL, error);
	if (S_ISDIR(old.st_mode))
		return file_fail(path, "cannot write", EISDIR, error);
	if (!S_ISREG(old.st_mode)) /* a pipe or device: nothing to replace */
		return open_directly(output, open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY), error);
	if (access(output->path, W_OK) != 0)
		return file_fail(path, "cannot write", errno, error);
	return open_temporary(output, &old, error);
}

/*
 * Returns why not all of a stream is in its file; 0: all of it is. Of a part that was written before, the stream remembers only that it could
 * not be: a new file, which is then thrown away, is asked again with another byte.
 */
static int trouble(const struct file_output *output)
{
	if (fflush(output->file) != 0)
		return errno;
	if (ferror(output->file))
		return output->is_new && write(fileno(output->file), "", 1) < 0 ? errno : EIO;
	return output->is_new && fsync(fileno(output->file)) != 0 ? errno : 0;
}

bool file_commit(struct file_output *output, struct paradl_error *error)
{
	int reason = trouble(output);
	if (reason == 0 && output->nameless)
		reason = name_it(output);
	if (fclose(output->file) != 0 && reason == 0)
		reason = errno;
	output->file = NULL;
	if (reason == 0 && output->is_new && rename(output->temporary, output->path) != 0)
		reason = errno;
	if (reason == 0)
		return true;
	if (output->is_new && !output->nameless)
		unlink(output->temporary);
	return file_fail(output->path, "cannot write", reason, error);
}

void file_abandon(struct file_output *output)
{
	if (!output->file)
		return;
	fclose(output->file);
	output->file = NULL;
	if (output->is_new && !output->nameless)
		unlink(output->temporary);
}
