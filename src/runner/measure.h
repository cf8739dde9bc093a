/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the programs that measure, paradl-measure-NAME, starts them without a shell, reads what they print line by
 * line, and ends them. Each leads a process group of its own, so that Ctrl-C on a terminal reaches this program
 * alone, which then ends them in order; where the system can (Linux), they are also ended when this program is lost.
 */
#ifndef RUNNER_MEASURE_H
#define RUNNER_MEASURE_H

#include <sys/types.h>

#include "report/report.h"

/* A program that starts others, as they see it: its memory, its place for errors, and its ways to speak. */
struct runner {
	struct paradl_arena *arena;
	struct paradl_error *error; /* where errors are set */
	const char *folder;         /* folder of this program; NULL: the system does not say */
	bool quiet, verbose;
	struct report_style style;                     /* of the line of progress on a terminal */
	void *context;                                 /* of the functions */
	void (*say)(void *context, const char *text);  /* prints a line beside the answer */
	void (*warn)(void *context, const char *text); /* prints a warning, which the answer keeps */
	void (*complain)(void *context);               /* prints *error */
};

/* Prints a line beside the answer, or a warning. */
void runner_say(const struct runner *runner, const char *format, ...) __attribute__((format(printf, 2, 3)));
void runner_warn(const struct runner *runner, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { MEASURE_LINE_BYTES = 1024, MEASURE_COMPLAINT_BYTES = 256 };

/*
 * Returns the path of paradl-measure-NAME ("cpu"): in the build that this program belongs to, else where it is
 * installed. NULL: it was not built, and the error has status PARADL_NO_TOOL; or out of memory.
 */
const char *measure_find(struct runner *runner, const char *name);

/*
 * Adds the words of `text`, which blanks separate; no shell reads them, so quotes have no meaning. False: out of
 * memory.
 */
bool measure_words(struct paradl_arena *arena, struct text_list *words, const char *text);

/*
 * Catches SIGINT, SIGTERM and SIGHUP from now on, and lets them in only while measure_read waits. Once in a process.
 */
void measure_catch_signals(void);
/* Catches the same signals, at any time, for commands that do not wait in measure_read: they ask measure_caught. */
void measure_note_signals(void);
/* Returns the seconds of the clock by which programs are waited for. */
double measure_now_s(void);
int measure_caught(void); /* first signal that was caught; 0: none */

struct measure_process {
	pid_t id; /* id of the process and of its group; 0: not started, or reaped */
	int lines, complaints;
	char line[MEASURE_LINE_BYTES];
	size_t used, next; /* bytes of `line` that are read; where the next line to return begins */
	/*
	 * Most telling line of standard error: the last one that begins with the program's own name, else the last
	 * one, where of lines framed by two lines of dashes only the first counts. "" when there was none.
	 */
	char complaint[MEASURE_COMPLAINT_BYTES];
	char spoken[MEASURE_COMPLAINT_BYTES];
	size_t spoken_used;
	unsigned framed_lines; /* 1 + lines since a line of dashes opened a frame; 0: no frame is open */
	bool is_own;           /* whether the complaint begins with "paradl-measure-" */
	bool echoes;           /* whether lines of standard error are passed on */
};

/*
 * Starts a program; `words[0]` is a path, or looked for in PATH. False: the error is set, with status
 * PARADL_NO_TOOL.
 */
bool measure_start(
	struct measure_process *process, const char *const *words, bool echoes, struct paradl_error *error);

enum measure_event {
	MEASURE_LINE,        /* *line is a line without its end, valid until the next call */
	MEASURE_SILENT,      /* no line came for patience_s; the program still runs */
	MEASURE_INTERRUPTED, /* a signal was caught; the program still runs */
	MEASURE_ENDED        /* its output is at the end; measure_end returns its status */
};
/* Waits for the next event, for patience_s at most; 0: for ever. */
enum measure_event measure_read(struct measure_process *process, double patience_s, const char **line);

/*
 * Waits for a process that ended, or ends one that runs: SIGTERM, and SIGKILL to its group after `grace_s` at most.
 * Returns its exit status or, as shells do, 128 + the signal that ended it; 0 where no process was started.
 */
int measure_end(struct measure_process *process, double grace_s);

/* First word of a line that programs print: "done NAME MEDIAN_SECONDS HALF_WIDTH_SHARE SAMPLES". */
enum measure_word {
	MEASURE_POINTS,
	MEASURE_POINT_START,
	MEASURE_POINT_DONE,
	MEASURE_POINT_ABSENT,
	MEASURE_POINT_FAILED,
	MEASURE_POINT_SKIP,
	MEASURE_OTHER /* a line of no known form */
};
struct measure_said {
	enum measure_word word;
	char point[MEASURE_LINE_BYTES]; /* name of the point; "" in a line "points" */
	const char *reason;             /* reason in a line "absent" or "failed", inside that line; else "" */
	double points;                  /* number of points, in a line "points" */
	double seconds, half_width;     /* if done: median of a call; half its 95 % interval / median */
	unsigned samples;
};
void measure_parse(const char *line, struct measure_said *said);

/* Exit statuses of measuring programs other than 0 and 1 (some points failed). */
enum { MEASURE_USAGE = 2, MEASURE_CANNOT_WRITE = 5, MEASURE_NO_HARDWARE = 77, MEASURE_STOPPED = 130 };

#endif
