/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of input: --dataset, --shuffle, --store, --cache and what belongs to them. */
#ifndef CLI_INPUT_OPTIONS_H
#define CLI_INPUT_OPTIONS_H

#include "cli/session.h"

/* All but --dataset. False: an error is set. */
bool input_options_read(struct session *session, struct paradl_input_options *options);
/* "partial:25%" of --shuffle; all but the store of a way. */
bool input_shuffle_read(struct session *session, const char *text, struct paradl_input_way *way);
/* *model with the data set of --dataset, if there is one; its path goes to *path, else NULL. */
bool input_dataset_read(struct session *session, const struct paradl_model **model, const char **path);
/* Adds the options to a command line, as they were typed. */
void input_options_again(struct session *session, const char **text);

#endif
