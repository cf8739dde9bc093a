/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "report/picture/picture.h"
#include "report/report.h"

enum { COMPLAINT_BYTES = 200 };

/* Returns the environment with LC_ALL=C, so that decimal points are points. */
static char **plain_locale(struct paradl_arena *arena)
{
	extern char **environ;
	size_t count = 0, kept = 0;
	while (environ && environ[count])
		count++;
	char **const list = arena_alloc(arena, count + 2, sizeof *list);
	for (size_t i = 0; list && i < count; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0)
			list[kept++] = environ[i];
	if (list)
		list[kept] = arena_text(arena, "LC_ALL=C");
	return list;
}

/*
 * Reads the child's standard error up to its end and keeps the last line with text, where gnuplot says what went
 * wrong; cuts long lines.
 */
static void listen(FILE *errors, char complaint[COMPLAINT_BYTES])
{
	char line[COMPLAINT_BYTES];
	size_t used = 0;
	for (int c; (c = getc(errors)) != EOF;) {
		if (c == '\n') {
			used = 0;
		} else if (used + 1 < COMPLAINT_BYTES) {
			line[used++] = (char)c;
			line[used] = '\0';
			memcpy(complaint, line, used + 1);
		}
	}
}

static int spawn(char *const *arguments, char *const *environment, const struct gnuplot_ends *ends,
	int complaints, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int failure = posix_spawn_file_actions_init(&actions);
	if (failure != 0)
		return failure;
	failure =
		ends->script
			? posix_spawn_file_actions_adddup2(&actions, fileno(ends->script), STDIN_FILENO)
			: posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (failure == 0 && ends->picture)
		failure = posix_spawn_file_actions_adddup2(&actions, fileno(ends->picture), STDOUT_FILENO);
	else if (failure == 0)
		failure = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (failure == 0)
		failure = posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
	if (failure == 0)
		failure = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	return failure;
}

static bool wait_for(pid_t child, const char *complaint, struct paradl_error *error)
{
	char reason[REASON_BYTES];
	int status = 0;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(
				error, PARADL_NO_TOOL, "gnuplot was lost: %s", report_reason(reason, errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !*complaint)
		return error_set(error, PARADL_NO_TOOL, "gnuplot not found");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	return error_set(
		error, PARADL_NO_TOOL, "gnuplot failed: %s", *complaint ? complaint : "it does not say why");
}

/* Starts gnuplot, reads its standard error, and waits for its end. */
static bool run(struct paradl_arena *arena, char *const *arguments, const struct gnuplot_ends *files,
	struct paradl_error *error)
{
	char **const environment = plain_locale(arena);
	char complaint[COMPLAINT_BYTES] = "", reason[REASON_BYTES];
	int ends[2];
	pid_t child = 0;
	if (!environment)
		return out_of_memory(error);
	if (pipe(ends) != 0)
		return error_set(
			error, PARADL_NO_TOOL, "gnuplot cannot be started: %s", report_reason(reason, errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	const int failure = spawn(arguments, environment, files, ends[1], &child);
	close(ends[1]);
	FILE *const errors = fdopen(ends[0], "r");
	if (errors) {
		listen(errors, complaint);
		fclose(errors);
	}
	if (failure == ENOENT)
		return error_set(error, PARADL_NO_TOOL, "gnuplot not found");
	if (failure != 0)
		return error_set(error, PARADL_NO_TOOL, "gnuplot cannot be started: %s",
			report_reason(reason, failure));
	return wait_for(child, complaint, error);
}

bool gnuplot_file(
	struct paradl_arena *arena, const char *script, const char *before, struct paradl_error *error)
{
	const struct gnuplot_ends none = {NULL, NULL};
	char *const arguments[] = {arena_text(arena, "gnuplot"), arena_text(arena, "-d"),
		arena_text(arena, "-e"), arena_text(arena, before), arena_text(arena, script), NULL};
	for (size_t i = 0; i + 1 < sizeof arguments / sizeof arguments[0]; i++)
		if (!arguments[i])
			return out_of_memory(error);
	return run(arena, arguments, &none, error);
}

bool gnuplot_stream(struct paradl_arena *arena, const struct gnuplot_ends *ends, struct paradl_error *error)
{
	char *const arguments[] = {
		arena_text(arena, "gnuplot"), arena_text(arena, "-d"), arena_text(arena, "-"), NULL};
	if (!arguments[0] || !arguments[1] || !arguments[2])
		return out_of_memory(error);
	return run(arena, arguments, ends, error);
}
