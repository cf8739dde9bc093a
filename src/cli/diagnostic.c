/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for people go to standard error: "paradl: MESSAGE", or the place in a file, its line and a hint. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/session.h"
#include "report/typeset.h"

enum { SOURCE_LIMIT_BYTES = 64 << 20, LABEL_SPACE = 8, CHARACTER_BYTES = 8 };

static struct report_sink error_sink(struct session *session)
{
	return (struct report_sink){
		.file = session->complaints, .arena = session->arena, .style = session->style};
}

void diagnostic_print(struct session *session, const char *format, ...)
{
	char text[2048];
	struct report_sink sink = error_sink(session);
	va_list arguments;
	if (!session->complaints)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	fprintf(session->complaints, "%s\n", typeset_clean(&sink, text));
}

void session_warn(struct session *session, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	text_list_add(session->arena, &session->warnings, arena_text(session->arena, text));
	if (!session->arguments.quiet)
		diagnostic_print(session, "paradl: warning: %s", text);
}

__attribute__((format(printf, 2, 0))) static bool set_usage(
	struct session *session, const char *format, va_list arguments)
{
	char text[sizeof session->error.message];
	vsnprintf(text, sizeof text, format, arguments);
	return error_set(&session->error, PARADL_USAGE, "%s", text);
}

bool session_usage(struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	set_usage(session, format, arguments);
	va_end(arguments);
	return false;
}

bool session_missing(struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	set_usage(session, format, arguments);
	va_end(arguments);
	error_hint(&session->error, "'paradl %s -h' shows the usual options and examples",
		session->command->name);
	return false;
}

static const char *find_line(const char *text, int line)
{
	for (int i = 1; text && i < line; i++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text;
}

/* Prints the line of an error, "   74 |   "kernel": 9,", and a caret; a line that is too wide is left out. */
static void print_source(struct session *session, const struct paradl_error *error)
{
	struct report_sink sink = error_sink(session);
	struct paradl_error ignored = {0};
	struct stat status;
	size_t length = 0;
	if (error->line <= 0 || stat(error->path, &status) != 0 || !S_ISREG(status.st_mode))
		return;
	const char *const text =
		file_read(session->arena, error->path, SOURCE_LIMIT_BYTES, &length, &ignored);
	const char *const line = find_line(text, error->line);
	const size_t most = session->style.width > LABEL_SPACE ? session->style.width - LABEL_SPACE : 0;
	const size_t bytes = line ? strcspn(line, "\r\n") : 0;
	if (bytes > CHARACTER_BYTES * most)
		return;
	char *const copy = line ? arena_copy(session->arena, line, bytes) : NULL;
	if (!copy)
		return;
	for (char *c = copy; *c; c++)
		if (*c == '\t')
			*c = ' ';
	const char *const shown = typeset_clean(&sink, copy);
	if (typeset_width(shown) > most)
		return;
	fprintf(session->complaints, "%5d | %s\n", error->line, shown);
	if (error->column > 0)
		fprintf(session->complaints, "%5s | %*s^\n", "", error->column - 1, "");
}

void diagnostic_error(struct session *session)
{
	const struct paradl_error *const error = &session->error;
	char text[2048];
	paradl_error_format(error, text, sizeof text);
	diagnostic_print(session, "%s%s", *error->path ? "" : "paradl: ", text);
	if (session->complaints)
		print_source(session, error);
	if (*error->hint)
		diagnostic_print(session, "  hint: %s", error->hint);
}

/* Returns whether an option was typed. Where the command line is wrong, session->arguments may not have it. */
static bool was_typed(const struct session *session, const char *option)
{
	for (size_t i = 0; i < session->argument_count; i++) {
		if (strcmp(session->typed[i], "--") == 0)
			break;
		if (strcmp(session->typed[i], option) == 0)
			return true;
	}
	return false;
}

static enum exit_status status_of(enum paradl_status status)
{
	switch (status) {
	case PARADL_INFEASIBLE:
		return EXIT_NO;
	case PARADL_USAGE:
		return EXIT_USAGE;
	case PARADL_IO:
	case PARADL_SYNTAX:
	case PARADL_SCHEMA:
		return EXIT_BAD_INPUT;
	case PARADL_NO_TOOL:
		return EXIT_NO_TOOL;
	case PARADL_OK:
	case PARADL_NO_MEMORY:
		break;
	}
	return EXIT_INTERNAL;
}

enum exit_status session_fail(struct session *session)
{
	const bool is_json = session->arguments.json || was_typed(session, "--json"),
		   is_jsonl = was_typed(session, "--jsonl");
	session->failed = true;
	diagnostic_error(session);
	if (is_json || is_jsonl)
		report_error_json(session->answers, !is_json, &session->error);
	return status_of(session->error.status);
}

enum exit_status session_fail_writing(struct session *session)
{
	const bool is_output = session->error.status == PARADL_IO;
	const enum exit_status status = session_fail(session);
	return is_output ? EXIT_INTERNAL : status;
}

enum exit_status session_out_of_memory(struct session *session)
{
	out_of_memory(&session->error);
	return session_fail(session);
}

unsigned session_threads(const struct session *session)
{
	if (session->arguments.threads > 0)
		return (unsigned)session->arguments.threads;
	return session->team ? session->team->threads : session->threads;
}

enum { STEP_NS = 250000000, SECOND_NS = 1000000000, PERCENT = 100 };

struct progress progress_begin(const struct session *session)
{
	struct progress progress = {
		.file = session->is_watched && !session->arguments.quiet ? session->complaints : NULL,
		.things = "plans"};
	clock_gettime(CLOCK_MONOTONIC, &progress.next);
	progress.next.tv_sec++;
	return progress;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

void progress_plans(void *context, double done, double all)
{
	struct progress *const progress = context;
	struct timespec now;
	if (!progress->file || clock_gettime(CLOCK_MONOTONIC, &now) != 0 || is_before(&now, &progress->next))
		return;
	progress->next = now;
	progress->next.tv_nsec += STEP_NS;
	if (progress->next.tv_nsec >= SECOND_NS) {
		progress->next.tv_nsec -= SECOND_NS;
		progress->next.tv_sec++;
	}
	progress->shown = true;
	fprintf(progress->file, "\rparadl: %.0f of %.0f %s (%.0f %%)\033[K", done, all, progress->things,
		all > 0 ? PERCENT * done / all : PERCENT);
	fflush(progress->file);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", progress->file);
	progress->shown = false;
}
