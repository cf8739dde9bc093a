/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the points of a sweep go: into the document, or into a file that an interrupted sweep leaves behind. */
#ifndef CLI_COMMAND_SWEEP_H
#define CLI_COMMAND_SWEEP_H

#include "base/file.h"
#include "cli/question.h"
#include "cli/session.h"
#include "paradl/study.h"
#include "report/sweep_document.h"

/* Marks of points: a character before the line of each. */
enum sweep_mark {
	SWEEP_INFEASIBLE = '0',
	SWEEP_FEASIBLE = '1',
	SWEEP_SHARED = '2'
}; /* SWEEP_SHARED: feasible, with fewer samples than usual */
struct sweep_counts {
	double feasible, shared;
};
static inline void sweep_count(struct sweep_counts *counts, char mark)
{
	counts->feasible += mark != SWEEP_INFEASIBLE;
	counts->shared += mark == SWEEP_SHARED;
}

/*
 * Points that are done (sweep_part.c), in a file that an interrupted sweep leaves behind: one line that says what was
 * asked, then one for each point.
 */
struct sweep_part {
	char path[512];
	FILE *file; /* file of the points; NULL: there is none */
	long begin; /* offset of the first point, in bytes */
	unsigned long long points;
	struct sweep_counts counts;
};
/* Opens the file, or begins it. False: neither is possible, or the file is of another question. */
bool sweep_part_open(struct session *session, const struct report_head *head, struct sweep_part *part);
void sweep_part_add(struct sweep_part *part, const char *text, size_t length);
/* Takes all points that are there, in order; false: they cannot be read. */
bool sweep_part_replay(struct sweep_part *part, struct paradl_arena *arena,
	void (*take)(void *context, const char *text, size_t length), void *context);
/* Closes the file, and removes it where the sweep is done. */
void sweep_part_close(struct sweep_part *part, bool is_done);

/* ---- sweep_output.c: points go to the document or into the part, in order, as they come ---- */

enum { SWEEP_TELLERS = 256 };
struct sweep_teller { /* text of the point that one thread writes */
	struct report_sink sink;
	char *text;
	size_t length;
};
struct sweep_output {
	struct session *session;
	struct report_sweep *report;
	const struct report_sweep_lines *lines;
	struct report_sink sink;
	struct report_sweep_document document;
	struct file_output file;
	struct sweep_part part;
	struct sweep_teller tellers[SWEEP_TELLERS];
	struct progress progress;
	struct sweep_counts counts;
	double all;
	bool is_member; /* whether this process is of a team, but not its first: it writes nothing */
	bool is_open;   /* whether `file` is open */
	bool is_interrupted;
	int broken; /* errno of a write that failed; 0: none has */
};
/* Sets the error that points cannot be written, with the place and the reason `why`, an errno. Returns false. */
bool sweep_output_failed(struct sweep_output *output, int why);
/* Begins the document or the part; *first becomes the point to begin with. */
bool sweep_output_begin(struct sweep_output *output, unsigned long long *first);
/* Serves the calls of struct paradl_sweep_run, like the two below; context is the output. */
bool sweep_output_tell(
	void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination);
bool sweep_output_take(void *context, unsigned long long index, const char *text, size_t length);
bool sweep_output_ends(void *context, unsigned long long done);
/* Finishes the output. complete: all points were taken. False: it could not be written. */
bool sweep_output_end(struct sweep_output *output, bool complete);

#endif
