/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions print the parts of documents for people; format_text.c puts them together. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "paradl/network.h"
#include "paradl/study.h"
#include "report/table.h"

/* Returns a number of devices and their nodes, "256 GPUs in 64 nodes". */
const char *text_devices(struct report_sink *sink, const struct report_head *head, double devices);
/* Prints a title in bold; a title that is too wide continues on the next line after a ", ". */
void text_heading(struct report_sink *sink, const char *title);
/*
 * Prints a title, "ResNet-50 on ABCI: 256 GPUs in 64 nodes, ...", with the size of the model at the right if there is
 * room, otherwise below.
 */
void text_title(struct report_sink *sink, const struct report_head *head, const char *run);
/*
 * Returns "global batch 1,024"; for inference "inference, batch 64" or "inference, 50 requests/s". A batch of 0 means
 * that each plan has its own.
 */
const char *text_batch(struct report_sink *sink, const struct report_head *head, double batch);
/* Returns the command that shows more about a plan, "paradl estimate resnet50 --hw abci -s data=64 --batch 2048". */
const char *text_details(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/* Returns the samples of a device, "64 samples/GPU"; "a sample for every 4 GPUs" if there is less than one. */
const char *text_samples_each(struct report_sink *sink, double batch, double devices);
/* How the batch grows with the GPUs that an answer is about. */
enum text_scaling { SCALING_STRONG /* not at all */, SCALING_WEAK /* as they do */, SCALING_MIXED };
enum text_scaling text_scales(const struct report_advice *advice);
/* Returns the batches of all numbers of GPUs: "global batch 512", "8 samples/GPU" or "global batch 512 to 1,024". */
const char *text_batches(struct report_sink *sink, const struct report_advice *advice);
/* Returns the conditions of an estimate, ", fp32, ideal, 16 GiB/GPU". */
const char *text_conditions(struct report_sink *sink, const struct report_head *head);
void text_assumptions(struct report_sink *sink, const struct report_head *head);
/* Returns the value of NCCL_ALGO for an algorithm, "Tree" for "allreduce-double-tree"; NULL: the library has none. */
const char *text_nccl_algorithm(const char *library, const char *algorithm);
/* Returns "spatial inside a node, data across nodes"; "" for a plan with fewer than two axes in use. */
const char *text_placement(
	struct report_sink *sink, const struct report_head *head, const struct paradl_plan *plan);
const char *text_plan(struct report_sink *sink, const struct paradl_plan *plan);
/* Prints what others on the network cost (times on a quiet and on a usual network), and what to improve next. */
void text_verdict(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/* Prints how much faster a plan is by another dispatcher of tokens, if one is. */
void text_dispatcher(struct report_sink *sink, const struct paradl_estimate *estimate,
	const struct paradl_faster_dispatcher *faster);
/* Prints how much less a plan would take that differs in one thing, and why; NULL: it is not faster. */
void text_faster(struct report_sink *sink, const struct paradl_estimate *estimate, const char *label,
	const struct paradl_other_plan *faster, const char *why);
/* Reasons of plans that are faster by other stages. */
extern const char text_uneven_reason[];
/*
 * Returns the lead of the best plan, `ahead`, and whether it counts: "1.03x over data=8; it takes 6 % to tell two
 * plans apart, so treat 1 to 3 as equal", where the first `equal` plans cannot be told apart.
 */
const char *text_margin(struct report_sink *sink, enum paradl_goal goal, const struct paradl_estimate *best,
	size_t equal, const char *ahead);
/* Parts of a phase of exchanges, in seconds of an iteration: what compute hides, and what waits for the slowest node. */
struct exchange_parts {
	double hidden_s, waiting_s;
};
/* Returns the parts of a phase; those of layers (activations, halos) are of the last of their phases, if there are two. */
struct exchange_parts text_exchange_parts(const struct paradl_estimate *estimate, enum paradl_phase phase);
/* Prints the likely error of the time, and which parts of the plan were never validated; nothing for an ideal plan. */
void text_band(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/*
 * Prints how the plan is started, if the head names a program: a command that can be pasted, a file, and what the
 * program cannot do.
 */
void text_launch(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
struct launch;
/* Writes a shell script that starts a plan as `launch` says; `launch` must have a command. */
void script_write(struct report_sink *sink, const struct report_head *head,
	const struct paradl_estimate *estimate, const struct launch *launch);
/* Prints strategies that are not feasible, why, and what would make them fit: at most `most` of `all`; 0: all. */
void text_infeasible(struct report_sink *sink, const struct paradl_infeasible *rows, size_t all, size_t most);

void text_ranking(struct report_sink *sink, const struct report_advice *advice);
/* Prints the Pareto front: plans of which none is better in all goals. */
void text_front(struct report_sink *sink, const struct report_search *report);
/* Prints the best plan for each pair of degrees of two axes. */
void text_map(struct report_sink *sink, const struct report_search *report);
/* Returns the name of the column that shows what a goal optimizes. */
const char *text_goal_column(const struct report_search *report, enum paradl_goal goal);
void text_sweep(struct report_sink *sink, const struct report_advice *advice);
/* Prints power, energy and cost, with their parts. */
void text_power(struct report_sink *sink, const struct report_estimate *report);
/* Returns an energy in watt-hours, "1.24 kWh"; in joules if it is less than one. */
const char *text_energy(struct report_sink *sink, double joule);
/* Prints the blocks of the stages of a pipeline where they are not all as many: "6 + 10 × 7 + 4 blocks". */
void text_stages(struct report_sink *sink, const char *unit, const struct paradl_estimate *estimate);
/* Prints a line with the peak memory per GPU: its share of the capacity, its classes, and the moment of the peak. */
void text_memory(struct report_sink *sink, const struct paradl_estimate *estimate);
void text_memory_table(struct report_sink *sink, const struct paradl_estimate *estimate);
/* Prints the table of the parts of a plan. */
void text_parts(struct report_sink *sink, const struct report_parts *parts);
/* Prints the tensors that are redistributed between parts. */
void text_moves(struct report_sink *sink, const struct report_parts *parts);
/* Prints the time of each part with its own plan and with the other plans. */
void text_why(struct report_sink *sink, const struct report_parts *parts);
/* Prints what stands below the table of input modes: fixes, the amounts needed, resources, risk. */
void text_io_below(struct report_sink *sink, const struct report_io *report);
/* Returns a factor in three digits or as a whole number: "6.82", "66,400". */
const char *text_io_times(struct report_sink *sink, double times);
/* Returns the name of an input mode, "partial:0.1" or "pooled". */
const char *text_io_way(struct report_sink *sink, const struct paradl_input_mode *way);
const char *text_joule(struct report_sink *sink, double joule);

/* Prints a whole training: its time, energy and cost, checkpoints and failures. */
void text_job(struct report_sink *sink, const struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_run *run);
/* Prints whether the training is in time, if there is a deadline. */
void text_deadline(
	struct report_sink *sink, const struct paradl_run_request *job, const struct paradl_run *run);
/* Returns the amount of work of a run, "300 B tokens (0.5 epochs)" or "384 M samples (300 epochs)". */
const char *text_amount(
	struct report_sink *sink, const struct report_head *head, const struct paradl_run *run);
/* Prints the first line of text_job(): amount of work, time, energy and cost. */
void text_run(struct report_sink *sink, const struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_run *run);
/* Returns the columns that a table shows of a training, "job_s,run_in_time,"; "" if no training was asked for. */
const char *text_job_columns(struct report_sink *sink, const struct report_advice *advice);

/* Returns how many bytes of a plan fill a line of `room` columns: whole terms, with the comma after them; one at least. */
size_t text_plan_line(const char *text, size_t room);
/* Returns the shares of a run's time: "steps 93 %, checkpoints 2 %, ..."; NULL: they are not known. */
const char *text_run_shares(struct report_sink *sink, const struct paradl_run *run);
/* Returns whether other devices read the prompts of any of these plans. */
bool text_has_readers(const struct paradl_estimate *estimates, size_t count);
/* Prints the figures of inference: first token, each token, throughput, the largest batch. */
void text_inference(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
const char *text_inference_columns(const struct report_advice *advice);
/* Returns ", prompts of 1,024 tokens, answers of 128"; "" if the estimate has no prompts. */
const char *text_inference_lengths(struct report_sink *sink, const struct paradl_estimate *estimate);

/* Returns whether on some number of GPUs each does visibly more than on the fewest that run a plan. */
bool text_exceeds_linear(const struct report_advice *advice);
/* Returns "epoch_s", or "iteration_s" if the model names no data set. */
const char *text_time_column(const struct report_advice *advice);
/*
 * Prints a table of the ranking columns that the comma list `names` has. It shows as many rows as fit in `lines` lines
 * of text, but at least three; 0 shows all. Returns the number of rows shown.
 */
size_t text_ranking_table(struct report_sink *sink, const struct ranking_row *rows, size_t count,
	const char *names, size_t lines);
/* Returns the rates of a plan: "8,644 tokens/s/GPU (138,297/s of all), 508 Tflop/s/GPU, MFU 51 %". */
const char *text_rates(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/* Returns the bottleneck of a plan: "64 % is forward and backward: ..."; "" if it is not known. */
const char *text_limit(struct report_sink *sink, const struct paradl_estimate *estimate);
/* Prints how many assumptions an answer makes, and which commands list them. */
void text_assumed(struct report_sink *sink, const struct report_head *head);

/* The printers of all documents: text_advice() and others. */
#define X(member, type, ...) void text_##member(struct report_sink *sink, const struct type *report);
#include "report/written.def"
#undef X

#endif
