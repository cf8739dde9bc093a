/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions find how prompts of clients meet on their way to an engine: src/oracle/serving_arrivals.c. */
#ifndef ORACLE_SERVING_ARRIVALS_H
#define ORACLE_SERVING_ARRIVALS_H

#include <stdbool.h>

/* Answers that end, and prompts that their clients send. */
struct arrivals {
	double ends;     /* answers of others that end with each step */
	double step_s;   /* seconds of a step without prompts */
	double prompt_s; /* seconds that each prompt adds */
	double host_s; /* mean time outside of the engine, from an answer to the next prompt; 0: it is there at once */
	double room;   /* prompts that one step has room for */
	double parted; /* share of their answers' length over which requests are apart */
};

/* Means over prompts. */
struct meeting {
	double prompts;  /* that are read one after the other, from the first until none is left */
	double together; /* that one step reads */
	double waits;    /* readings of others that a prompt waits for */
	double rest_s;   /* rest of the step in which it comes */
	double steps;    /* tokens that others get until it comes */
};

/* Fills a meeting of prompts that are read alone, and first. */
void arrivals_alone(const struct arrivals *arrivals, struct meeting *meeting);
/* Fills a meeting of prompts that are read in the steps of others' tokens. */
void arrivals_beside(const struct arrivals *arrivals, struct meeting *meeting);
/*
 * Returns what `clients` prompts that are sent at once wait for one another, if a step reads `together` of them and a
 * prompt that waits for nobody is read in reads_s. They come as the host is done with them, c (1 - exp(-x / h)) until x.
 */
double arrivals_at_once_s(double clients, double together, double prompt_s, double host_s, double reads_s);
/* Returns the time from the end of a step to the end of that in which host_s ends, where steps take step_s. */
double arrivals_away_s(double step_s, double host_s);

/* Prompts that wait until each of `joined` replicas has one, where `rate` come in a second, or until longest_s. */
struct balanced {
	double prompts; /* that are read together */
	double wait_s;  /* of one of them, on average */
};
struct balanced arrivals_balanced(double joined, double rate, double longest_s);

#endif
