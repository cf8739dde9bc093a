/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is one file that ends in one `const struct command command_NAME`, and one line X(NAME), Y(NAME) or
 * Z(NAME) in list.def. Its options are the rows that name it, in its own file or one of options that it shares.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/json.h"
#include "cli/question.h"
#include "paradl/study.h"
#include "result/documents.h"

struct runner;

/* A command of the program. */
struct command {
	const char *name, *summary;
	const char *synopsis; /* operands and options that follow the name, in usage */
	const char *details;  /* paragraphs under the synopsis in --help; lines of at most 78 columns */
	const char *operands; /* kind of completion, as in struct option_row; NULL: none */
	size_t most_operands;
	const char *operand, *operand_help; /* a row of -h above the options; NULL: none */
	const char
		*usual; /* names of the options that -h shows, in that order: what a first question needs */
	const char *examples[2]; /* of -h: they work as typed, the second in the folder of the first */
	bool first;              /* one of those that people begin with, which 'paradl -h' shows */
	bool in_team;            /* several processes can share its work (struct team) */
	bool has_page;           /* -o FILE.html writes the answer as a page */
	enum exit_status (*run)(struct session *session);
};

/* The operand of commands that ask about a network. */
#define OPERAND_MODEL                                                                                        \
	.operands = "models", .operand = "MODEL",                                                            \
	.operand_help = "a shipped network ('paradl list models') or a file"

#define X(id) extern const struct command command_##id;
#define Y(id) X(id)
#define Z(id) X(id)
#include "cli/list.def"
#undef X
#undef Y
#undef Z

extern const struct command *const commands[]; /* NULL-terminated, in the order of list.def */

/* Finds a command by name; NULL: there is none. */
const struct command *command_find(const char *name);
/* Returns the topic of 'paradl list' that a word stands for ("machines": "hw"); NULL: none. */
const char *list_topic(const char *word);

/* Fills in the session of a program (program.c); false: out of memory. */
bool program_begin(struct session *session, int argc, char **argv);
enum exit_status program_run(struct session *session);
void program_end(struct session *session);
/* Returns what programs that measure are started with. */
struct runner program_runner(struct session *session);

/* ---- query.c: questions, as a command line or as JSON ---- */

/* Folder in the paths of the files that a question holds. */
extern const char query_folder[];

/* Reads the options that were typed after the command's name, and warns of older spellings and repeated options. */
bool query_parse(struct session *session);
/* Returns whether the command takes as many operands as there are; else the error is set. */
bool query_takes_operands(struct session *session);
/* Runs the command that a question names; the answer looks as with --json, or as the question asks. */
enum exit_status ask_run(struct session *session, const struct json *question);

/* ---- parts of commands that other files call ---- */

/* Runs compare with a page for a browser as answer, for whatever command was typed. */
enum exit_status compare_page(struct session *session);

/*
 * Reads --exchange: fills in the report's common currency and, for each machine, the worth of one unit of its
 * currency in the common one; 0: its costs are not compared. `worths` has them of machines that are paid for otherwise,
 * too. false: error is set.
 */
bool compare_rates(struct session *session, const struct paradl_machine_info *machines,
	struct report_compare *report, double *rates, double *worths);

/* Reports how well the rows of arguments.measured are projected; runs NULL: they were not measured here. */
enum exit_status validate_compare(struct session *session, const struct report_runs *runs);
/* Measures rows here first, then answers likewise (validate --run). */
enum exit_status validate_measure(struct session *session);

/*
 * Fills the request from a loaded question and the changes of --set. The plan, or `best`, is left to the caller. The
 * request keeps a pointer to `options`.
 */
bool whatif_request(struct session *session, const struct question *question, struct paradl_options *options,
	struct paradl_whatif_request *request);

/* Writes the page that answers by itself, whatever is changed on it: the engine, and all files that the answers rest on. */
enum exit_status report_interactive(struct session *session);

/* Finds a plan for each layer, for search --per-layer. */
enum exit_status search_layers(struct session *session);

/* Returns whether --into names, or links to, a shipped profile or device; if it does, the error is set. */
bool fit_into_shipped(struct session *session);
/* Returns the same of the device file `name`, which is written to devices/ beside the profile of --into. */
bool fit_device_shipped(struct session *session, const char *name);
/*
 * Returns whether the folder of --into is, or leads to, profiles that were installed with the program; if so, the
 * error is set. Those in the sources of a program are there to be fitted.
 */
bool fit_folder_installed(struct session *session);
/* Returns the same of the files of that folder to which constants go, any of which may be a link. */
bool fit_file_installed(struct session *session, const struct paradl_fit *fit);

/* Runs `paradl fit FILES...`: fits numbers and curves of a machine to samples. */
enum exit_status fit_samples(struct session *session);

/* Runs `paradl fit KERNELS.csv...`: fits the numbers of a device file about kernels to tables of their times. */
enum exit_status fit_kernels(struct session *session);
/* Runs `paradl validate --kernels FILE`: compares device files with such tables. */
enum exit_status validate_kernels(struct session *session);

#endif
