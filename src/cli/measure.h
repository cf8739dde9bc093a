/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that measure, paradl-measure-NAME: where they are, how they are started without a shell, what they say line by
 * line, and how they are ended. Each is the leader of a process group of its own, so that Ctrl-C on a terminal reaches this
 * program alone, which then ends them in order; where the system can (Linux), they are also ended when this program is lost.
 */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include <sys/types.h>

#include "cli/session.h"

enum { MEASURE_LINE_BYTES = 1024, MEASURE_COMPLAINT_BYTES = 256 };

/*
 * The path of paradl-measure-NAME ("cpu"): of the build that this program is of, else installed. NULL: it was not built; the
 * error says so with status PARADL_NO_TOOL.
 */
const char *measure_find(struct session *session, const char *name);

/* The words of `text`, at blanks; a list that ends in NULL. There is no shell, so quotes have no meaning. */
bool measure_words(struct paradl_arena *arena, struct text_list *words, const char *text);

/* From now on SIGINT, SIGTERM and SIGHUP are waited for in measure_read only, and found there. Once in a process. */
void measure_catch_signals(void);
/* The same, found whenever somebody looks: of commands that do not wait in measure_read. */
void measure_note_signals(void);
int measure_caught(void); /* the first signal since then; 0: none */

struct measure_process {
	pid_t id; /* and that of its group; 0: not started, or waited for */
	int lines, complaints;
	char line[MEASURE_LINE_BYTES];
	size_t used, next; /* of `line`: bytes read, and where the line that is not given out yet begins */
	/*
	 * Of its standard error: the line that begins with the program's own name, else the last one, of lines between two of
	 * dashes the first. "" when it said nothing.
	 */
	char complaint[MEASURE_COMPLAINT_BYTES];
	char spoken[MEASURE_COMPLAINT_BYTES];
	size_t spoken_used;
	unsigned framed_lines; /* 1 and more after a line of dashes; 0 after another */
	bool is_own;           /* the complaint begins with "paradl-measure-" */
	bool echoes;           /* what it says on standard error is passed on */
};

/* `words[0]` is a path, or looked for in PATH. false: error is set (PARADL_NO_TOOL when there is no such program). */
bool measure_start(
	struct measure_process *process, const char *const *words, bool echoes, struct paradl_error *error);

enum measure_event {
	MEASURE_LINE,        /* *line is one, without its end; valid until the next call */
	MEASURE_SILENT,      /* nothing for patience_s; it still runs */
	MEASURE_INTERRUPTED, /* a signal was caught; it still runs */
	MEASURE_ENDED        /* it said all; measure_end has its status */
};
/* What happens next. patience_s 0: waits for ever. */
enum measure_event measure_read(struct measure_process *process, double patience_s, const char **line);

/*
 * Waits for a process that ended, or ends one that runs: SIGTERM, and SIGKILL to its group after `grace_s` at most. As shells
 * have it, its exit status, or 128 and the signal that ended it.
 */
int measure_end(struct measure_process *process, double grace_s);

/* A line of what programs print: "done NAME MEDIAN_SECONDS HALF_WIDTH_SHARE SAMPLES". */
enum measure_word {
	MEASURE_POINTS,
	MEASURE_POINT_START,
	MEASURE_POINT_DONE,
	MEASURE_POINT_ABSENT,
	MEASURE_POINT_FAILED,
	MEASURE_POINT_SKIP,
	MEASURE_OTHER /* nothing that is known */
};
struct measure_said {
	enum measure_word word;
	char point[MEASURE_LINE_BYTES]; /* "" of "points" */
	const char *reason;             /* in the line: of absent and failed */
	double points;                  /* of "points" */
	double seconds, half_width;     /* of done: of one call; share of the median, of a 95 % interval */
	unsigned samples;
};
void measure_parse(const char *line, struct measure_said *said);

/* Exit statuses of measuring programs beside 0 and 1 (some points failed). */
enum { MEASURE_USAGE = 2, MEASURE_CANNOT_WRITE = 5, MEASURE_NO_HARDWARE = 77, MEASURE_STOPPED = 130 };

#endif
