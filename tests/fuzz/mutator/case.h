/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One case: a mutated file that is loaded, or a mutated question with mutated files that is asked. */
#ifndef TESTS_FUZZ_MUTATOR_CASE_H
#define TESTS_FUZZ_MUTATOR_CASE_H

#include "corpus.h"

struct case_text {
	const struct seed *seed; /* NULL: it is a question */
	struct text text;
};

/* Makes the case of a number; the same for the same seed, corpus and number. */
void case_make(const struct corpus *corpus, uint64_t seed, uint64_t number, struct case_text *made,
	struct chance *chance);
/* Does it; what does not hold ends the program. Returns whether the input was accepted. */
bool case_run(const struct case_text *made, const char *root, struct chance *chance);

#endif
