/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares the search for reasons why measured phases differ from projected ones. A cause (cause_compute.c,
 * cause_network.c, cause_program.c) changes the model: machine, framework, plan or options, or a phase itself where
 * no number of the model stands for it. A cause is tested by making its change and estimating again: gaps that are
 * left then are gaps that the cause does not explain.
 */
#ifndef STUDY_DIAGNOSE_H
#define STUDY_DIAGNOSE_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "oracle/oracle.h"
#include "paradl/study.h"
#include "study/sweep.h"

/* Parts beyond those of a measurement: exchanges together with the time that compute hides. */
enum { PART_BUSY_GRADIENTS = PARADL_PART_COUNT, PART_BUSY_CALLS, PARTS };

/* A copy of the model with changes. */
struct counterfactual {
	struct paradl_machine machine;
	struct machine_network network; /* network of the machine, where it has one */
	struct paradl_framework framework;
	struct paradl_options options;
	struct paradl_plan plan;
	/* Changes that no number of the model makes: each phase is multiplied by times, then more_s is added. */
	double times[PARADL_PHASE_COUNT], more_s[PARADL_PHASE_COUNT];
	double outside_s; /* seconds of the total that are in no phase */
	bool changed;     /* whether to estimate again; otherwise phase_s stands */
	/* Factors of the times of measured curves: of those inside a node, and of those that cross nodes. */
	double curve_times[2];
	/* Estimated seconds: exposed ones of each phase; hidden ones of gradients and of layer-wise calls. */
	double phase_s[PARADL_PHASE_COUNT], hidden_s[2];
};

struct tested {
	const struct cause *cause;
	double value; /* value of the cause's number, or index of its change */
	bool at_end; /* whether the value is at an end of the range searched: a larger change would leave less */
	double left_s, score; /* left_s: sum of the gaps that are left; score: less is better */
	double part_s[PARTS];
	struct counterfactual model;
};

struct diagnosing {
	struct paradl_arena *arena;
	const struct paradl_oracle *oracle;
	const struct paradl_measurement *measurement;
	const struct paradl_estimate *estimate;
	double part_s[PARTS];     /* projected seconds */
	double measured_s[PARTS]; /* measured seconds; negative: not measured, or covered by finer parts */
	double tolerance_s[PARTS];
	/* Seconds of forward and backward, were no layer cut; negative: the plan cuts none. */
	double whole_s[2];
};

/* A cause of gaps, as a row in a table of limitations and bottlenecks (ParaDL paper, Table V). */
struct cause {
	const char *name, *summary;
	const char *category; /* category, such as "communication" */
	const char *origin;   /* origin of a bottleneck: "framework" or "system"; NULL: a limitation */
	const char *quantity; /* name of its number, "the rate of links between nodes"; NULL: it has none */
	enum dimension dimension; /* dimension of the number */
	/* Whether the number is whole, and is searched in equal steps rather than in equal factors. */
	bool whole, linear;
	bool share;        /* whether the number is a share, shown in percent */
	const char *check; /* advice for the user: what to look at */
	double cost;       /* addition to its score: how much less likely it is before anything is measured */
	unsigned phases;   /* phases that it changes, as bits 1u << phase */
	bool outside;      /* whether it changes the total only */
	bool (*applies)(const struct diagnosing *diagnosing);
	/* Returns the number as it is in the model; NULL: 0. */
	double (*assumed)(const struct diagnosing *diagnosing);
	/* Range of values to search: from assumed / down to assumed * up, or as a function fills it in. */
	double down, up;
	void (*range)(const struct diagnosing *diagnosing, double assumed, double *low, double *high);
	/*
	 * Changes the model so that the number is `value`; without a number, makes change `value`, an index. False:
	 * past the last.
	 */
	bool (*change)(const struct diagnosing *diagnosing, double value, struct counterfactual *model);
	const char *const *choices; /* names of the changes, by index, where no number says it */
	/* Returns the name of a change, of causes whose changes are called after the plan or machine. */
	const char *(*call)(const struct diagnosing *diagnosing, double value);
	/* Returns evidence other than times of phases: 0 contradicts, 1 neither, 2 supports. NULL: 1. */
	double (*evidence)(const struct diagnosing *diagnosing);
};
#define X(id) extern const struct cause cause_##id;
#include "study/cause.def"
#undef X

enum {
	PHASES_COMPUTE = 1 << PARADL_FORWARD | 1 << PARADL_BACKWARD | 1 << PARADL_RECOMPUTE |
			 1 << PARADL_WEIGHT_UPDATE,
	PHASES_PASSES = 1 << PARADL_FORWARD | 1 << PARADL_BACKWARD | 1 << PARADL_RECOMPUTE,
	PHASES_COMMUNICATION = 1 << PARADL_GRADIENT_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE |
			       1 << PARADL_HALO_EXCHANGE | 1 << PARADL_STAGE_TRANSFER
};

/* Returns the framework's rules for networks of this kind. */
static inline const struct rules *diagnosing_rules(const struct diagnosing *diagnosing)
{
	return &diagnosing->oracle->framework->rules[diagnosing->oracle->model->tokens];
}

/* Returns the rules of the changed model for networks of this kind, to change them. */
static inline struct rules *counterfactual_rules(
	const struct diagnosing *diagnosing, struct counterfactual *model)
{
	return &model->framework.rules[diagnosing->oracle->model->tokens];
}

/* Returns the phases that a part covers, as bits 1u << phase. */
unsigned part_phases(unsigned part);

/* Fills `model` with the model as it is, without changes; the next five are in diagnose_model.c, too. */
void counterfactual_begin(const struct diagnosing *diagnosing, struct counterfactual *model);
/* Fills the seconds of each part; false when the changed model cannot run the plan. */
bool counterfactual_run(
	const struct diagnosing *diagnosing, struct counterfactual *model, double part_s[PARTS]);
/* Fills phase_s and hidden_s. */
void counterfactual_phases(struct counterfactual *model, const struct paradl_estimate *estimate);
/* Multiplies the rates of links between nodes (`between`), or of links inside them, by a factor; latencies stay. */
void counterfactual_rates(struct counterfactual *model, bool between, double factor);
double machine_ring_bytes_per_s(const struct paradl_machine *machine, bool between);
unsigned diagnosing_nodes(const struct diagnosing *diagnosing);

/*
 * Finds the value of the cause's number that leaves least, after the changes of `before`; in diagnose_test.c. False:
 * the cause does not apply, or leaves no less than there is.
 */
bool cause_test(const struct diagnosing *diagnosing, const struct cause *cause,
	const struct counterfactual *before, struct tested *tested);
/* Returns measured less estimated seconds of a part; of the total, its gap less the gaps of its measured parts. */
double part_left_s(const struct diagnosing *diagnosing, unsigned part, const double part_s[PARTS]);
double gaps_left_s(const struct diagnosing *diagnosing, const double part_s[PARTS]);
bool part_is_off(const struct diagnosing *diagnosing, unsigned part, const double part_s[PARTS]);

/* Fills the texts and numbers of a row that describe a tested cause; in diagnose_test.c. False: out of memory. */
bool cause_describe(const struct diagnosing *diagnosing, const struct tested *tested,
	const double before_s[PARTS], struct paradl_cause *row);

/* Returns the measured time of a part; NULL: it was not measured. */
const struct paradl_measured_time *measured_time(const struct paradl_measurement *measurement, unsigned part);

/* ---- windows: points that are done together, before the first of them is given on ---- */

/* A point of the window. */
struct job {
	unsigned long long index, world;
	bool done;
	unsigned worker;
	size_t place, length; /* place of its text in the worker's, if it is there, and its length */
	const char *text;     /* text, if received; NULL: it is the worker's */
};

/* The texts that a thread has written in this window. */
struct worker {
	char *text;
	size_t length, room;
	struct sweep_answer answer;
	size_t places[SWEEP_MOST_DIMENSIONS + 1];
	struct paradl_error error;
	size_t failed; /* index of the job that failed */
};

struct windows {
	struct paradl_sweep *sweep;
	const struct paradl_sweep_run *wanted;
	struct worker *workers;
	struct job *jobs, **order; /* jobs by index; order: by world */
	size_t count;              /* number of jobs of the window */
	bool ends;                 /* whether somebody wants to end the run */
	double window_s;           /* seconds that the slowest member took */
};

/* Runs jobs [first, end) of the order; in window.c. False: error is set. */
bool window_do(struct windows *run, size_t first, size_t end, struct paradl_error *error);
const char *window_text(const struct windows *run, const struct job *job);

/* Gives the jobs that are done to the team, and gets those of the others; in window.c. False: error is set. */
bool window_exchange(struct windows *run, struct paradl_error *error);

#endif
