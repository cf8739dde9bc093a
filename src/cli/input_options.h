/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of input: --dataset, --shuffle, --store, --cache and those that go with them. */
#ifndef CLI_INPUT_OPTIONS_H
#define CLI_INPUT_OPTIONS_H

#include "cli/session.h"
#include "paradl/study.h"

/* Reads all options of input but --dataset; false: the error is set. */
bool input_options_read(struct session *session, struct paradl_input_options *options);
/*
 * Reads a value of --shuffle, such as "partial:25%", into all fields of `way` but the store; false: the error is
 * set.
 */
bool input_shuffle_read(struct session *session, const char *text, struct paradl_input_mode *way);
/*
 * Replaces *model by one with the data set of --dataset, if that is given; *path is then the path of its file, else
 * NULL. False: the error is set.
 */
bool input_dataset_read(struct session *session, const struct paradl_model **model, const char **path);
/* Adds the options to a command line, as they were typed. */
void input_options_again(struct session *session, const char **text);

#endif
