/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command_sweep.h"

/* Size of the mark that a kept point begins with: whether it is feasible. The line of the document follows. */
enum { MARK_BYTES = 1 };

static const char *output_path(const struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	return arguments->output         ? arguments->output
	       : arguments->sweep.resume ? arguments->sweep.resume
					 : "-";
}

static bool open_document(struct sweep_output *output)
{
	struct session *const session = output->session;
	const bool is_answer = strcmp(output_path(session), "-") == 0;
	if (!is_answer && !file_create(&output->file, output_path(session), &session->error))
		return false;
	output->is_open = !is_answer;
	output->sink = (struct report_sink){.file = is_answer ? session->answers : output->file.file,
		.arena = session->arena,
		.style = session->style};
	output->document = (struct report_sweep_document){.sink = &output->sink, .report = output->report};
	output->lines->begin(&output->document);
	return true;
}

static void add_line(void *context, const char *text, size_t length)
{
	struct sweep_output *const output = context;
	output->lines->line(&output->document, text + MARK_BYTES, length - MARK_BYTES);
	output->document.points++;
}

bool sweep_output_begin(struct sweep_output *output, unsigned long long *first)
{
	struct session *const session = output->session;
	*first = 0;
	output->progress = progress_begin(session);
	output->progress.things = "points";
	if (session->host)
		session->host->note_signals();
	if (output->is_member)
		return true;
	if (!session->arguments.sweep.resume)
		return open_document(output);
	if (!sweep_part_open(session, output->report->head, &output->part))
		return false;
	if ((double)output->part.points > output->all)
		return error_at(&session->error, PARADL_USAGE, output->part.path, 0, 0,
			"has more points than the grid");
	*first = output->part.points;
	output->counts = output->part.counts;
	if (*first > 0 && session->arguments.verbose)
		diagnostic_print(session, "paradl: %s has %llu points already", output->part.path, *first);
	return true;
}

static bool teller_open(struct sweep_teller *teller, const struct report_style *style)
{
	if (!teller->sink.file) {
		teller->sink.file = open_memstream(&teller->text, &teller->length);
		teller->sink.style = *style;
	}
	if (!teller->sink.arena)
		teller->sink.arena = paradl_arena_create();
	return teller->sink.file && teller->sink.arena && fseek(teller->sink.file, 0, SEEK_SET) == 0;
}

bool sweep_output_tell(
	void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination)
{
	struct sweep_output *const output = context;
	struct sweep_teller *const teller = &output->tellers[row->worker];
	if (!teller_open(teller, &output->session->style))
		return false;
	const enum sweep_mark feasible = row->is_shared ? SWEEP_SHARED : SWEEP_FEASIBLE;
	putc((int)(row->reason ? SWEEP_INFEASIBLE : feasible), teller->sink.file);
	output->lines->row(&teller->sink, output->report, row);
	if (fflush(teller->sink.file) != 0 || teller->sink.out_of_memory)
		return false;
	const size_t length = teller->length - (teller->text[teller->length - 1] == '\n');
	return write(destination, teller->text, length);
}

bool sweep_output_take(void *context, unsigned long long index, const char *text, size_t length)
{
	struct sweep_output *const output = context;
	(void)index;
	sweep_count(&output->counts, *text);
	if (output->is_member)
		return true;
	if (output->part.file)
		sweep_part_add(&output->part, text, length);
	else
		add_line(output, text, length);
	return true;
}

/* Reports whether points cannot be written, and notes why: a full disk is found before all points are done. */
static bool is_broken(struct sweep_output *output)
{
	FILE *const file = output->part.file ? output->part.file : output->sink.file;
	errno = EIO;
	if (output->is_member || (fflush(file) == 0 && !ferror(file)))
		return false;
	output->broken = errno;
	return true;
}

bool sweep_output_ends(void *context, unsigned long long done)
{
	struct sweep_output *const output = context;
	for (size_t i = 0; i < SWEEP_TELLERS; i++) {
		paradl_arena_free(output->tellers[i].sink.arena);
		output->tellers[i].sink.arena = NULL;
	}
	progress_plans(&output->progress, (double)done, output->all);
	output->is_interrupted = output->session->host && output->session->host->caught() != 0;
	return output->is_interrupted || is_broken(output);
}

bool sweep_output_failed(struct sweep_output *output, int why)
{
	char reason[REASON_BYTES];
	const char *const path = output->part.file ? output->part.path : output_path(output->session);
	struct paradl_error *const error = &output->session->error;
	report_reason(reason, why);
	if (strcmp(path, "-") == 0)
		return error_set(error, PARADL_IO, "cannot write to standard output: %s", reason);
	return error_at(error, PARADL_IO, path, 0, 0, "cannot be written: %s", reason);
}

static bool finish_document(struct sweep_output *output)
{
	struct session *const session = output->session;
	output->report->feasible = output->counts.feasible;
	if (output->part.file && (!open_document(output) || (!sweep_part_replay(&output->part, session->arena,
								     add_line, output) &&
								    !sweep_output_failed(output, errno))))
		return false;
	output->lines->end(&output->document);
	if (output->sink.out_of_memory)
		return out_of_memory(&session->error);
	if (!output->is_open)
		return fflush(session->answers) == 0 || sweep_output_failed(output, errno);
	output->is_open = false;
	return file_commit(&output->file, &session->error);
}

bool sweep_output_end(struct sweep_output *output, bool complete)
{
	bool fine = true;
	progress_end(&output->progress);
	for (size_t i = 0; i < SWEEP_TELLERS; i++) {
		struct sweep_teller *const teller = &output->tellers[i];
		paradl_arena_free(teller->sink.arena);
		if (teller->sink.file)
			fclose(teller->sink.file);
		free(teller->text);
	}
	if (!output->is_member && complete)
		fine = finish_document(output);
	if (output->is_open)
		file_abandon(&output->file);
	sweep_part_close(&output->part, complete && fine);
	return fine;
}
