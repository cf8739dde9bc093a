/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shipped files with something changed. */
#ifndef TESTS_STUDY_PLANT_H
#define TESTS_STUDY_PLANT_H

#include "paradl/oracle.h"
#include "test.h"

/* What was done to the model, or to the phases. */
struct plant {
	const char *model, *hw, *framework, *plan;
	double batch;
	const char *sets[6];
	const char *base[3]; /* what both have */
	const char *cause;
	double assumed, as_if; /* 0: it has no number */
	const char *ran;       /* the plan that ran; NULL: the same */
	double outside_s, late_s, input_s, update_times, steps_times, ranks_times;
	enum paradl_precision precision; /* that it ran in; 0: the model's */
	const char *algorithm;
	bool busy;         /* what is hidden was timed, too */
	const char *whole; /* the plan without what cuts layers */
	double redundant;  /* share of its passes that stays */
	double slowest;    /* stage over the mean */
	double passes_times;
};

static inline const struct paradl_changes *changes_of(
	struct paradl_arena *arena, const char *const *texts, const char *const *more)
{
	const char *all[9];
	size_t count = 0;
	struct paradl_error error = {.status = PARADL_OK};
	for (size_t i = 0; i < 3 && texts[i]; i++)
		all[count++] = texts[i];
	for (size_t i = 0; more && i < 6 && more[i]; i++)
		all[count++] = more[i];
	const struct paradl_changes *changes = paradl_changes_parse(arena, all, count, &error);
	if (!changes)
		fail_msg("%s", error.message);
	return changes;
}

static inline struct paradl_oracle *oracle_of(
	struct paradl_arena *arena, const struct plant *plant, bool changed)
{
	static const char *const directories[] = {".", NULL};
	char path[128];
	struct paradl_error error = {.status = PARADL_OK};
	const struct paradl_changes *changes = changes_of(arena, plant->base, changed ? plant->sets : NULL);
	struct paradl_options options = {.input = &(struct paradl_input_options){.off = true}};
	if (changed) {
		options.override_precision = plant->precision > 0;
		options.precision = plant->precision;
		options.algorithm = plant->algorithm;
	}
	snprintf(path, sizeof path, "models/%s.json", plant->model);
	const struct paradl_model *model =
		paradl_model_load(arena, &(struct paradl_source){.path = path, .changes = changes}, &error);
	snprintf(path, sizeof path, "hw-profiles/%s.json", plant->hw);
	const struct paradl_machine *machine =
		model ? paradl_machine_load(arena,
				&(struct paradl_source){
					.path = path, .directories = directories, .changes = changes},
				&error)
		      : NULL;
	const struct paradl_framework *framework = NULL;
	snprintf(path, sizeof path, "hw-profiles/frameworks/%s.json", plant->framework);
	if (machine)
		framework = paradl_framework_load(
			arena, &(struct paradl_source){.path = path, .changes = changes}, &error);
	struct paradl_oracle *oracle =
		framework ? paradl_oracle_create(arena, model, machine, framework, &options, &error) : NULL;
	if (!oracle)
		fail_msg("%s", error.message);
	return oracle;
}

static inline struct paradl_plan plan_of(const struct plant *plant, bool changed)
{
	struct paradl_plan plan;
	struct paradl_error error;
	if (!paradl_plan_parse(changed && plant->ran ? plant->ran : plant->plan, &plan, &error))
		fail_msg("%s", error.message);
	plan.batch = plant->batch;
	return plan;
}

#endif
