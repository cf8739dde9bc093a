/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inputs that advise and estimate share: MODEL, --hw, --framework and the assumptions. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include "cli/session.h"

struct question {
	const struct paradl_model *model;
	const char *dataset_path; /* of --dataset; NULL: the model's own */
	struct paradl_oracle *oracle;
	struct report_head head;
};

/* What --set says; *changes NULL: nothing. */
bool question_changes(struct session *session, const struct paradl_changes **changes);
/* What options say of the assumptions, files apart. */
bool question_options(struct session *session, struct paradl_options *options);
bool question_assume_changes(struct session *session, struct report_head *head);
/* What the answer assumes: changes, what the framework is like, guessed numbers. */
bool question_assumptions(struct session *session, struct report_head *head);
/* Sets --batch where it was asked for in tokens of the model's samples. */
bool question_batch_tokens(struct session *session, const struct paradl_model *model);
bool question_load(struct session *session, struct question *question);
/* Called last: the warnings of the session belong to the document. */
void question_finish(struct session *session, struct question *question);
/* Takes the digests of the files that the answer rests on; those of formats that name them are taken already. */
bool question_digests(struct session *session, struct report_head *head);
/* Adds a file that the answer rests on. */
bool question_input(struct session *session, struct report_head *head, const char *path);
bool question_command(struct session *session, struct report_head *head);
/* Adds an option, and its value unless NULL, to a command line that can be pasted. */
void question_word(struct session *session, const char **text, const char *option, const char *value);
bool question_assume(
	struct session *session, struct report_head *head, const char *text); /* text NULL: out of memory */
/* What is assumed of the input of an estimated plan; NULL: there is none. A store that has no room is warned of. */
bool question_assume_input(
	struct session *session, struct question *question, const struct paradl_estimate *estimate);
/* What the machine's profile says is assumed. */
bool question_assumed_numbers(
	struct session *session, struct report_head *head, const struct paradl_machine_info *machine);
/* --batch or --per-gpu or what the model says: samples per iteration on `devices`; of answers, one for each replica. */
double question_batch(
	struct session *session, const struct question *question, double devices, double replicas);
/* A plan with the batch of question_batch; the machine must have its devices. */
bool question_plan(
	struct session *session, const struct question *question, const char *text, struct paradl_plan *plan);
/* --gpus, or every power of two of the machine's GPUs. */
bool question_gpus(struct session *session, const struct question *question, struct option_counts *gpus);
/* Warns where the batch is less than the usual one because no plan has memory for that; where: of several, "model on machine: ". */
void question_warn_shared(struct session *session, const struct paradl_oracle *oracle, const char *where,
	double devices, double batch);
/* Warns where a batch has more samples than an epoch. */
void question_warn_epoch(struct session *session, const struct question *question, double batch);
/* What --ttft, --tpot and --latency say. */
bool question_promise(struct session *session, struct paradl_promise *promise);
bool question_promised(const struct arguments *arguments);
/* --batch, --per-gpu and --rate exclude each other. */
bool question_check_load(struct session *session);
/* Likewise; a model that says nothing is warned about. */
bool question_check_batch(struct session *session, const struct question *question);

#endif
