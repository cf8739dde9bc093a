/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command sweep: what is asked, and where the points go. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "base/file.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/grid.h"

/* sweep_request.c: what options ask for. */
struct sweep_question {
	struct question question; /* of it the head */
	struct paradl_sweep_dimension dimensions[PARADL_SWEEP_DIMENSIONS];
	struct paradl_sweep_request request;
	struct paradl_sweep *sweep;
	struct paradl_sweep_key keys[PARADL_SWEEP_DIMENSIONS];
	struct report_sweep report;
};
bool sweep_question_read(struct session *session, struct sweep_question *question);

/* Points by how they are marked, each with a character before its line. */
enum sweep_mark {
	SWEEP_INFEASIBLE = '0',
	SWEEP_FEASIBLE = '1',
	SWEEP_SHARED = '2'
}; /* shared: feasible, with fewer samples than usual */
struct sweep_counts {
	double feasible, shared;
};
static inline void sweep_count(struct sweep_counts *counts, char mark)
{
	counts->feasible += mark != SWEEP_INFEASIBLE;
	counts->shared += mark == SWEEP_SHARED;
}

/*
 * sweep_part.c: points that are done, in a file that an interrupted sweep leaves behind: one line that says what was
 * asked, then one for each point.
 */
struct sweep_part {
	char path[512];
	FILE *file; /* NULL: there is none */
	long begin; /* of the first point */
	unsigned long long points;
	struct sweep_counts counts;
};
/* Opens or begins it. False: it cannot be, or it is of another question. */
bool sweep_part_open(struct session *session, const struct report_head *head, struct sweep_part *part);
void sweep_part_add(struct sweep_part *part, const char *text, size_t length);
/* All that is there, in order; false: it cannot be read. */
bool sweep_part_replay(struct sweep_part *part, struct paradl_arena *arena,
	void (*take)(void *context, const char *text, size_t length), void *context);
void sweep_part_close(struct sweep_part *part, bool is_done); /* done: it goes */

/* sweep_output.c: points as they come, in order, to the document or into the part. */
enum { SWEEP_TELLERS = 256 };
struct sweep_teller { /* of one thread */
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
	bool is_member; /* of a team, not its first: it writes nothing */
	bool is_open;   /* file */
	bool is_interrupted;
	int broken; /* errno of a write that failed; 0: none has */
};
/* Says that points cannot be written, where, and why: an errno. Returns false. */
bool sweep_output_failed(struct sweep_output *output, int why);
/* first: the point to begin with. */
bool sweep_output_begin(struct sweep_output *output, unsigned long long *first);
/* As in struct paradl_sweep_run; context is the output. */
bool sweep_output_tell(
	void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination);
bool sweep_output_take(void *context, unsigned long long index, const char *text, size_t length);
bool sweep_output_ends(void *context, unsigned long long done);
/* complete: all points were taken. False: it could not be written. */
bool sweep_output_end(struct sweep_output *output, bool complete);

#endif
