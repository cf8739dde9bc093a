/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that documents for people are made of; text.c puts them together. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/column.h"

/* "256 GPUs in 64 nodes" */
const char *text_devices(struct report_sink *sink, const struct report_head *head, double devices);
/* Prints a title, bold; one that is too wide is continued after a ", ". */
void text_heading(struct report_sink *sink, const char *title);
/* "ResNet-50 on ABCI: 256 GPUs in 64 nodes, ...", the size of the model at the right if there is room. */
void text_title(struct report_sink *sink, const struct report_head *head, const char *run);
/* "global batch 1,024"; of inference "inference, batch 64", or "inference, 50 requests/s"; batch 0: each plan has its own. */
const char *text_batch(struct report_sink *sink, const struct report_head *head, double batch);
/* "paradl estimate resnet50 --hw abci -s data=64 --batch 2048", which says more of a plan. */
const char *text_details(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/* "64 samples/GPU" */
const char *text_samples_each(struct report_sink *sink, double batch, double devices);
/* ", fp32, ideal, 16 GiB/GPU" */
const char *text_conditions(struct report_sink *sink, const struct report_head *head);
void text_assumptions(struct report_sink *sink, const struct report_head *head);
/* "spatial inside a node, data across nodes"; "" for a serial plan. */
/* The value of NCCL_ALGO for an algorithm, "Tree" for "allreduce-double-tree"; NULL: the library has none for it. */
const char *text_nccl_algorithm(const char *library, const char *algorithm);
const char *text_placement(
	struct report_sink *sink, const struct report_head *head, const struct paradl_plan *plan);
const char *text_plan(struct report_sink *sink, const struct paradl_plan *plan);
/* What limits the plan, what to improve, what others on the network cost. */
void text_verdict(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/*
 * Returns "1.03× over data=8; it takes 6 % to tell two plans apart, so treat 1 to 3 as equal": the first `equal` plans cannot be told apart.
 */
const char *text_margin(struct report_sink *sink, enum paradl_goal goal, const struct paradl_estimate *best,
	size_t equal, const char *ahead);
/* How far the time may be off, and what of the plan was never checked; nothing of an ideal one. */
void text_band(struct report_sink *sink, const struct paradl_estimate *estimate);
/* How the plan is started, where the head names a program: a command that can be pasted, a file, what the program cannot do. */
void text_launch(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/* Strategies that fell out, why, and what would make them fit; `most` of them, 0: all. */
void text_infeasible(struct report_sink *sink, const struct paradl_infeasible *rows, size_t all, size_t most);

void text_ranking(struct report_sink *sink, const struct report_advice *advice);
/* Trades between goals, and the best plan for each pair of degrees. */
void text_front(struct report_sink *sink, const struct report_search *report);
void text_map(struct report_sink *sink, const struct report_search *report);
/* The column that shows what a goal makes small. */
const char *text_goal_column(const struct report_search *report, enum paradl_goal goal);
void text_sweep(struct report_sink *sink, const struct report_advice *advice);
/* Power, energy and cost, with their parts. */
void text_power(struct report_sink *sink, const struct report_estimate *report);
const char *text_energy(struct report_sink *sink, double joule); /* "1.24 kWh" */
/* A lane for each stage of a pipeline. */
void text_timeline(struct report_sink *sink, const struct report_timeline *report);
/* A line: of what capacity, by class, when. */
void text_memory(struct report_sink *sink, const struct paradl_estimate *estimate);
void text_memory_table(struct report_sink *sink, const struct paradl_estimate *estimate);
/* A plan of parts: a table of them, tensors that are dealt out again, what the parts would take otherwise. */
void text_parts(struct report_sink *sink, const struct report_parts *parts);
void text_moves(struct report_sink *sink, const struct report_parts *parts);
void text_why(struct report_sink *sink, const struct report_parts *parts);
/* Of published results: sets instead of rows, and each reason to skip once. */
void text_published(struct report_sink *sink, const struct report_validation *report);
/* Below the table of ways to feed plans: fixes, what it takes, resources, risk. */
void text_io_below(struct report_sink *sink, const struct report_io *report);
const char *text_io_times(struct report_sink *sink, double times); /* "6.82", "66,400" */
/* "partial:0.1", "pooled" */
const char *text_io_way(struct report_sink *sink, const struct paradl_input_way *way);
void text_whatif_pair(struct report_sink *sink, const struct report_whatif *report);
void text_whatif_title(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate);
void text_schedule(struct report_sink *sink, const struct report_collective *report);
void text_networks(struct report_sink *sink, const struct report_collective *report);
/* The algorithms of one network at the largest size; `where`: "torus:8x8, ", or "". */
void text_algorithms(struct report_sink *sink, const struct report_network *network, const char *where);
const char *text_joule(struct report_sink *sink, double joule);
/* "ring, chunks=16" */
const char *text_algorithm(
	struct report_sink *sink, const struct paradl_collective_table *table, size_t choice, size_t row);

/* A whole training: its time, energy and cost, checkpoints, failures. */
void text_job(struct report_sink *sink, const struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_run *run);
/* Whether it is in time, where there is a deadline. */
void text_deadline(
	struct report_sink *sink, const struct paradl_run_request *job, const struct paradl_run *run);
/* Its first line. */
void text_run(struct report_sink *sink, const struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_run *run);
/* "job_s,run_in_time,": what a table shows of it; "" else. */
const char *text_job_columns(struct report_sink *sink, const struct report_advice *advice);

/* Of inference: first token, each token, throughput, the largest batch. */
void text_inference(struct report_sink *sink, const struct paradl_estimate *estimate);
const char *text_inference_columns(const struct report_advice *advice);
/* ", prompts of 1,024 tokens, answers of 128"; "" else */
const char *text_inference_lengths(struct report_sink *sink, const struct paradl_estimate *estimate);

/* "epoch_s", or "iteration_s" when the model names no data set. */
const char *text_time_column(const struct report_advice *advice);
/*
 * A table of ranking columns, named in a comma list: of as many rows as take `lines` of text, but of three at least; 0: of all.
 * Returns how many it shows.
 */
size_t text_ranking_table(struct report_sink *sink, const struct ranking_row *rows, size_t count,
	const char *names, size_t lines);
/* What a plan does in a second: "8,644 tokens/s/GPU (138,297 of all), 508 Tflop/s/GPU, MFU 51 %"; "" of an ideal one. */
const char *text_rates(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate);
/* What limits a plan: "64 % is forward and backward: ...". */
const char *text_limit(struct report_sink *sink, const struct paradl_estimate *estimate);
/* How many things an answer takes as given, and what lists them. */
void text_assumed(struct report_sink *sink, const struct report_head *head);

/* Every document: text_advice() and others. */
#define X(member, type, ...) void text_##member(struct report_sink *sink, const struct type *report);
#include "report/written.def"
#undef X

#endif
