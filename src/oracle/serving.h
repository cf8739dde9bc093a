/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an engine with continuous batching answers requests, of what its steps take. */
#ifndef ORACLE_SERVING_H
#define ORACLE_SERVING_H

#include <stdbool.h>

/* What takes a step of one replica's devices: so many sequences get their next token, so many prompts are read beside. */
struct engine_steps {
	double (*step_s)(void *context, double sequences, double prompts);
	void *context;
};

/* The program, and who asks: each of `clients` sends its next request when it has the last answer. */
struct engine {
	double clients, prompt_tokens, output_tokens;
	double seats;         /* sequences that there is memory for */
	double requests;      /* of all clients together, the first of each at once; 0: it never ends */
	double spread;        /* answers are up to this share shorter */
	double chunk_tokens;  /* of prompts in one step, at most */
	double prompt_host_s; /* of each request, besides its steps */
	bool mixes;           /* prompts are read beside sequences; else alone, and first */
};

/* Means over requests, of a replica. */
struct engine_answer {
	double first_s;   /* from a request to its first token */
	double token_s;   /* from each token to the next */
	double request_s; /* to the last token */
	double wait_s;    /* of first_s: for a seat and for prompts of others */
	double seat_s;    /* of it: for a seat */
	double steps;     /* of an answer, after its first token */
	double sequences; /* of a step */
	double step_s;    /* without prompts */
	double prompt_s;  /* that each prompt adds to the others' time */
	double reads_s;   /* that a prompt takes which waits for nobody */
};

/* Finds the steady state, by repeated substitution: src/oracle/serving.c. Asks for some 20 steps, at most for twice 24. */
void engine_solve(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);

#endif
