/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that commands share, as what the library is asked: inputs, assumptions, a batch, a ranking, a job. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include "cli/session.h"
#include "paradl/network.h"
#include "paradl/oracle.h"
#include "paradl/study.h"

/* ---- question.c, question_batch.c: MODEL, --hw, --framework and the assumptions ---- */

struct question {
	const struct paradl_model *model;
	const char *dataset_path;    /* file of --dataset; NULL: the model's own data set */
	const char *usual_framework; /* as the machine's file names it for such a network */
	struct paradl_oracle *oracle;
	struct report_head head;
};

/* Reads the changes of --set; *changes NULL: there are none. */
bool question_changes(struct session *session, const struct paradl_changes **changes);
/* Reads the change of --seq alone, which is the first of all; *changes NULL: there is none. */
bool question_sequence(struct session *session, const struct paradl_changes **changes);
/* Fills the changes of the network alone, which it has on another machine, too; *changes NULL: there are none. */
bool question_network_changes(
	struct session *session, struct option_texts *set, const struct paradl_changes **changes);
/* Fills the oracle's options from the command line; model, machine and framework are loaded apart. */
const struct paradl_framework *question_framework(
	struct session *session, const char *name, const struct paradl_changes *changes);
bool question_options(struct session *session, struct paradl_options *options);
bool question_assume_changes(struct session *session, struct report_head *head);
/* Adds what the answer assumes: changes, the ideal model or properties of the framework, guessed numbers. */
bool question_assumptions(struct session *session, struct report_head *head);
/* Sets head->precision to the number format that the options ask for, else the usual one. */
void question_precision(struct report_head *head, const struct paradl_options *options);
/*
 * Says which number format the model's file names for inference, or warns that another is taken; warns of prompts that are
 * longer than the network may read.
 */
bool question_serving_notes(struct session *session, struct report_head *head);
/* Sets --batch in samples from a batch in tokens; fails where the model's samples have none. */
bool question_batch_tokens(struct session *session, const struct paradl_model *model);
bool question_load(struct session *session, struct question *question);
/* Gives the document the warnings of the session; called last. */
void question_finish(struct session *session, struct question *question);
/* Takes the SHA-256 digests of the files that the answer rests on; formats that name inputs have them already. */
bool question_digests(struct session *session, struct report_head *head);
/* Adds a file that the answer rests on. */
bool question_input(struct session *session, struct report_head *head, const char *path);
bool question_command(struct session *session, struct report_head *head);
/* Adds an option, and its value unless NULL, to a command line that can be pasted. */
void question_word(struct session *session, const char **text, const char *option, const char *value);
bool question_assume(
	struct session *session, struct report_head *head, const char *text); /* text NULL: out of memory */
/* Adds what is assumed of messages of exchanged samples where the program's profile guesses them. */
bool question_assume_exchange(struct session *session, struct report_head *head);
/* Adds what is assumed about the input of an estimated plan (NULL: there is none); warns of a store without room. */
bool question_assume_input(
	struct session *session, struct question *question, const struct paradl_estimate *estimate);
/* Adds and counts the numbers that the machine's profile and its device's say are assumed. */
bool question_assumed_numbers(
	struct session *session, struct report_head *head, const struct paradl_machine_info *machine);
/* Returns the samples per iteration on `devices`: those of --batch or --per-gpu, else `usual`. */
double question_batch(const struct session *session, double devices, double usual);
/* Reads a plan and gives it the batch of question_batch; fails where the machine has fewer devices. */
bool question_plan(
	struct session *session, const struct question *question, const char *text, struct paradl_plan *plan);
/* Reads --gpus, or lists every power of two of the machine's GPUs; fails where it has fewer. */
bool question_gpus(struct session *session, const struct question *question, struct option_counts *gpus);
/* Sets the error that a machine has fewer GPUs than --gpus asks for, and how it gets more; returns false. */
bool question_too_many(struct session *session, const struct paradl_machine_info *machine, double gpus);
/*
 * Warns where the batch is less than the usual one because no plan has memory for that. where: prefix of the warning,
 * such as "model on machine: " among several; "" for one.
 */
/* Returns whether hosts have memory for the optimizer states that a plan offloads; true: how much they have is not known. */
bool question_host_holds(const struct question *question, const struct paradl_plan *plan);
/* Warns where they have not. */
void question_warn_host(
	struct session *session, const struct question *question, const struct paradl_plan *plan);
/*
 * Warns where the batch that --set gives the model is not that of these devices: each of them has the same. `where` is of
 * the message, "" or ending in ": ".
 */
void question_warn_rounded(struct session *session, const struct paradl_model_info *model, const char *where,
	double devices, double batch);
void question_warn_shared(struct session *session, const struct paradl_oracle *oracle, const char *where,
	double devices, double batch);
/* Warns where a batch has more samples than an epoch. */
void question_warn_epoch(struct session *session, const struct question *question, double batch);
/* Returns the options of the batch and the promise as they were given, each after a space; "" where none is. */
const char *question_load_again(struct session *session);
/* Reads --ttft, --tpot, --latency and --percentile; fails where they do not apply. */
bool question_promise(struct session *session, struct paradl_promise *promise);
/* Reports whether at most one of --batch, --per-gpu and --rate is given; else the error is set. */
bool question_check_load(struct session *session);
/* Checks the same, and warns where neither the options nor the model name a batch. */
bool question_check_batch(struct session *session, const struct question *question);

/* ---- ranking_request.c: rankings, which advise and report share, and plans of parts ---- */

/* Reads the requests of --trace into the options, if it is there. */
bool question_trace(struct session *session, struct paradl_options *options);
/* Reads a question with --prefill auto again for the readers of its best plan; best NULL: there is none. */
bool ranking_settle(struct session *session, struct question *question, const struct paradl_estimate *best);
/* Finds and ranks plans for each number of GPUs. One on which nothing runs is an answer, not the end of the table. */
bool ranking_each(struct session *session, const struct question *question, const struct option_counts *gpus,
	enum paradl_ranked plans, struct paradl_ranking *rankings);
/*
 * Estimates infeasible plans, since those that only lack memory still have times to draw: one estimate for each
 * infeasible row, with 0 devices where there is none. NULL: out of memory.
 */
const struct paradl_estimate *ranking_unfit(
	struct session *session, const struct question *question, const struct paradl_ranking *ranking);

/*
 * Removes from a ranking the plans that the program of --flags does not start as they are, nor with their axes
 * nested as it does; they become infeasible plans. Changes nothing where it starts none of them. False: out of
 * memory.
 */
bool launchable_only(
	struct session *session, const struct question *question, struct paradl_ranking *ranking);

/*
 * Explains what the parts of a plan take, and what they would take under `others`, plans for all layers; count 0:
 * none of these. False: the error is set.
 */
bool parts_explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, const struct paradl_plan *others, size_t count,
	struct report_parts *parts);

/* ---- search_request.c ---- */

/*
 * Reads everything but the numbers of devices; report->samples and report->tokens are the whole training, 0: not
 * said.
 */
bool search_request_read(struct session *session, struct question *question,
	struct paradl_search_request *request, struct report_search *report);

/* Finds the fewest GPUs that have a plan: search_fewest.c. The request then has the one number that the answer is about. */
bool search_fewest(struct session *session, const struct question *question,
	struct paradl_search_request *request, struct paradl_search *search, struct report_fewest *fewest);

/* ---- input_options.c: --dataset, --shuffle, --store, --cache and those that go with them ---- */

/* Reads all options of input but --dataset; false: the error is set. */
bool input_options_read(struct session *session, struct paradl_input_options *options);
/*
 * Reads a value of --shuffle, such as "partial:25%", into all fields of `way` but the store; false: the error is
 * set.
 */
bool input_shuffle_read(struct session *session, const char *text, struct paradl_input_mode *way);
/* Says of a data set of short texts that each is padded to a whole sequence. */
bool input_dataset_assume(struct session *session, struct question *question);
/*
 * Replaces *model by one with the data set of --dataset, if that is given; *path is then the path of its file, else
 * NULL. False: the error is set.
 */
bool input_dataset_read(struct session *session, const struct paradl_model **model, const char **path);
/* Adds the options to a command line, as they were typed. */
void input_options_again(struct session *session, const char **text);

/* ---- job_options.c: a whole training, its limits, and the checkpoints and failures between its steps ---- */

/* Computes the samples of --tokens, --samples or --epochs, 0 if none of them is given; false: the error is set. */
bool job_samples(struct session *session, const struct paradl_model_info *model, double *samples);

/* Reads the options of a run; `asked` is false where none of them is given. Returns false where the error is set. */
/*
 * Reads checkpoints and failures of a job, and its deadline; *asked: whether an option of a job was given at all. Does
 * not read samples.
 */
bool job_request(struct session *session, struct paradl_run_request *job, bool *asked);
/* Adds the assumptions about failures and restarts where neither options nor the profile of every machine say anything. */
bool job_assume(struct session *session, struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_machine_info *machines, size_t count);
/*
 * Warns of what a machine lacks, NULL for nothing, so that checkpoints and failures are left out; of_all: also of the
 * machines that it is compared with.
 */
void job_warn_lacking(struct session *session, const char *machine, const char *lacking, bool of_all);
bool job_read(
	struct session *session, struct question *question, struct paradl_run_request *job, bool *asked);

/* Returns a run for each result of these rankings, one ranking after the other; NULL: out of memory. */
const struct paradl_run *job_runs(struct session *session, const struct question *question,
	const struct paradl_run_request *job, const struct paradl_ranking *rankings, size_t count);

/* Returns whether a run never ends, or takes longer than --deadline, and prints which. */
bool job_is_late(struct session *session, const struct paradl_run_request *job, const struct paradl_run *run);

/* ---- collective_options.c: groups of devices, networks on paper and sizes of messages ---- */

/* Reads all of the request but the sizes. */
bool request_read(struct session *session, const char *operation, struct paradl_collective_request *request);
/* Reads --link "12.5 GB/s,500 ns"; rate or latency may be left out. */
bool request_link(struct session *session, struct paradl_paper *paper);

enum { SIZES_MAX = 256 };

struct sizes { /* sizes in ascending order, none twice */
	double bytes[SIZES_MAX];
	size_t count;
};

/*
 * Reads sizes of messages: 1K, 64KiB, 100 MB, lists 1K,4K, and ranges 1K..1G (doubling) or 1K..1G*4. K, M, G, T alone are powers of 1024, as nccl-tests takes them; KiB is
 * the same, kB 1000.
 */
bool sizes_parse(const char *text, struct sizes *sizes, struct paradl_error *error);

/* Adds a size where it belongs, unless it is there; false: there are too many. */
bool sizes_add(struct sizes *sizes, double bytes);

#endif
