/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/command_sweep.h"

static bool fail(struct session *session, const struct sweep_part *part, const char *what)
{
	char reason[REASON_BYTES];
	return error_at(
		&session->error, PARADL_IO, part->path, 0, 0, "%s: %s", what, report_reason(reason, errno));
}

/* Reports whether a word changes nothing about the points; *has_value: the next word is its value. */
static bool is_beside(const char *word, bool *has_value)
{
	static const char *const names[] = {"--threads", "--resume", "--lost-after", "--color", "--width"};
	static const char *const flags[] = {"-q", "--quiet", "-v", "--verbose"};
	*has_value = false;
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (strcmp(word, flags[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const size_t length = strlen(names[i]);
		if (strncmp(word, names[i], length) == 0 && (!word[length] || word[length] == '=')) {
			*has_value = !word[length];
			return true;
		}
	}
	return false;
}

/* Returns one line that says what was asked, of which files, of which program; NULL: it cannot be written. */
static char *describe(struct session *session, const struct report_head *head, size_t *length)
{
	char *text = NULL;
	FILE *const file = open_memstream(&text, length);
	struct json_writer writer = {.file = file, .compact = true};
	bool has_value;
	if (!file)
		return NULL;
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "format", "paradl-sweep-part");
	json_write_text(&writer, "paradl", paradl_version());
	json_write_text(&writer, "document", session->format->name);
	json_begin_array(&writer, "command");
	for (size_t i = 0; i < session->argument_count; i++)
		if (!is_beside(session->typed[i], &has_value))
			json_write_text(&writer, NULL, session->typed[i]);
		else if (has_value)
			i++;
	json_end_array(&writer);
	json_begin_object(&writer, "inputs");
	for (size_t i = 0; i < head->input_count; i++)
		json_write_text(&writer, head->inputs[i].path, head->inputs[i].sha256);
	json_end_object(&writer);
	json_end_object(&writer);
	if (fclose(file) == 0)
		return text;
	free(text);
	return NULL;
}

static const char *text_of(const struct json *node)
{
	return node && node->kind == JSON_STRING ? node->string : "nothing";
}

static bool differs(struct session *session, const struct sweep_part *part, const char *what,
	const struct json *theirs, const struct json *ours)
{
	error_at(&session->error, PARADL_USAGE, part->path, 0, 0,
		"was begun with another question: %s was '%s', is '%s'", what, text_of(theirs),
		text_of(ours));
	error_hint(&session->error, "ask as it was asked, give another name, or remove the file");
	return false;
}

static bool is_same(const struct json *a, const struct json *b)
{
	const bool same_key = !a || !b || !a->key || !b->key || strcmp(a->key, b->key) == 0;
	return a && b && same_key && strcmp(text_of(a), text_of(b)) == 0;
}

/* Reports whether children are the same; else names `what`, or the child where it is NULL, in the error. */
static bool check_children(struct session *session, const struct sweep_part *part, const char *what,
	const struct json *theirs, const struct json *ours)
{
	const struct json *a = theirs ? theirs->child : NULL, *b = ours ? ours->child : NULL;
	while (is_same(a, b)) {
		a = a->next;
		b = b->next;
	}
	const struct json *const odd = a ? a : b;
	return !odd || differs(session, part, what ? what : odd->key, a, b);
}

/* Reports whether the file was begun for what is asked now; else sets the error. */
static bool check_question(struct session *session, const struct sweep_part *part, const char *theirs,
	size_t their_length, const char *ours, size_t our_length)
{
	struct paradl_error ignored;
	const struct json *const a = json_parse(session->arena, theirs, their_length, part->path, &ignored);
	const struct json *const b = json_parse(session->arena, ours, our_length, part->path, &ignored);
	if (!a || !b || a->kind != JSON_OBJECT ||
		strcmp(text_of(json_member(a, "format")), "paradl-sweep-part") != 0) {
		error_at(&session->error, PARADL_USAGE, part->path, 0, 0, "is no part of a sweep");
		error_hint(&session->error, "give another name, or remove the file");
		return false;
	}
	static const char *const texts[] = {"paradl", "document"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(text_of(json_member(a, texts[i])), text_of(json_member(b, texts[i]))) != 0)
			return differs(
				session, part, texts[i], json_member(a, texts[i]), json_member(b, texts[i]));
	return check_children(
		       session, part, "a word", json_member(a, "command"), json_member(b, "command")) &&
	       check_children(session, part, NULL, json_member(a, "inputs"), json_member(b, "inputs"));
}

/* Counts whole lines, and cuts away one that a killed program has left without an end. */
static bool count_points(struct session *session, struct sweep_part *part)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	long end = part->begin;
	part->points = 0;
	part->counts = (struct sweep_counts){0, 0};
	while ((length = getline(&line, &room, part->file)) > 0 && line[length - 1] == '\n') {
		end += length;
		part->points++;
		sweep_count(&part->counts, *line);
	}
	free(line);
	if (ferror(part->file) || fflush(part->file) != 0 || ftruncate(fileno(part->file), end) != 0 ||
		fseek(part->file, end, SEEK_SET) != 0)
		return fail(session, part, "cannot read");
	return true;
}

/*
 * Begins the file, or goes on after its last whole point. A first line without its end is of a sweep that was killed
 * at once.
 */
static bool begin_or_go_on(
	struct session *session, struct sweep_part *part, const char *ours, size_t our_length)
{
	char *line = NULL;
	size_t room = 0;
	const ssize_t length = getline(&line, &room, part->file);
	bool fine = !ferror(part->file) || fail(session, part, "cannot read");
	if (fine && length > 0 && line[length - 1] == '\n') {
		fine = check_question(session, part, line, (size_t)length, ours, our_length);
		part->begin = (long)length;
	} else if (fine && length > 0 &&
		   ((size_t)length > our_length || memcmp(line, ours, (size_t)length) != 0)) {
		fine = check_question(session, part, line, (size_t)length, ours, our_length);
	} else if (fine) {
		rewind(part->file);
		fine = ftruncate(fileno(part->file), 0) == 0 &&
		       fwrite(ours, 1, our_length, part->file) == our_length && fflush(part->file) == 0;
		fine = fine || fail(session, part, "cannot write");
		part->begin = (long)our_length;
	}
	free(line);
	return fine && fseek(part->file, part->begin, SEEK_SET) == 0 && count_points(session, part);
}

static bool claim(struct session *session, struct sweep_part *part)
{
	struct stat status;
	const int descriptor = open(part->path, O_RDWR | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666);
	if (descriptor < 0 || !(part->file = fdopen(descriptor, "r+")))
		return fail(session, part, "cannot write");
	if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
		return error_at(&session->error, PARADL_USAGE, part->path, 0, 0, "is no file");
	if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno != EWOULDBLOCK)
		return fail(session, part, "cannot lock");
	return error_at(&session->error, PARADL_USAGE, part->path, 0, 0,
		"another sweep that still runs writes to it");
}

bool sweep_part_open(struct session *session, const struct report_head *head, struct sweep_part *part)
{
	size_t length = 0;
	const int written =
		snprintf(part->path, sizeof part->path, "%s.part", session->arguments.sweep.resume);
	if (written < 0 || (size_t)written >= sizeof part->path)
		return session_usage(session, "the name of --resume is too long");
	char *const text = describe(session, head, &length);
	const bool fine = text ? claim(session, part) && begin_or_go_on(session, part, text, length)
			       : out_of_memory(&session->error);
	free(text);
	return fine;
}

void sweep_part_add(struct sweep_part *part, const char *text, size_t length)
{
	fwrite(text, 1, length, part->file);
	putc('\n', part->file);
	part->points++;
}

bool sweep_part_replay(struct sweep_part *part, struct paradl_arena *arena,
	void (*take)(void *context, const char *text, size_t length), void *context)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	(void)arena;
	if (fflush(part->file) != 0 || fseek(part->file, part->begin, SEEK_SET) != 0)
		return false;
	while ((length = getline(&line, &room, part->file)) > 0)
		take(context, line, (size_t)length - (line[length - 1] == '\n'));
	free(line);
	return !ferror(part->file);
}

void sweep_part_close(struct sweep_part *part, bool is_done)
{
	if (!part->file)
		return;
	if (is_done)
		unlink(part->path);
	fclose(part->file);
	part->file = NULL;
}
