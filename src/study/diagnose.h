/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why measured phases differ from projected ones. A cause (cause/NAME.c) is a change of the model: of machine, framework,
 * plan or options, or of a phase itself where no number of the model stands for it. It is tested by making that change and
 * estimating again: what then differs still is what the cause leaves unexplained.
 */
#ifndef STUDY_DIAGNOSE_H
#define STUDY_DIAGNOSE_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "oracle/oracle.h"

/* Besides the parts: exchanges with what compute hides of them. */
enum { PART_BUSY_GRADIENTS = PARADL_PART_COUNT, PART_BUSY_CALLS, PARTS };

/* The model with something changed. */
struct counterfactual {
	struct paradl_machine machine;
	struct machine_network network; /* the machine's, where it has one */
	struct paradl_framework framework;
	struct paradl_options options;
	struct paradl_plan plan;
	/* What no number of the model makes: phases are multiplied, then added to. */
	double times[PARADL_PHASE_COUNT], more_s[PARADL_PHASE_COUNT];
	double outside_s;   /* of the total, in no phase */
	bool changed;       /* estimate again; else `phase_s` stands */
	double curve_times; /* of measured curves that cross nodes */
	/* As estimated: what nothing hides; what is hidden of gradients and of layer-wise calls. */
	double phase_s[PARADL_PHASE_COUNT], hidden_s[2];
};

struct tested {
	const struct cause *cause;
	double value;         /* of its number */
	bool at_end;          /* of the range that was searched: a larger change would leave less */
	double left_s, score; /* sum of what is left of the gaps; less is better */
	double part_s[PARTS];
	struct counterfactual model;
};

struct diagnosing {
	struct paradl_arena *arena;
	const struct paradl_oracle *oracle;
	const struct paradl_measurement *measurement;
	const struct paradl_estimate *estimate;
	double part_s[PARTS];     /* projected */
	double measured_s[PARTS]; /* negative: not measured, or covered by finer parts */
	double tolerance_s[PARTS];
	double whole_s[2]; /* forward and backward, were no layer cut; negative: the plan cuts none */
};

/* What a cause changes, in a table of limitations and bottlenecks (ParaDL paper, Table V). */
struct cause {
	const char *name, *summary;
	const char *category;     /* "communication" */
	const char *origin;       /* of bottlenecks: "framework", "system"; NULL: a limitation */
	const char *quantity;     /* "the rate of links between nodes"; NULL: it has no number */
	enum dimension dimension; /* of the number */
	bool whole, linear;       /* the number is whole; is searched in equal steps, not in equal factors */
	bool share;               /* of something: shown in percent */
	const char *check;        /* what to look at */
	double cost;     /* added to its score: how much less likely it is before anything is measured */
	unsigned phases; /* 1u << phase that it moves */
	bool outside;    /* it moves the total only */
	bool (*applies)(const struct diagnosing *diagnosing);
	double (*assumed)(const struct diagnosing *diagnosing); /* the number as it is; NULL: 0 */
	/* The values to search: from assumed / down to assumed * up, or what a function fills in. */
	double down, up;
	void (*range)(const struct diagnosing *diagnosing, double assumed, double *low, double *high);
	/* Without a number: the index-th change; false past the last. With one, `value` is the number. */
	bool (*change)(const struct diagnosing *diagnosing, double value, struct counterfactual *model);
	const char *const *choices; /* what each change is called, where no number says it */
	/* The same of causes whose changes are called after the plan or machine. */
	const char *(*call)(const struct diagnosing *diagnosing, double value);
	/* Evidence besides times: 0 contradicts, 1 neither, 2 supports. NULL: 1. */
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

/* Returns those of the changed model, to change them. */
static inline struct rules *counterfactual_rules(
	const struct diagnosing *diagnosing, struct counterfactual *model)
{
	return &model->framework.rules[diagnosing->oracle->model->tokens];
}

/* Phases that a part covers. */
unsigned part_phases(unsigned part);

/* diagnose_model.c */
void counterfactual_begin(const struct diagnosing *diagnosing, struct counterfactual *model);
/* Time of each part; false when the changed model cannot run the plan. */
bool counterfactual_run(
	const struct diagnosing *diagnosing, struct counterfactual *model, double part_s[PARTS]);
/* Fills phase_s and hidden_s. */
void counterfactual_phases(struct counterfactual *model, const struct paradl_estimate *estimate);
/* Rates of what crosses nodes (`between`), or of links inside them, times a factor; latencies alike. */
void counterfactual_rates(struct counterfactual *model, bool between, double factor);
double machine_ring_bytes_per_s(const struct paradl_machine *machine, bool between);
unsigned diagnosing_nodes(const struct diagnosing *diagnosing);

/* diagnose_test.c: the value of the cause's number that leaves least, after the changes of `before`. */
bool cause_test(const struct diagnosing *diagnosing, const struct cause *cause,
	const struct counterfactual *before, struct tested *tested);
/* Measured less estimated; of the total, what its measured parts leave of that. */
double part_left_s(const struct diagnosing *diagnosing, unsigned part, const double part_s[PARTS]);
double gaps_left_s(const struct diagnosing *diagnosing, const double part_s[PARTS]);
bool part_is_off(const struct diagnosing *diagnosing, unsigned part, const double part_s[PARTS]);

/* diagnose_text.c */
bool cause_describe(const struct diagnosing *diagnosing, const struct tested *tested,
	const double before_s[PARTS], struct paradl_cause *row);

/* diagnose_layers.c */
bool diagnosis_layers(
	const struct diagnosing *diagnosing, struct paradl_diagnosis *diagnosis, struct paradl_error *error);

/* The measured part, or NULL. */
const struct paradl_measured_time *measured_time(const struct paradl_measurement *measurement, unsigned part);

#endif
