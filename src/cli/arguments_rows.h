/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of option rows (tables.def) share these macros; rows of one command stand in its file. A row holds all about an option: its names, the field
 * that takes its value, its range, help and completion, and the commands that have it.
 */
#ifndef CLI_ARGUMENTS_ROWS_H
#define CLI_ARGUMENTS_ROWS_H

#include "cli/arguments.h"

#define AT(field) .offset = offsetof(struct arguments, field)
#define ASKS      "advise estimate search"
#define JOBS      " federate" /* another command about a model on a machine */
#define FEEDS     ASKS " diagnose report io hide sweep whatif" /* have input pipelines */
#define SERVES    ASKS " compare report sweep whatif"          /* have inference */
#define ON_MODELS FEEDS JOBS " compare export"
#define WRITES                                                                                               \
	"advise check collective compare diagnose estimate federate fit hide io list search sweep validate " \
	"whatif" /* write documents, with -o to a file */
#define REPORTS WRITES " calibrate"

#define DRAWS  "advise collective compare estimate fit search validate whatif"
#define GROUPS "collective export"

#define ROW(commands_, name_, kind_, field, argument_)                                                       \
	.name = (name_), .kind = (kind_), AT(field), .argument = (argument_), .commands = commands_
#define FLAG(name_, field, commands_)                                                                        \
	.name = (name_), .kind = OPTION_FLAG, AT(field), .group = "Output", .commands = commands_

#define X(id) extern const struct option_table arguments_##id;
#define Z(id) X(id)
#include "cli/tables.def"
#undef X
#undef Z

const char *arguments_goal(size_t index);
/* Returns name `index` of `count` names; NULL past the last. */
const char *arguments_pick(const char *const *names, size_t count, size_t index);

#endif
