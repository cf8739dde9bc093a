/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that mutations begin with: what is shipped, and what tests have. */
#ifndef TESTS_FUZZ_MUTATOR_CORPUS_H
#define TESTS_FUZZ_MUTATOR_CORPUS_H

#include "text.h"

/* A file, and what kind of file it is to whoever reads it. */
struct seed {
	const char *kind; /* "model", as in a question's "@model" */
	char *name;       /* "resnet50.json" */
	struct text text;
};

struct corpus {
	struct seed *seeds;
	size_t count;
	struct text *questions; /* one to a line of questions.jsonl */
	size_t question_count;
};

/* Reads all files below the root of the sources; ends the program where there are none. */
void corpus_read(struct corpus *corpus, const char *root);
void corpus_free(struct corpus *corpus);
/* Any file of a kind, or of all kinds (NULL); NULL: there is no such kind. */
const struct seed *corpus_any(const struct corpus *corpus, const char *kind, struct chance *chance);

#endif
