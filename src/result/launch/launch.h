/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a program that trains or serves is told a plan: what to type, its flags, perhaps a file, and in words what of the plan it
 * cannot do. A program is one file that ends in one `const struct launcher launcher_NAME` and one line X(NAME) in list.def.
 */
#ifndef RESULT_LAUNCH_LAUNCH_H
#define RESULT_LAUNCH_LAUNCH_H

#include <stdio.h>

#include "result/documents.h"

enum { LAUNCH_ITEMS = 96, LAUNCH_BYTES = 12288 };

struct launch_list {
	const char *items[LAUNCH_ITEMS];
	size_t count;
};

struct launch {
	struct launch_list command; /* words; none: the program cannot run the plan */
	struct launch_list flags;   /* an option each, with its value after a blank or '=' */
	struct launch_list file;    /* lines */
	const char *file_name;      /* "" when there is no file */
	bool is_for_own;            /* the file is the user's, and its lines belong into it */
	struct launch_list cannot;  /* what of the plan is not said, or not done */
	char text[LAUNCH_BYTES];    /* that all lists point into */
	size_t length;
};

/* A plan, and what of it every program asks for. */
struct launch_job {
	const struct report_head *head;
	const struct paradl_estimate *estimate;
	const struct paradl_plan *plan;
	const struct paradl_dimensions *dimensions; /* of the network */
	enum paradl_precision precision;
	double replicas;             /* that have samples of their own */
	double micro, micro_batches; /* samples of a micro-batch; its number for each replica */
	unsigned nodes, per_node;    /* processes of each: one for each device */
	bool overlaps_gradients, overlaps_tensor;
};

struct launcher {
	const char *name, *summary;
	const char *frameworks; /* words that names of profiles begin with which it fits; "": any */
	const char
		*profile; /* of the program itself, as a framework of networks of text; NULL: it starts any */
	bool serves;      /* it answers with a network, and trains none */
	const char
		*across; /* how a script is run on several nodes; NULL: on each of them, with $MASTER_ADDR */
	void (*tell)(struct launch *launch, const struct launch_job *job);
};

#define X(id) extern const struct launcher launcher_##id;
#include "result/launch/list.def"
#undef X

extern const struct launcher *const launchers[]; /* NULL-terminated, order of list.def */
/* The program of a framework profile. */
const struct launcher *launcher_of(const char *framework);

/* Is the head's program one for what is asked, training or answers? */
bool launch_applies(const struct report_head *head);
/* False: nothing is to be said, because the head names no such program, or the plan does not fit. */
bool launch_plan(
	struct launch *launch, const struct report_head *head, const struct paradl_estimate *estimate);

/* For launchers. printf into a list of the same launch. */
void launch_add(struct launch *launch, struct launch_list *list, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* "torchrun", with its numbers of nodes and processes, and the script. */
void launch_torchrun(struct launch *launch, const struct launch_job *job, const char *script);
/* Says what axes in use are not among `axes` (set of 1u << enum paradl_axis); true: none. */
bool launch_axes(struct launch *launch, const char *program, const struct launch_job *job, unsigned axes);
/* Says that the program nests the axes so, outermost first, where the plan does not. */
void launch_nesting(struct launch *launch, const char *program, const struct paradl_plan *plan,
	const enum paradl_axis *axes, size_t count);
/*
 * Of Megatron-Core, which nests pipeline, data, expert, context, tensor, and without experts also data, pipeline, context,
 * tensor: must that be asked for? Says so where the plan is neither.
 */
bool launch_data_outside(struct launch *launch, const char *program, const struct paradl_plan *plan);
/* Is the network a decoder that its dimensions say all of? Else says what is missing. */
bool launch_network(struct launch *launch, const char *program, const struct launch_job *job);
/* Says that heads, or what else the tensor axis cuts, are not divided by it. */
void launch_divides(struct launch *launch, const char *program, const struct launch_job *job);
/* Says that samples do not divide, where they do not. */
void launch_batch(struct launch *launch, const char *program, const struct launch_job *job);

#endif
