/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans of parts as files: format "paradl-plan", paradl-plan(5). A file names layers; the layers between the names
 * are known only with the network.
 */
#ifndef PLAN_LAYERED_PLAN_H
#define PLAN_LAYERED_PLAN_H

#include "base/json.h"
#include "paradl/oracle.h"

struct layered_file_part {
	const struct json *node;
	const char *from, *to;   /* names of its first and last layer */
	unsigned stage;          /* stage of the part, from 1 */
	struct paradl_plan plan; /* plan of the part, with the file's batch */
};

struct layered_file {
	const struct json *root;
	const char *model;
	unsigned devices, stages;
	double batch, micro_batches; /* micro_batches 0: the default */
	enum paradl_pipeline_schedule schedule;
	const struct layered_file_part *parts;
	unsigned part_count;
};

/* Reads and checks what does not depend on the network: keys, plans, numbers of devices and stages. */
bool layered_read(struct paradl_arena *arena, const struct json *root, struct layered_file *file,
	struct paradl_error *error);

/* Checks a plan of parts for likely mistakes (lint); false with an error where the file cannot be read. */
bool layered_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

#endif
