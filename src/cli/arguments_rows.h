/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of option rows share. A row is everything that is said about an option. */
#ifndef CLI_ARGUMENTS_ROWS_H
#define CLI_ARGUMENTS_ROWS_H

#include "cli/arguments.h"

#define AT(field) .offset = offsetof(struct arguments, field)
#define ASKS      "advise estimate search"
#define JOBS      " federate"                                  /* more that ask about a model on a machine */
#define FEEDS     ASKS " diagnose report io hide sweep whatif" /* and of steps that are fed */
#define SERVES    ASKS " compare report sweep whatif"          /* and of answers */
#define ON_MODELS FEEDS JOBS " compare export"
#define WRITES                                                                                               \
	"advise check collective compare diagnose estimate federate fit hide io list search sweep validate " \
	"whatif" /* documents, to -o too */
#define REPORTS WRITES " calibrate"

#define DRAWS  "advise collective compare estimate fit search validate whatif"
#define GROUPS "collective export"

#define ROW(commands_, name_, kind_, field, argument_)                                                       \
	.name = (name_), .kind = (kind_), AT(field), .argument = (argument_), .commands = commands_
#define FLAG(name_, field, commands_)                                                                        \
	.name = (name_), .kind = OPTION_FLAG, AT(field), .group = "Output", .commands = commands_

#define X(id) extern const struct option_table arguments_##id;
#include "cli/tables.def"
#undef X

const char *arguments_goal(size_t index);
/* The index-th name; NULL past the last. */
const char *arguments_pick(const char *const *names, size_t count, size_t index);

#endif
