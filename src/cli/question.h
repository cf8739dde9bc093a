/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inputs that advise and estimate share: MODEL, --hw, --framework and the assumptions. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include "cli/session.h"

struct question {
	const struct paradl_model *model;
	const char *dataset_path; /* file of --dataset; NULL: the model's own data set */
	struct paradl_oracle *oracle;
	struct report_head head;
};

/* Reads the changes of --set; *changes NULL: there are none. */
bool question_changes(struct session *session, const struct paradl_changes **changes);
/* Fills the oracle's options from the command line; model, machine and framework are loaded apart. */
bool question_options(struct session *session, struct paradl_options *options);
bool question_assume_changes(struct session *session, struct report_head *head);
/* Adds what the answer assumes: changes, the ideal model or properties of the framework, guessed numbers. */
bool question_assumptions(struct session *session, struct report_head *head);
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
/*
 * Warns where the batch is less than the usual one because no plan has memory for that. where: prefix of the warning,
 * such as "model on machine: " among several; "" for one.
 */
void question_warn_shared(struct session *session, const struct paradl_oracle *oracle, const char *where,
	double devices, double batch);
/* Warns where a batch has more samples than an epoch. */
void question_warn_epoch(struct session *session, const struct question *question, double batch);
/* Reads --ttft, --tpot, --latency and --percentile; fails where they do not apply. */
bool question_promise(struct session *session, struct paradl_promise *promise);
/* Reports whether at most one of --batch, --per-gpu and --rate is given; else the error is set. */
bool question_check_load(struct session *session);
/* Checks the same, and warns where neither the options nor the model name a batch. */
bool question_check_batch(struct session *session, const struct question *question);

#endif
