/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an engine with continuous batching answers requests, of what its steps take. */
#ifndef ORACLE_SERVING_H
#define ORACLE_SERVING_H

#include "paradl.h"

/* Shares of requests of which percentiles are what they take at most; that of the mean is 0. */
extern const double engine_share[PARADL_PERCENTILE_COUNT];

/* What takes a step of one replica's devices: so many sequences get their next token, so many prompts are read beside. */
struct engine_steps {
	double (*step_s)(void *context, double sequences, double prompts);
	void *context;
};

/* The program, and who asks: each of `clients` sends its next request when it has the last answer, or requests come as they like. */
struct engine {
	double clients;
	double prompt_tokens,
		output_tokens; /* prompt_tokens: that are read, besides those that the cache has */
	double rate_per_s; /* of requests that come at random, whatever is under way; 0: clients send them */
	double gains;      /* tokens that a step gives a sequence */
	double seats;      /* sequences that there is memory for */
	double requests;   /* of all clients together, the first of each at once; 0: it never ends */
	double spread;     /* answers are up to this share shorter */
	double chunk_tokens;  /* of prompts in one step, at most */
	double prompt_host_s; /* of each request, besides its steps */
	bool mixes;           /* prompts are read beside sequences; else alone, and first */
	/* Prompts may be read by others, so many for each engine; 0: by itself. */
	double readers, all_readers; /* all: of all engines, which share them */
	double room;                 /* prompts that one reads at once */
	double reads_s
		[2]; /* what it takes for each prompt: of one at a time, and of as many as it has room for */
	double transfer_s; /* until keys and values are where the answer is made */
};

/* Means over requests, of a replica. */
struct engine_answer {
	double first_s;    /* from a request to its first token */
	double token_s;    /* from each token to the next */
	double request_s;  /* to the last token */
	double wait_s;     /* of first_s: for a seat and for prompts of others */
	double seat_s;     /* of it: for a seat */
	double steps;      /* of an answer, after its first token */
	double gains;      /* tokens that each of them gives */
	double sequences;  /* of a step */
	double step_s;     /* without prompts */
	double prompt_s;   /* that each prompt adds to the others' time */
	double reads_s;    /* that a prompt takes which waits for nobody */
	double under_way;  /* requests, waiting ones included */
	double most_per_s; /* requests, when there is always one more */
	double first_percentile_s[PARADL_PERCENTILE_COUNT], token_percentile_s[PARADL_PERCENTILE_COUNT];
};

/* What requests at a rate wait for, apart from a seat, and what interrupts their answers. */
struct open_waits {
	double mean_s, load; /* for prompts of others, and how many of all wait for those */
	double rest_s;       /* for the end of a step */
	double own_s;        /* that a prompt is read which nobody is read with */
	double interrupted_s, varies,
		most_s; /* of an answer: on average, standard deviation over it, at most */
};

/* Steps of an answer after its first token. */
double engine_answer_steps(const struct engine *engine);
/* How many of so many requests under way come with one that comes, if answers are so many steps apart in length. */
double engine_together(double apart, double steps, double running);
/*
 * Fills means and percentiles of requests of clients, of an answer that has the time to the first token of those that wait for wait_s on
 * average; the first of clients wait for at_first_s. What counts tokens by steps is by tokens afterwards.
 */
void engine_clients_fill(
	const struct engine *engine, double wait_s, double at_first_s, struct engine_answer *answer);
/* Returns the share of requests that find all of so many servers taken, each of them for a share of time: Sakasegawa 1977. */
double engine_found(double busy, double servers);
/* Fills times and percentiles of requests at a rate, of an answer that has steps, what they take, and what is read. */
void engine_rate_fill(
	const struct engine *engine, const struct open_waits *waits, struct engine_answer *answer);
/* The same as below where others read prompts: src/oracle/serving_pools.c. */
void engine_pools(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);
bool engine_pools_open(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);

/* Finds the steady state, by repeated substitution: src/oracle/serving.c. Asks for some 20 steps, at most for twice 24. */
void engine_solve(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);

/*
 * The same of requests that come at random (Poisson): src/oracle/serving_open.c. False if they come faster than they are answered,
 * most_per_s; the rest is then what that many take.
 */
bool engine_solve_open(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);

#endif
