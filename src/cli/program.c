/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the command that a command line names. */
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/command.h"
#include "runner/measure.h"

const struct command *const commands[] = {
#define X(id) &command_##id,
#define Y(id) X(id)
#ifdef PARADL_WITHOUT_FIT
#define Z(id)
#else
#define Z(id) X(id)
#endif
#include "cli/list.def"
#undef X
#undef Y
#undef Z
	NULL,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static enum exit_status unknown_command(struct session *session, const char *name)
{
	const char *names[sizeof commands / sizeof commands[0]];
	size_t count = 0;
	for (; commands[count]; count++)
		names[count] = commands[count]->name;
	const char *const near = suggest(name, names, count);
	if (near)
		session_usage(session, "unknown command '%s'; did you mean '%s'?", name, near);
	else
		session_usage(session, "unknown command '%s'", name);
	if (!near && list_topic(name))
		error_hint(&session->error, "'paradl list %s' shows them", list_topic(name));
	else if (!near)
		error_hint(&session->error, "'paradl --help' lists the commands");
	return session_fail(session);
}

/* Prints help on a command, or on the program where there is none; `whole`: as --help, not as -h. */
static enum exit_status print_help(struct session *session, const struct command *command, bool whole)
{
	struct document document;
	if (!document_begin(session, &document))
		return session_fail(session);
	if (command)
		(whole ? usage_command : usage_command_short)(&document.sink, command);
	else
		(whole ? usage_program : usage_program_short)(&document.sink);
	return document_end(session, &document, EXIT_ANSWER);
}

static enum exit_status print_version(struct session *session)
{
	struct document document;
	if (!document_begin(session, &document))
		return session_fail(session);
	fprintf(document.sink.file, "paradl %s\n", paradl_version());
	return document_end(session, &document, EXIT_ANSWER);
}

static enum exit_status run_command(struct session *session)
{
	const struct command *const command = session->command;
	struct arguments *const arguments = &session->arguments;
	const bool parsed = query_parse(session);
	session->style = environment_style(arguments);
	if (!parsed)
		return session_fail(session);
	if (arguments->help || arguments->short_help) {
		arguments->output = NULL;
		return print_help(session, command, arguments->help);
	}
	if (session->team && !command->in_team)
		session_usage(session, "%s is nothing for several processes: 'paradl %s'", command->name,
			command->name);
	else if (query_takes_operands(session) && output_choose(session)) {
		if (session->team)
			session->team->begin(session->team, arguments->lost_after_s);
		return command->run(session);
	}
	return session_fail(session);
}

enum exit_status program_run(struct session *session)
{
	const char *const word = session->argument_count > 0 ? session->typed[0] : NULL;
	session->style = environment_style(&session->arguments);
	session->directories = environment_directories(session->arena);
	session->shipped = environment_shipped(session->arena);
	session->installed = environment_installed();
	session->hub = environment_hub(session->arena);
	if (!session->directories || !session->shipped)
		return session_out_of_memory(session);
	if (!word) {
		usage_program_short(&(struct report_sink){
			.file = session->complaints, .arena = session->arena, .style = session->style});
		return EXIT_USAGE;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return print_help(session, NULL, strcmp(word, "--help") == 0);
	if (strcmp(word, "--version") == 0)
		return print_version(session);
	session->command = command_find(word);
	return session->command ? run_command(session) : unknown_command(session, word);
}

/*
 * Opens /dev/null in the place of closed standard files, so that no file opened later becomes standard output or
 * error. It is opened for reading: writing to a standard file that was closed still fails.
 */
static void occupy_standard_files(void)
{
	int descriptor;
	do
		descriptor = open("/dev/null", O_RDONLY);
	while (descriptor >= 0 && descriptor <= STDERR_FILENO);
	if (descriptor >= 0)
		close(descriptor);
}

static void runner_prints(void *context, const char *text)
{
	diagnostic_print(context, "%s", text);
}

static void runner_warns(void *context, const char *text)
{
	session_warn(context, "%s", text);
}

static void runner_complains(void *context)
{
	diagnostic_error(context);
}

struct runner program_runner(struct session *session)
{
	char folder[ENVIRONMENT_PATH_BYTES];
	return (struct runner){
		.arena = session->arena,
		.error = &session->error,
		.folder = environment_folder(folder) ? arena_text(session->arena, folder) : NULL,
		.quiet = session->arguments.quiet,
		.verbose = session->arguments.verbose,
		.style = session->style,
		.context = session,
		.say = runner_prints,
		.warn = runner_warns,
		.complain = runner_complains,
	};
}

static const struct session_host host = {
#ifndef PARADL_WITHOUT_FIT
	.measure = validate_measure,
#endif
	.note_signals = measure_note_signals,
	.caught = measure_caught,
};

bool program_begin(struct session *session, int argc, char **argv)
{
	occupy_standard_files();
	*session = (struct session){
		.arena = paradl_arena_create(),
		.answers = stdout,
		.complaints = stderr,
		.is_watched = isatty(STDERR_FILENO),
		.threads = environment_threads(),
		.host = &host,
		.argument_count = argc > 0 ? (size_t)argc - 1 : 0,
		.typed = (const char *const *)argv + (argc > 0),
		.arguments = arguments_initial(),
	};
	setlocale(LC_CTYPE, ""); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	return session->arena != NULL;
}

void program_end(struct session *session)
{
	paradl_arena_free(session->arena);
}
