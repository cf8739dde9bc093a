/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of files that keep most of their structure, so that what is wrong is met behind the parser, too: values of JSON, cells and
 * lines of tables, fields of bytes. Which is which is seen by the text.
 */
#ifndef TESTS_FUZZ_MUTATOR_MUTATE_H
#define TESTS_FUZZ_MUTATOR_MUTATE_H

#include "text.h"

/* Changes a text in one place; `donor` is another text whose parts may be taken. */
void mutate(struct text *text, const struct text *donor, struct chance *chance);

/* The families; each does nothing where it finds nothing to change. */
void mutate_json(struct text *text, struct span within, const struct text *donor, struct chance *chance);
void mutate_lines(struct text *text, const struct text *donor, struct chance *chance);
void mutate_bytes(struct text *text, const struct text *donor, struct chance *chance);

/* A value that programs get wrong, as it is typed: a number, a quantity, a path, a plan ... */
const char *odd_value(struct chance *chance);

#endif
