/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of the program: what was asked, of whom, and how to answer. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/arguments.h"
#include "report/report.h"
#include "result/field.h"

enum exit_status {
	EXIT_ANSWER,           /* here it is */
	EXIT_NO,               /* the question is fine, the answer is "no" */
	EXIT_USAGE,            /* the command line is wrong */
	EXIT_BAD_INPUT,        /* a file is */
	EXIT_NO_TOOL,          /* a program is missing */
	EXIT_INTERNAL,         /* writing failed, or memory ran out */
	EXIT_INTERRUPTED = 130 /* by a signal; what was done until then is kept */
};

struct command;

/* The processes that run the same command line at the same time. All but the one of rank 0 are silent. */
struct team {
	struct paradl_team members;
	unsigned threads; /* of this process: its share of the processors */
	/* Called once the options are known, before the first exchange. */
	void (*begin)(struct team *team, double lost_after_s);
};

struct session;

/* What a program can do that the library does not. */
struct session_host {
	enum exit_status (*measure)(struct session *session); /* validate --run */
	void (*note_signals)(void); /* from now on they end nothing, but are noted */
	int (*caught)(void);        /* the first since then; 0: none */
};

struct session {
	struct paradl_arena *arena;
	FILE *answers,
		*complaints; /* where documents go, and what is said beside them; complaints NULL: nowhere */
	bool is_watched;     /* complaints are read on a terminal */
	unsigned threads;    /* to work with where no option says it; 0: as many as there are processors */
	const struct session_host *host; /* NULL: the library alone */
	const struct command *command;   /* NULL until it is known */
	size_t argument_count;           /* as typed, without the program */
	const char *const *typed;
	struct arguments arguments;
	struct option_operands operands;
	struct team *team;              /* NULL: this process alone */
	const char *hub;                /* cache of the Hugging Face hub; NULL: none */
	const char *const *directories; /* where models/, hw-profiles/ ... may be; NULL-terminated */
	const char *const *shipped;     /* those of them that are not to be written to; NULL-terminated */
	const struct report_format *format;
	const char *
		picture; /* file that the document is to be drawn to instead, "": to `answers` as SVG; NULL: none */
	bool script, page; /* the document is a script that starts a plan, or a page for a browser, instead */
	struct report_style style; /* of what goes to standard output */
	struct text_list warnings;
	bool failed; /* session_fail was called: what was written is no answer */
	struct paradl_error error;
};

/* environment.c: the only file that reads the environment, for the program alone */
const char *const *environment_directories(struct paradl_arena *arena);
/* Folders that belong to the program, and are not to be written to: NULL-terminated; NULL: out of memory. */
const char *const *environment_shipped(struct paradl_arena *arena);
enum { ENVIRONMENT_PATH_BYTES = 4096 };
/* The folder of this program; false where the system does not say. */
bool environment_folder(char folder[ENVIRONMENT_PATH_BYTES]);
/* Where the Hugging Face hub's programs keep models; NULL: nowhere. */
const char *environment_hub(struct paradl_arena *arena);
struct report_style environment_style(const struct arguments *arguments);

/* Returns how many threads OMP_NUM_THREADS asks for, as programs with threads commonly read it; 0: it does not. */
unsigned environment_threads(void);

/* Returns how many threads may work: of --threads, of this process among several, or what is usual here. */
unsigned session_threads(const struct session *session);

/* diagnostic.c: what is said beside the answer */
void diagnostic_print(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diagnostic_error(struct session *session); /* session->error */
/* Prints a warning unless -q, and keeps it for the document. */
void session_warn(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints session->error (and, for JSON, a document on standard output); the exit status that goes with it. */
enum exit_status session_fail(struct session *session);
enum exit_status session_fail_writing(struct session *session); /* the same, of an output file */
enum exit_status session_out_of_memory(struct session *session);
bool session_usage(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* output.c */
bool output_choose(struct session *session); /* --json, --csv, -o: sets format and picture */
/* A document written in memory, then to -o or standard output at once. */
struct document {
	char *text;
	size_t length;
	struct report_sink sink;
};
bool document_begin(struct session *session, struct document *document);
/* Frees the document; `status` unless it could not be written. */
enum exit_status document_end(struct session *session, struct document *document, enum exit_status status);
void document_discard(struct document *document);

/* find.c: by name or path; what importing them warned of becomes warnings of the session. changes NULL: none */
const struct paradl_model *session_model(struct session *session, const char *name,
	const struct paradl_changes *changes); /* NULL: error is set */
/* Is the sequence of a model that of --seq, if one was asked for? */
bool session_check_sequence(struct session *session, const struct paradl_model_info *model);
const struct paradl_machine *session_machine(
	struct session *session, const char *name, const struct paradl_changes *changes);

enum shipped { SHIPPED_MODELS, SHIPPED_DATASETS, SHIPPED_HW, SHIPPED_FRAMEWORKS, SHIPPED_COUNT };
/* The shipped file of any kind that has the name; NULL: there is none, or there is a file so named. */
const char *shipped_any(struct session *session, const char *name);
const char *shipped_find(
	struct session *session, enum shipped shipped, const char *name); /* NULL: error is set */
struct shipped_file {
	const char *name, *path;
};
struct shipped_files {
	struct shipped_file *files; /* by name */
	size_t count;
};
/* The config.json of a folder, or of a model of the hub that lies in its local cache; NULL: there is none. */
const char *config_find_file(struct session *session, const char *name);
struct shipped_files shipped_list(struct session *session, enum shipped shipped);
const char *shipped_names(struct session *session, enum shipped shipped); /* "abci, dgx-h100" */

/* usage.c */
void usage_program(struct report_sink *sink);
void usage_command(struct report_sink *sink, const struct command *command);
void usage_scdoc(FILE *file, const struct command *command);
/* Prints the columns of a record as a list of a manual page (scdoc). */
void usage_columns(FILE *file, const struct result_record *record);

#endif
