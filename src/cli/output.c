/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes answers: documents, pictures and scripts that start a plan. Standard output carries nothing but the document. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/output.h"
#include "report/text.h"
#include "result/launch/launch.h"

bool draw_wanted(const struct session *session)
{
	return session->picture || session->arguments.plot || session->arguments.picture;
}

bool draw_check(struct session *session)
{
	const char *const name = session->arguments.picture, *const command = session->command->name;
	if (!name || picture_find(command, name))
		return true;
	session_usage(session, "%s does not draw '%s'", command, name);
	error_hint(&session->error, "%s", picture_names(session->arena, command));
	return false;
}

const struct picture *draw_choice(const struct session *session, const struct picture *usual)
{
	const char *const name = session->arguments.picture;
	return name ? picture_find(session->command->name, name) : usual;
}

/*
 * Returns the file of the picture, paradl-COMMAND.png unless one is named: "Name on Machine.png" would need quotes
 * everywhere.
 */
static const char *file_name(struct session *session)
{
	const char *const asked = session->arguments.plot;
	if (session->picture)
		return session->picture;
	return asked && *asked ? asked
			       : arena_printf(session->arena, "paradl-%s.png", session->command->name);
}

/* Writes the picture as SVG to `answers`. */
static enum exit_status draw_answer(struct session *session, const struct picture *picture, const void *what)
{
	const char *svg;
	size_t length;
	if (!picture_svg(session->arena, picture, what, &svg, &length, &session->error))
		return session_fail(session);
	fwrite(svg, 1, length, session->answers);
	return EXIT_ANSWER;
}

enum exit_status draw_picture(struct session *session, const struct picture *picture, const void *what)
{
	if (session->picture && !*session->picture)
		return draw_answer(session, picture, what);
	const char *const path = file_name(session);
	if (!path)
		out_of_memory(&session->error);
	if (!path || !picture_draw(session->arena, picture, what, path, &session->error))
		return session_fail_writing(session);
	if (session->arguments.verbose)
		diagnostic_print(session, "paradl: wrote %s", path);
	return EXIT_ANSWER;
}

bool draw_goes_on(const struct session *session, enum exit_status status)
{
	const bool failure_is_document = session->arguments.json || session->arguments.jsonl;
	return !session->picture && (status == EXIT_ANSWER || !failure_is_document);
}

static bool ends_in(const char *path, const char *ending)
{
	const char *const dot = strrchr(path, '.');
	return dot && strcmp(dot, ending) == 0;
}

/*
 * Returns whether the answer is a script that starts a plan: the file ends in .sh, or no other format is known and
 * --flags is given.
 */
static bool is_script(const struct session *session, const char *path)
{
	return option_find(&arguments_table, session->command->name, "flags") &&
	       (ends_in(path, ".sh") || session->arguments.flags >= 0);
}

static bool choose_by_file(struct session *session, const char *path)
{
	session->format = report_of_file(path);
	if (session->format)
		return true;
	if (picture_is_file(path) && option_find(&arguments_table, session->command->name, "plot")) {
		session->picture = path;
		session->format = &report_text;
		return true;
	}
	session->page = ends_in(path, ".html") && session->command->has_page;
	session->script = !session->page && is_script(session, path);
	session->format = &report_text;
	if (session->page || session->script)
		return true;
	session_usage(session, "-o %s does not say what to write", path);
	error_hint(&session->error, "end the name in .txt, .csv, .json or .jsonl, or add --json or --csv");
	return false;
}

/* Refuses a file whose ending contradicts the format, such as --json with -o x.csv or -o x.png. */
static bool check_ending(struct session *session, const char *path)
{
	const struct report_format *const named = report_of_file(path);
	if (named ? named == session->format : !picture_is_file(path))
		return true;
	session_usage(session, "-o %s contradicts --%s", path, session->format->name);
	error_hint(&session->error, "leave one of them out");
	return false;
}

/* Returns whether all that the command writes is a page. */
static bool is_page_only(const struct session *session)
{
	return session->command->has_page && !option_find(&arguments_table, session->command->name, "json");
}

bool output_choose(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const char *const path = arguments->output ? arguments->output : arguments->sweep.resume;
	if (arguments->json + arguments->jsonl + arguments->csv > 1)
		return session_usage(session, "only one of --json, --jsonl and --csv is possible");
	session->format = arguments->json    ? &report_json
			  : arguments->jsonl ? &report_jsonl
			  : arguments->csv   ? &report_csv
					     : NULL;
	if (arguments->plot && *arguments->plot && !picture_is_file(arguments->plot))
		return session_usage(
			session, "--plot=%s must end in .png, .svg, .pdf, .sixel or .gp", arguments->plot);
	if (!draw_check(session))
		return false;
	const bool has_formats = option_find(&arguments_table, session->command->name, "json");
	if (has_formats && path && strcmp(path, "-") != 0)
		return session->format ? check_ending(session, path) : choose_by_file(session, path);
	if (path && is_page_only(session) && (report_of_file(path) || picture_is_file(path))) {
		session_usage(session, "-o %s: %s writes a page", path, session->command->name);
		error_hint(&session->error, "end the name in .html");
		return false;
	}
	if (!session->format)
		session->format = &report_text;
	return true;
}

bool document_begin(struct session *session, struct document *document)
{
	memset(document, 0, sizeof *document);
	FILE *const file = open_memstream(&document->text, &document->length);
	if (!file)
		return out_of_memory(&session->error);
	document->sink = (struct report_sink){.file = file, .arena = session->arena, .style = session->style};
	return true;
}

void document_discard(struct document *document)
{
	fclose(document->sink.file);
	free(document->text);
}

static bool write_file(struct session *session, const struct document *document)
{
	char reason[REASON_BYTES];
	struct file_output output;
	if (!file_create(&output, session->arguments.output, &session->error))
		return false;
	if (fwrite(document->text, 1, document->length, output.file) == document->length)
		return file_commit(&output, &session->error);
	error_at(&session->error, PARADL_IO, output.path, 0, 0, "cannot be written: %s",
		report_reason(reason, errno));
	file_abandon(&output);
	return false;
}

/* Writes the document to standard output. A reader that closes it early (| head) is no error. */
static bool write_standard(struct session *session, const struct document *document)
{
	char reason[REASON_BYTES];
	const bool written =
		fwrite(document->text, 1, document->length, session->answers) == document->length;
	if ((written && fflush(session->answers) == 0) || errno == EPIPE)
		return true;
	return error_set(&session->error, PARADL_IO, "cannot write to standard output: %s",
		report_reason(reason, errno));
}

static bool deliver(struct session *session, const struct document *document)
{
	const char *const path = session->arguments.output;
	if (session->team && session->team->members.rank > 0)
		return true;
	if (path && strcmp(path, "-") != 0)
		return write_file(session, document);
	return write_standard(session, document);
}

enum exit_status document_end(struct session *session, struct document *document, enum exit_status status)
{
	const bool complete = fclose(document->sink.file) == 0 && !document->sink.out_of_memory;
	if (!complete)
		out_of_memory(&session->error);
	if (!complete || !deliver(session, document))
		status = session_fail_writing(session);
	free(document->text);
	return status;
}

void figures_draw(
	struct figures *figures, const struct picture *picture, const void *what, const char *caption)
{
	struct session *const session = figures->session;
	struct report_figure *const figure = &figures->items[figures->count];
	struct paradl_error error = {.status = PARADL_OK};
	if (figures->lack_tool || figures->count == FIGURES_MAX)
		return;
	if (picture_svg(session->arena, picture, what, &figure->svg, &figure->length, &error)) {
		figure->caption = caption;
		figures->count++;
	} else if (error.status == PARADL_NO_TOOL) {
		figures->lack_tool = true;
		session_warn(session, "the page has no drawings: %s", error.message);
	} else {
		session_warn(session, "the page lacks a drawing: %s", error.message);
	}
}

/* The answer to --flags PROGRAM -o FILE: a script that starts the best plan, or the one that is estimated. */

enum exit_status script_answer(
	struct session *session, const struct report_head *head, const struct paradl_estimate *estimate)
{
	struct launch *const launch = arena_alloc(session->arena, 1, sizeof *launch);
	struct document document;
	if (!launch)
		return session_out_of_memory(session);
	if (!launch_plan(launch, head, estimate)) {
		diagnostic_print(session, "paradl: no script was written: %s",
			!estimate->fits ? "the plan needs more memory than a GPU has"
					: "no program is named (--flags)");
		return EXIT_NO;
	}
	if (launch->command.count == 0) {
		diagnostic_print(session, "paradl: no script was written: %s", launch->cannot.items[0]);
		return EXIT_NO;
	}
	for (size_t i = 0; i < launch->cannot.count; i++)
		session_warn(session, "not as estimated: %s", launch->cannot.items[i]);
	if (!document_begin(session, &document))
		return session_fail(session);
	script_write(&document.sink, head, estimate, launch);
	return document_end(session, &document, EXIT_ANSWER);
}

enum exit_status script_refuse_parts(struct session *session)
{
	session_usage(session, "a script starts one plan for all layers");
	return session_fail(session);
}
