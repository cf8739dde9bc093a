/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page with controls. It is built apart (page/), with the engine in it, and has one place where its data go: the
 * questions, the machines, and the texts of all files that were read to answer them. Before the page is written, the
 * ranking on each machine is answered once, out of those texts alone.
 */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/question.h"

enum { MACHINES_MAX = 3, USUAL_GPUS = 64, PAGE_LIMIT = 16 << 20, FILES_LIMIT = 2 << 20 };

static const char page_file[] = "page/interactive.html";
static const char data_place[] = "{\"paradl\": null}"; /* text in the page, once, that data replace */

static const char *const data_folders[] = {"models/", "datasets/", "hw-profiles/"};

/* Contents of the page. */
struct interactive {
	struct session *session;
	double gpus;
	struct paradl_arena *files; /* files of the page, under the paths that they have there */
	size_t bytes;               /* size of those files */
	unsigned lacking;           /* number of options that the question written last does without */
	struct text_list remarks;   /* warnings of importing files; the page has what these became */
};

static bool check(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const size_t machines = arguments->compare.machines.count;
	if (machines > MACHINES_MAX)
		return session_usage(session, "the page has room for %d machines", MACHINES_MAX);
	if (arguments->gpus.count > 1)
		return session_usage(session, "--interactive starts with one number of GPUs");
	return true;
}

/* Reads all files that the question needs on each machine; the arena keeps them. */
static bool read_files(struct interactive *interactive)
{
	struct session *const session = interactive->session;
	const struct option_texts *const machines = &session->arguments.compare.machines;
	size_t told = 0;
	arena_keep_files(session->arena);
	interactive->gpus =
		session->arguments.gpus.count > 0 ? session->arguments.gpus.values[0] : USUAL_GPUS;
	for (size_t i = 0; i == 0 || i < machines->count;
		i++) { /* without a machine, loading the question fails */
		struct question question;
		session->arguments.hw = i < machines->count ? machines->items[i] : NULL;
		if (!question_load(session, &question))
			return false;
		for (; told < session->warnings.count; told++)
			if (!text_list_add(
				    session->arena, &interactive->remarks, session->warnings.items[told]))
				return out_of_memory(&session->error);
		if (!question_check_batch(session, &question))
			return false;
		told = session->warnings.count;
		const double most = question.head.machine.devices;
		if (session->arguments.gpus.count == 0 && interactive->gpus > most)
			interactive->gpus = most;
	}
	return true;
}

/* Returns the path of a file on the page: one that was found by its name is found there by its name, too. */
static const char *path_on_page(struct session *session, const char *path)
{
	for (const char *const *directory = session->directories; *directory; directory++) {
		const size_t length = strlen(*directory);
		if (strncmp(path, *directory, length) != 0 || path[length] != '/')
			continue;
		for (size_t i = 0; i < sizeof data_folders / sizeof data_folders[0]; i++)
			if (strncmp(path + length + 1, data_folders[i], strlen(data_folders[i])) == 0)
				return arena_printf(session->arena, "%s/%s", query_folder, path + length + 1);
	}
	return path;
}

/* Reports whether a path was typed: the page then has the file under this path. */
static bool is_typed(const struct session *session, const char *path)
{
	for (size_t i = 0; i < session->argument_count; i++)
		if (strcmp(session->typed[i], path) == 0)
			return true;
	return false;
}

static bool gather_files(struct interactive *interactive)
{
	struct session *const session = interactive->session;
	const char *path, *text;
	size_t length;
	interactive->files = paradl_arena_create();
	for (size_t i = 0; interactive->files && (text = arena_kept(session->arena, i, &path, &length));
		i++) {
		const char *const there = is_typed(session, path) ? path : path_on_page(session, path);
		size_t again;
		interactive->bytes += length;
		if (there && arena_file(interactive->files, there, &again))
			continue;
		if (!there || !paradl_file_give(interactive->files, there, text, length))
			return out_of_memory(&session->error);
	}
	if (interactive->bytes > FILES_LIMIT)
		return session_usage(session, "model and machines are %zu bytes, more than a page holds: %d",
			interactive->bytes, (int)FILES_LIMIT);
	return interactive->files || out_of_memory(&session->error);
}

/* ---- the question ---- */

/* Commands that the page asks: the ranking, how far off it may be, and what can be varied. */
static const char *const asked[] = {"advise", "compare", "whatif"};

/* Reports whether an option of report has no meaning for what the page asks, or is asked in another way. */
static bool is_apart(const struct option_row *row)
{
	static const char *const others[] = {
		"hw", "gpus", "output", "interactive", "top", "flags", "threads"};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(row->name, others[i]) == 0)
			return true;
	return false;
}

/* A question on its way to JSON. */
struct wording {
	struct json_writer *writer;
	const char *command;
	struct text_list sets;
	unsigned lacking; /* number of options that the command does not have */
};

/* Writes an option as the member of a question; --set is collected. */
static bool write_option(struct interactive *interactive, struct wording *wording,
	const struct option_row *row, const char *value)
{
	struct session *const session = interactive->session;
	struct json_writer *const writer = wording->writer;
	const bool has = option_find(&arguments_table, wording->command, row->name) != NULL;
	wording->lacking += !has && !is_apart(row);
	if (!has || is_apart(row))
		return true;
	if (row->kind == OPTION_TEXTS)
		return text_list_add(session->arena, &wording->sets, value) || out_of_memory(&session->error);
	if (row->kind == OPTION_FLAG)
		json_write_bool(writer, row->name, true);
	else
		json_write_text(writer, row->name, value);
	return true;
}

/* Writes the options that were typed. They have been parsed before, so every option is known and has its value. */
static bool write_options(struct interactive *interactive, struct wording *wording)
{
	struct session *const session = interactive->session;
	for (size_t i = 1; i < session->argument_count; i++) {
		const char *const word = session->typed[i];
		const size_t length = strcspn(word, "=");
		if (strcmp(word, "-o") == 0)
			i++;
		if (strncmp(word, "--", 2) != 0 || length == 2)
			continue;
		const char *const name = arena_copy(session->arena, word + 2, length - 2);
		if (!name)
			return out_of_memory(&session->error);
		const struct option_row *const row =
			option_find(&arguments_table, session->command->name, name);
		const bool follows = !word[length] && row->kind != OPTION_FLAG;
		const char *const value = word[length] ? word + length + 1
					  : follows    ? session->typed[++i]
						       : "";
		if (!write_option(interactive, wording, row, value))
			return false;
	}
	return true;
}

static void write_texts(struct json_writer *writer, const char *key, const char *const *texts, size_t count)
{
	json_begin_array(writer, key);
	for (size_t i = 0; i < count; i++)
		json_write_text(writer, NULL, texts[i]);
	json_end_array(writer);
}

/* Writes the question to a command; `lacking` then counts options that it does not have, and so answers without. */
static bool write_question(
	struct interactive *interactive, struct json_writer *writer, const char *command, const char *hw)
{
	struct session *const session = interactive->session;
	struct wording wording = {.writer = writer, .command = command};
	json_write_text(writer, "ask", command);
	json_write_text(writer, "model", session->operands.items[0]);
	json_write_text(writer, "hw", hw);
	json_write_number(writer, "gpus", interactive->gpus);
	if (!write_options(interactive, &wording))
		return false;
	if (wording.sets.count > 0)
		write_texts(writer, "set", (const char *const *)wording.sets.items, wording.sets.count);
	interactive->lacking = wording.lacking;
	return true;
}

/* Asks about a machine as the page will, out of the page's files alone. */
static bool ask_once(struct interactive *interactive, const char *hw)
{
	struct session *const session = interactive->session;
	const char *const here[] = {query_folder, NULL};
	char *text = NULL;
	size_t length = 0;
	FILE *const file = open_memstream(&text, &length);
	struct json_writer writer = {.file = file};
	bool is_written = file != NULL;
	if (file) {
		json_begin_object(&writer, NULL);
		is_written = write_question(interactive, &writer, asked[0], hw);
		json_end_object(&writer);
	}
	const bool is_whole = file && fclose(file) == 0 && is_written;
	struct paradl_arena *const arena = is_whole ? arena_create_beside(interactive->files) : NULL;
	bool answered = false;
	if (arena)
		answered = paradl_ask(arena,
			&(struct paradl_question){.text = text,
				.length = length,
				.directories = here,
				.threads = session_threads(session)},
			&length, &session->error);
	else if (session->error.status == PARADL_OK)
		out_of_memory(&session->error);
	paradl_arena_free(arena);
	free(text);
	return answered;
}

/* ---- the page ---- */

/* Returns the page that was built apart; NULL: there is none. The working directory is not searched. */
static const char *read_page(struct session *session, size_t *length)
{
	for (const char *const *directory = session->directories; *directory; directory++) {
		const char *const path = arena_printf(session->arena, "%s/%s", *directory, page_file);
		if (!path) {
			out_of_memory(&session->error);
			return NULL;
		}
		if (strcmp(*directory, ".") != 0 && file_is_there(session->arena, path))
			return file_read(session->arena, path, PAGE_LIMIT, length, &session->error);
	}
	error_set(&session->error, PARADL_NO_TOOL,
		"there is no %s: the page with controls was not built, which takes emcc", page_file);
	error_hint(&session->error, "sh scripts/page.sh build-page && meson install -C build-page; without "
				    "--interactive there is a page of one answer");
	return NULL;
}

static void write_files(const struct interactive *interactive, struct json_writer *writer)
{
	const char *path, *text;
	size_t length;
	json_begin_array(writer, "files");
	for (size_t i = 0; (text = arena_kept(interactive->files, i, &path, &length)); i++) {
		json_begin_object(writer, NULL);
		json_write_text(writer, "path", path);
		json_write_text(writer, "text", text);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static bool write_data(struct interactive *interactive, struct json_writer *writer)
{
	struct session *const session = interactive->session;
	const struct option_texts *const machines = &session->arguments.compare.machines;
	json_begin_object(writer, NULL);
	json_write_text(writer, "paradl", paradl_version());
	json_begin_array(writer, "questions");
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
		json_begin_object(writer, NULL);
		json_begin_object(writer, "question");
		if (!write_question(interactive, writer, asked[i], machines->items[0]))
			return false;
		json_end_object(writer);
		json_write_number(writer, "lacking", interactive->lacking);
		json_end_object(writer);
	}
	json_end_array(writer);
	write_texts(writer, "machines", machines->items, machines->count);
	write_texts(writer, "remarks", (const char *const *)interactive->remarks.items,
		interactive->remarks.count);
	json_begin_array(writer, "precisions");
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; i++)
		json_write_text(writer, NULL, paradl_precision_name((enum paradl_precision)i));
	json_end_array(writer);
	write_files(interactive, writer);
	json_end_object(writer);
	return true;
}

/* Writes JSON where a browser reads HTML, with each < escaped: no text can end the script or begin a comment. */
static void write_inert(FILE *file, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == '<')
			fputs("\\u003c", file);
		else
			putc(text[i], file);
}

static enum exit_status write_page(struct interactive *interactive, const char *page, size_t page_length)
{
	struct session *const session = interactive->session;
	const char *const place = strstr(page, data_place);
	struct document document;
	char *data = NULL;
	size_t length = 0;
	if (!place || strlen(page) != page_length) {
		error_set(&session->error, PARADL_SCHEMA, "%s is none of this program's", page_file);
		return session_fail(session);
	}
	FILE *const file = open_memstream(&data, &length);
	if (!file)
		return session_out_of_memory(session);
	struct json_writer writer = {.file = file, .compact = true};
	bool fine = write_data(interactive, &writer);
	fine = fclose(file) == 0 && fine;
	if (!fine || !document_begin(session, &document)) {
		free(data);
		return session->error.status == PARADL_OK ? session_out_of_memory(session)
							  : session_fail(session);
	}
	fwrite(page, 1, (size_t)(place - page), document.sink.file);
	write_inert(document.sink.file, data, length);
	fputs(place + strlen(data_place), document.sink.file);
	free(data);
	return document_end(session, &document, EXIT_ANSWER);
}

enum exit_status report_interactive(struct session *session)
{
	struct interactive interactive = {.session = session};
	size_t length = 0;
	const char *const page = check(session) ? read_page(session, &length) : NULL;
	bool ready = page && read_files(&interactive) && gather_files(&interactive);
	for (size_t i = 0; ready && i < session->arguments.compare.machines.count; i++)
		ready = ask_once(&interactive, session->arguments.compare.machines.items[i]);
	const enum exit_status status =
		ready ? write_page(&interactive, page, length) : session_fail(session);
	paradl_arena_free(interactive.files);
	return status;
}
