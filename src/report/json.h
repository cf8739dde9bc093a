/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces that JSON documents are made of; json.c makes whole documents, jsonl.c one object per line. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "base/json_write.h"
#include "report/report.h"

struct json_writer json_writer_for(const struct report_sink *sink, bool compact);

void json_list(struct json_writer *writer, const char *key, const struct text_list *list);
void json_inputs(struct json_writer *writer, const struct report_head *head);
/* What documents about a model on a machine begin and end with. */
void json_begin_document(struct json_writer *writer, const char *schema, const struct report_head *head);
void json_end_document(struct json_writer *writer, const struct report_head *head);
void json_positive(struct json_writer *writer, const char *key, double value); /* negative: null */

/* Up to and without the closing brace, so that a caller can add members. */
void json_begin_result(struct json_writer *writer, const struct report_head *head,
	const struct paradl_estimate *estimate, size_t rank);
/* Flags that start the plan, where the head names a program. */
void json_launch(
	struct json_writer *writer, const struct report_head *head, const struct paradl_estimate *estimate);
void json_begin_estimate(struct json_writer *writer, const struct report_estimate *report);
/* strategy: in place of the plan's text. */
void json_begin_named_result(struct json_writer *writer, const struct report_head *head, const char *strategy,
	const struct paradl_estimate *estimate, size_t rank);
/* "power" and "price" of a result; null: not known. */
void json_power(struct json_writer *writer, const struct paradl_power *power);
void json_price(struct json_writer *writer, const struct paradl_price *price);
/* "run" of a result; nothing where no whole training is asked about. */
void json_run(struct json_writer *writer, const struct report_head *head,
	const struct paradl_run_request *job, const struct paradl_run *run);
void json_infeasible(
	struct json_writer *writer, const struct paradl_infeasible *infeasible, double gpus, bool is_row);
void json_measured_row(struct json_writer *writer, const struct paradl_measured_row *row);
void json_listing_row(
	struct json_writer *writer, const struct report_listing *listing, const struct listing_cell *cells);
void json_checked_file(struct json_writer *writer, const struct checked_file *file);

/* "timeline" of a result. */
void json_timeline(struct json_writer *writer, const struct paradl_timeline *timeline);
/* Members of a result: its parts, what is dealt out again between them. */
void json_parts(struct json_writer *writer, const struct report_parts *parts);
void json_layers(struct report_sink *sink, const struct report_layers *report);
void jsonl_layers(struct report_sink *sink, const struct report_layers *report);
void json_io(struct report_sink *sink, const struct report_io *report);
void jsonl_io(struct report_sink *sink, const struct report_io *report);
void json_search(struct report_sink *sink, const struct report_search *report);
void jsonl_search(struct report_sink *sink, const struct report_search *report);
void json_validation(struct report_sink *sink, const struct report_validation *report);
void json_fit(struct report_sink *sink, const struct report_fit *report);
void jsonl_fit(struct report_sink *sink, const struct report_fit *report);
void json_calibration(struct report_sink *sink, const struct report_calibration *report);
void jsonl_calibration(struct report_sink *sink, const struct report_calibration *report);
void json_listing(struct report_sink *sink, const struct report_listing *listing);
void json_calibrate(struct report_sink *sink, const struct report_calibrate *report);
void jsonl_calibrate(struct report_sink *sink, const struct report_calibrate *report);
void json_collective(struct report_sink *sink, const struct report_collective *report);
void jsonl_collective(struct report_sink *sink, const struct report_collective *report);
void json_hide(struct report_sink *sink, const struct report_hide *report);
void jsonl_hide(struct report_sink *sink, const struct report_hide *report);
void json_diagnosis(struct report_sink *sink, const struct report_diagnosis *report);
void jsonl_diagnosis(struct report_sink *sink, const struct report_diagnosis *report);
void json_federate(struct report_sink *sink, const struct report_federate *report);
void jsonl_federate(struct report_sink *sink, const struct report_federate *report);
void json_check(struct report_sink *sink, const struct report_check *check);

/* Rows of a ranking that are shown. */
size_t json_shown(const struct report_advice *advice, const struct paradl_ranking *ranking);

#endif
