/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of the program: its command and options, where it looks for files, and how it answers. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <stdio.h>
#include <time.h>

#include "cli/arguments.h"
#include "report/report.h"
#include "result/field.h"

enum exit_status {
	EXIT_ANSWER,           /* the answer was given */
	EXIT_NO,               /* the question is fine, but the answer is "no" */
	EXIT_USAGE,            /* the command line is wrong */
	EXIT_BAD_INPUT,        /* a file is wrong */
	EXIT_NO_TOOL,          /* a program is missing */
	EXIT_INTERNAL,         /* writing failed, or memory ran out */
	EXIT_INTERRUPTED = 130 /* by a signal; the work done until then is kept */
};

struct command;

/* The processes that run the same command line at the same time. All but the one of rank 0 are silent. */
struct team {
	struct paradl_team members;
	unsigned threads; /* threads of this process: its share of the processors */
	/* Begins to listen for members that are lost; called once the options are known, before the first exchange. */
	void (*begin)(struct team *team, double lost_after_s);
};

struct session;

/* Functions of a program that the library does not have. */
struct session_host {
	enum exit_status (*measure)(struct session *session); /* answers validate --run */
	void (*note_signals)(void); /* makes signals end nothing from now on, but be noted */
	int (*caught)(void);        /* returns the first signal since then; 0: none */
};

struct session {
	struct paradl_arena *arena;
	FILE *answers,
		*complaints; /* streams for documents, and for messages beside them; complaints NULL: none */
	bool is_watched;     /* whether complaints are read on a terminal */
	unsigned threads; /* number of threads where no option says it; 0: as many as there are processors */
	const struct session_host *host; /* functions of the program; NULL: the library alone */
	const struct command *command;   /* command to run; NULL until it is known */
	size_t argument_count;           /* number of words as typed, without the program */
	const char *const *typed;
	struct arguments arguments;
	struct option_operands operands;
	struct team *team;              /* team of processes; NULL: this process alone */
	const char *hub;                /* cache of the Hugging Face hub; NULL: none */
	const char *const *directories; /* folders where models/, hw-profiles/ ... may be; NULL-terminated */
	const char *const *shipped;     /* those directories that are not to be written to; NULL-terminated */
	const char *installed;          /* that of them which was installed with the program; NULL: none */
	const struct report_format *format;
	const char *
		picture; /* file that the document is to be drawn to instead, "": to `answers` as SVG; NULL: none */
	bool script, page; /* whether the document is, instead, a script that starts a plan or a page */
	struct report_style style; /* style of the text on standard output */
	struct text_list warnings;
	bool failed; /* whether session_fail was called: the output is then no answer */
	struct paradl_error error;
};

/* ---- environment.c: the only file that reads the environment, for the program alone ---- */

const char *const *environment_directories(struct paradl_arena *arena);
/* Returns the NULL-terminated folders of the program, which are not to be written to; NULL: out of memory. */
const char *const *environment_shipped(struct paradl_arena *arena);
/* Returns that folder of these which was installed with the program; NULL: none. */
const char *environment_installed(void);
enum { ENVIRONMENT_PATH_BYTES = 4096 };
/* Finds the folder of this program; false where the system does not say. */
bool environment_folder(char folder[ENVIRONMENT_PATH_BYTES]);
/* Returns the folder where the Hugging Face hub's programs keep models; NULL: there is none. */
const char *environment_hub(struct paradl_arena *arena);
struct report_style environment_style(const struct arguments *arguments);

/* Returns how many threads OMP_NUM_THREADS asks for, as programs with threads commonly read it; 0: it does not. */
unsigned environment_threads(void);

/* Returns how many threads may work: of --threads, else the share of this process in a team, else the session's. */
unsigned session_threads(const struct session *session);

/* ---- diagnostic.c: messages beside the answer ---- */

void diagnostic_print(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diagnostic_error(struct session *session); /* prints session->error */
/* Prints a warning unless -q, and keeps it for the document. */
void session_warn(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints session->error (and, for JSON, a document where answers go); returns the exit status that goes with it. */
enum exit_status session_fail(struct session *session);
/* Fails likewise while a file is written: where that cannot be, the status is EXIT_INTERNAL. */
enum exit_status session_fail_writing(struct session *session);
enum exit_status session_out_of_memory(struct session *session);
bool session_usage(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets the error likewise of a command without what it cannot do without; the hint names its short help. */
bool session_missing(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Line on a terminal that shows how far a long computation is. */
struct progress {
	FILE *file; /* terminal; NULL: nothing is shown */
	bool shown;
	const char *things; /* name of what is counted: "plans" */
	struct timespec next;
};

struct progress progress_begin(const struct session *session);
/*
 * Shows the numbers of plans done and of all, as paradl_search_request.progress; `context` is a struct progress. The
 * line appears after a second, and is updated four times a second.
 */
void progress_plans(void *context, double done, double all);
void progress_end(struct progress *progress); /* removes the line */

/* ---- output.c ---- */

/* Sets format, picture, page and script from --json, --jsonl, --csv and -o or --resume. */
bool output_choose(struct session *session);
/* Document that is written in memory, then to -o or standard output at once. */
struct document {
	char *text;
	size_t length;
	struct report_sink sink;
};
bool document_begin(struct session *session, struct document *document);
/* Delivers and frees the document; returns `status`, or the failure where it could not be written. */
enum exit_status document_end(struct session *session, struct document *document, enum exit_status status);
void document_discard(struct document *document);

/* ---- team.c ---- */

/* Compares the inputs of a team; each process calls this once its own are read. False: they differ between hosts. */
bool team_agrees(struct session *session, struct report_head *head);

/* ---- find.c ---- */

/* Reads a model by name or path; the warnings of importing it become the session's. changes NULL: none. */
const struct paradl_model *session_model(struct session *session, const char *name,
	const struct paradl_changes *changes); /* NULL: error is set */
/* Reports whether the sequence of a model is that of --seq, if one was asked for; else the error is set. */
bool session_check_sequence(struct session *session, const struct paradl_model_info *model);
/* Reads a machine likewise; NULL: error is set. */
const struct paradl_machine *session_machine(
	struct session *session, const char *name, const struct paradl_changes *changes);

/*
 * Reads a machine likewise, with prices of the kind `basis` (1: purchase, 0: rent, -1: its own) where it has both kinds.
 * *changes are those of `set`, or NULL, and become those that the machine was read with.
 */
const struct paradl_machine *session_machine_priced(struct session *session, const char *name, int basis,
	const struct option_texts *set, const struct paradl_changes **changes);

enum shipped {
	SHIPPED_MODELS,
	SHIPPED_DATASETS,
	SHIPPED_HW,
	SHIPPED_FRAMEWORKS,
	SHIPPED_DEVICES,
	SHIPPED_COUNT
};
/* Returns the shipped file of any kind that has the name; NULL: there is none, or the name is a path or a file. */
const char *shipped_any(struct session *session, const char *name);
const char *shipped_find(
	struct session *session, enum shipped shipped, const char *name); /* NULL: error is set */
struct shipped_file {
	const char *name, *path;
};
struct shipped_files {
	struct shipped_file *files; /* files, sorted by name */
	size_t count;
};
/* Returns the config.json of a folder, or of a model of the hub that lies in its local cache; NULL: there is none. */
const char *config_find_file(struct session *session, const char *name);
struct shipped_files shipped_list(struct session *session, enum shipped shipped);
/* Returns whether there is a shipped file of that kind and name. */
bool shipped_has(struct session *session, enum shipped shipped, const char *name);
/* Returns the names as text, such as "abci, dgx-h100"; "none found" where there are none. */
const char *shipped_names(struct session *session, enum shipped shipped);

/* ---- find_device.c ---- */

/* Lets the error about a machine that is not found say which machines have the device of that name; else keeps it. */
void session_name_device(struct session *session, const char *typed);

/* ---- usage.c ---- */

/* Prints all commands, and all options of one: --help. */
void usage_program(struct report_sink *sink);
void usage_command(struct report_sink *sink, const struct command *command);
/* Prints those to begin with: -h. No line is wider than 80 columns, and a screen of 24 lines has room for all. */
void usage_program_short(struct report_sink *sink);
void usage_command_short(struct report_sink *sink, const struct command *command);
void usage_scdoc(FILE *file, const struct command *command);
/* Prints the columns of a record as a list of a manual page (scdoc). */
void usage_columns(FILE *file, const struct result_record *record);

#endif
