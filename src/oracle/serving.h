/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions find how an engine with continuous batching answers requests, from the time of its steps. */
#ifndef ORACLE_SERVING_H
#define ORACLE_SERVING_H

#include "paradl.h"

/* Shares of requests that take no more than each percentile; that of the mean is 0. */
extern const double engine_share[PARADL_PERCENTILE_COUNT];

/* Prices of steps of one replica's devices: sequences get their next token, prompts are read beside them. */
struct engine_steps {
	double (*step_s)(void *context, double sequences, double prompts);
	void *context;
};

/*
 * Engine: the program, and who asks it. Each of `clients` sends its next request when it has the last answer, or
 * requests come at a rate.
 */
struct engine {
	double clients;
	double prompt_tokens,
		output_tokens; /* prompt_tokens: tokens that are read, without those that the cache has */
	/* Requests that come at random, whatever is under way; 0: clients send them. */
	double rate_per_s;
	double gains;    /* tokens that a step gives a sequence */
	double seats;    /* sequences that there is memory for */
	double requests; /* requests of all clients together, the first of each at once; 0: it never ends */
	double spread;   /* answers are up to this share shorter */
	bool pages;  /* answers take memory as they grow: where it is full, the newest is read again later */
	bool seated; /* no more than `seats` are let in, although prompts of more would have room */
	double chunk_tokens;  /* tokens of prompts in one step, at most */
	double prompt_host_s; /* host time of each request outside of its steps */
	bool mixes;           /* prompts are read beside sequences; else alone, and first */
	/* Replicas that take steps together, and steps that a prompt waits at most until each has one; 0: none waits. */
	double joined, balance;
	/* Others may read the prompts: this number of readers for each engine; 0: the engine itself reads them. */
	double readers, all_readers; /* all_readers: those of all engines, which share them */
	double group; /* readers that share experts, and so begin and end their steps together; 0: none does */
	double room;  /* prompts that one reader takes at once */
	double reads_s
		[2];   /* seconds for each prompt: of one at a time, and of as many as there is room for */
	double lone_s; /* of a step of a group in which only one has a prompt */
	double transfer_s; /* seconds until keys and values are where the answer is made */
	double latency_s;  /* part of transfer_s, however long a prompt is */
};

/* Means over the requests of a replica. */
struct engine_answer {
	double first_s;   /* seconds from a request to its first token */
	double token_s;   /* seconds from each token to the next */
	double request_s; /* seconds from a request to its last token */
	double wait_s;    /* part of first_s: for a seat and for prompts of others */
	double seat_s;    /* part of wait_s: for a seat */
	double steps;     /* steps of an answer, after its first token */
	double gains;     /* tokens that each of these steps gives */
	double sequences; /* sequences of a step */
	double step_s;    /* seconds of a step without prompts */
	double prompt_s;  /* seconds that each prompt adds to the others' time */
	double reads_s;   /* seconds of a prompt that waits for nobody */
	double under_way; /* requests under way, waiting ones included */
	double preempted; /* how often a request gives its memory to others, and is read again */
	double replayed_per_s; /* requests of a trace, on all replicas, over the time until all have their answer */
	double most_per_s; /* requests per second that may come: 95 % of those when there is always one more */
	double first_percentile_s[PARADL_PERCENTILE_COUNT], token_percentile_s[PARADL_PERCENTILE_COUNT];
};

/* Waits of requests at a rate, apart from a seat's, and interruptions of their answers. */
struct open_waits {
	double mean_s, load; /* for prompts of others, and the share of all requests that wait for those */
	double rest_s;       /* for the end of a step */
	double own_s;        /* seconds of reading a prompt that is read alone */
	double interrupted_s, varies,
		most_s; /* interruptions of an answer: on average, standard deviation over the average, at most */
};

/* Returns the steps of an answer after its first token. */
double engine_answer_steps(const struct engine *engine);
/* Returns a percentile of what is gamma with this mean, and varies by so much over it: src/oracle/serving_closed.c. */
double engine_gamma(double mean, double varies, enum paradl_percentile percentile);
/*
 * Fills means and percentiles of requests of clients, for an answer that has the time to the first token of those that
 * wait for wait_s on average; the first requests of clients wait for at_first_s. Turns token_s from steps to tokens.
 */
void engine_clients_fill(
	const struct engine *engine, double wait_s, double at_first_s, struct engine_answer *answer);
/* Returns the share of requests that find all `servers` taken, each for the share `busy` of time: Sakasegawa 1977. */
double engine_found(double busy, double servers);
/* Fills times and percentiles of requests at a rate, for an answer with its steps, their times, and reads_s. */
void engine_rate_fill(
	const struct engine *engine, const struct open_waits *waits, struct engine_answer *answer);
/* Finds the same as below where others read prompts: src/oracle/serving_pools.c. */
void engine_pools(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);
bool engine_pools_open(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);

/* Finds the steady state by repeated substitution: src/oracle/serving.c. Asks for some 20 steps, at most twice 24. */
void engine_solve(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);

/*
 * Finds the same for requests that come at random (Poisson): src/oracle/serving_open.c. Returns false if they come
 * faster than they are answered, most_per_s; the rest of the answer then is for that rate.
 */
bool engine_solve_open(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer);
/* Returns a bound of most_per_s, from three steps. */
double engine_bound_per_s(const struct engine *engine, const struct engine_steps *steps);

#endif
