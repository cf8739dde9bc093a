/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sample hiding, with times from the oracle. The time of a step is divided into parts:
 *     t_step     gradients and weights: the exposed exchange, and the update; once a step, for any number of samples
 *     t_f + t_b  the rest, with bubbles and exchanges of activations in the ratio of forward and backward
 *     phi        cost of a hidden sample: 1 / (1 + r) of t_f + t_b for its forward pass, r = t_b / t_f, and 0.1 for a
 *                second loader and the bookkeeping; the log of one run says 0.57 where r = 2 gives 0.43
 */
#include "study/job/hide.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "oracle/oracle.h"

enum { SAMPLERS_MAX = 16, EPOCHS_MAX = 100000 };

static const double usual_cost = 0.1, usual_retention = 0.6, usual_tau = 0.7, usual_epochs = 90,
		    usual_warm_up = 5;

enum { STEPS_KEPT = 8 };

/* A plan whose step waits for input as it becomes shorter. */
struct feed {
	const struct paradl_oracle *oracle;
	const struct paradl_estimate *estimate;
	const struct paradl_input_options *options; /* NULL: those of the oracle */
	/* The last steps that were computed: samplers have few different ones. */
	double busy_s[STEPS_KEPT], step_s[STEPS_KEPT];
	unsigned count;
};

static struct paradl_input feed_input(const struct feed *feed, double busy_s)
{
	struct paradl_estimate estimate = *feed->estimate;
	struct paradl_input input;
	estimate.iteration_s = busy_s;
	estimate.phase_s[PARADL_INPUT] = 0;
	paradl_input(feed->oracle, &estimate, feed->options, &input);
	return input;
}

static double fed_s(void *context, double busy_s)
{
	struct feed *const feed = context;
	for (unsigned i = 0; i < feed->count && i < STEPS_KEPT; i++)
		if (!(feed->busy_s[i] < busy_s) && !(feed->busy_s[i] > busy_s))
			return feed->step_s[i];
	const struct paradl_input input = feed_input(feed, busy_s);
	const unsigned place = feed->count++ % STEPS_KEPT;
	feed->busy_s[place] = busy_s;
	feed->step_s[place] = input.known && input.possible ? fmax(input.step_s, busy_s) : busy_s;
	return feed->step_s[place];
}

static double free_s(void *context, double busy_s)
{
	(void)context;
	return busy_s;
}

struct paradl_hide_request paradl_hide_usual(void)
{
	return (struct paradl_hide_request){.fraction = -1, .tau = -1, .warm_up = -1, .candidate_s = -1};
}

const struct sampler *sampler_find(const char *name)
{
	for (size_t i = 0; samplers[i]; i++)
		if (strcmp(samplers[i]->name, name) == 0)
			return samplers[i];
	return NULL;
}

struct paradl_entry paradl_sampler(size_t index)
{
	for (size_t i = 0; samplers[i]; i++)
		if (i == index)
			return (struct paradl_entry){samplers[i]->name, samplers[i]->summary};
	return (struct paradl_entry){NULL, NULL};
}

NAME_FUNCTION(paradl_hide_verdict_name, enum paradl_hide_verdict, "saves", "off", "input", "overheads")

static const struct sampler *chosen_sampler(const char *name, struct paradl_error *error)
{
	const char *names[SAMPLERS_MAX];
	size_t count = 0;
	char quoted[64];
	const struct sampler *const sampler = sampler_find(name ? name : "kakurenbo");
	if (sampler)
		return sampler;
	for (; count < SAMPLERS_MAX && samplers[count]; count++)
		names[count] = samplers[count]->name;
	const char *const near = suggest(name, names, count);
	error_set(error, PARADL_USAGE, "there is no sampler %s%s%s%s",
		error_quote(quoted, sizeof quoted, name), near ? "; did you mean " : "", near ? near : "",
		near ? "?" : "");
	error_hint(error, "the samplers are kakurenbo, selective, importance and pruning");
	return NULL;
}

static bool check_request(const struct paradl_hide_request *request, struct paradl_error *error)
{
	if (request->fraction >= 1)
		return error_set(error, PARADL_USAGE, "a fraction of %g leaves nothing to train with",
			request->fraction);
	if (request->epochs > EPOCHS_MAX)
		return error_set(
			error, PARADL_USAGE, "%.0f epochs are more than %d", request->epochs, EPOCHS_MAX);
	return true;
}

static bool count_samples(const struct paradl_oracle *oracle, const struct paradl_hide_request *request,
	struct paradl_hide *hide, struct paradl_error *error)
{
	hide->samples = request->samples > 0 ? request->samples : oracle->model->dataset.samples;
	if (hide->samples > 0)
		return true;
	error_set(error, PARADL_USAGE, "%s names no data set with a number of samples", oracle->model->name);
	error_hint(error, "say how many samples an epoch has: --epoch-samples N");
	return false;
}

/* Returns caps that fall at 1/3, 2/3 and 8/9 of the training, as ImageNet's do. */
static struct paradl_steps usual_caps(double epochs)
{
	return (struct paradl_steps){.count = 4,
		.value = {1, 0.8, 0.6, 0.4},
		.from = {0, round(epochs / 3), round(2 * epochs / 3), round(8 * epochs / 9)}};
}

static void fill_choices(const struct paradl_hide_request *request, struct paradl_hide *hide)
{
	hide->epochs = request->epochs > 0 ? request->epochs : usual_epochs;
	hide->warm_up = request->warm_up >= 0 ? request->warm_up : usual_warm_up;
	hide->tau = request->tau >= 0 ? request->tau : usual_tau;
	hide->caps = request->caps.count > 0 ? request->caps : usual_caps(hide->epochs);
	hide->retention = request->retention.count > 0
				  ? request->retention
				  : (struct paradl_steps){.count = 1, .value = {usual_retention}};
	if (hide->tau >= 1) /* no confidence is above 1: all candidates move back */
		hide->retention = (struct paradl_steps){.count = 1};
}

/* Divides the estimated step into its parts. */
static void fill_step(const struct paradl_hide_request *request, struct paradl_hide *hide)
{
	const struct paradl_estimate *const estimate = &hide->estimate;
	const double *const phase = estimate->phase_s;
	const double again_s = phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE];
	const double gradient_s = phase[PARADL_GRADIENT_EXCHANGE] - estimate->gradient_hidden_s;
	hide->step_s = estimate->iteration_s - phase[PARADL_INPUT];
	hide->update_s = fmin(fmax(gradient_s, 0) + phase[PARADL_WEIGHT_UPDATE], hide->step_s);
	hide->ratio = request->ratio > 0          ? request->ratio
		      : phase[PARADL_FORWARD] > 0 ? again_s / phase[PARADL_FORWARD]
						  : 2;
	const double pass_s = hide->step_s - hide->update_s;
	hide->forward_s = pass_s / (1 + hide->ratio);
	hide->backward_s = pass_s - hide->forward_s;
	hide->hidden_cost =
		request->hidden_cost > 0 ? request->hidden_cost : fmin(1 / (1 + hide->ratio) + usual_cost, 1);
	hide->hidden_step_s = hide->hidden_cost * pass_s;
	hide->samples_per_s = hide->step_s > 0 ? estimate->plan.batch / hide->step_s : 0;
	hide->hidden_samples_per_s = hide->hidden_step_s > 0 ? estimate->plan.batch / hide->hidden_step_s : 0;
}

static void fill_setting(const struct paradl_oracle *oracle, const struct paradl_hide_request *request,
	const struct paradl_hide *hide, struct hide_setting *setting)
{
	const bool ideal = oracle->rules.ideal;
	const double candidate_s = request->candidate_s >= 0 ? request->candidate_s : hide_candidate_s;
	setting->samples = hide->samples;
	setting->epochs = hide->epochs;
	setting->warm_up = hide->warm_up;
	setting->iterations = hide->samples / hide->estimate.plan.batch;
	setting->forward_s = hide->forward_s;
	setting->backward_s = hide->backward_s;
	setting->update_s = hide->update_s;
	setting->hidden_s = hide->hidden_step_s;
	setting->fraction = request->fraction;
	setting->caps = hide->caps;
	setting->retention = hide->retention;
	setting->hidden = request->hidden;
	setting->hidden_count = request->hidden_count;
	const struct paradl_plan *const plan = &hide->estimate.plan;
	const double workers = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	const double own = request->distributed ? hide->samples / workers : hide->samples;
	setting->selectors = request->distributed ? workers : 0;
	setting->order_s = ideal ? 0 : hide_order_s * own * log2(fmax(own, 1));
	setting->candidate_s = ideal ? 0 : candidate_s;
	setting->scale = 1;
}

/* Returns whether a step waits for input, by more than rounding. */
static bool waits(double fed_step_s, double step_s)
{
	return fed_step_s > step_s * (1 + 1e-9);
}

static enum paradl_hide_verdict verdict_of(
	const struct paradl_hide *hide, const struct paradl_hide_training *training)
{
	if (training->saved_share >= 0.001)
		return PARADL_HIDE_SAVES;
	if (training->fraction >= 0 && training->fraction <= 0)
		return PARADL_HIDE_OFF;
	if (training->free_saved_share >= 0.001 && waits(hide->fed_step_s, hide->step_s))
		return PARADL_HIDE_INPUT;
	return PARADL_HIDE_OVERHEADS;
}

/* Evaluates every sampler, with rows by epoch for the chosen one; false: out of memory. */
static bool run_samplers(struct hide_setting *setting, const struct sampler *chosen,
	struct paradl_arena *arena, struct paradl_hide *hide)
{
	const double fraction = setting->fraction;
	struct hide_setting unfed = *setting;
	size_t count = 0;
	while (samplers[count])
		count++;
	struct paradl_hide_training *const trainings = arena_alloc(arena, count, sizeof *trainings);
	struct paradl_hide_epoch *const rows = arena_alloc(arena, (size_t)hide->epochs, sizeof *rows);
	if (!trainings || !rows)
		return false;
	unfed.fed_s = free_s;
	for (size_t i = 0; i < count; i++) {
		struct paradl_hide_training without;
		const bool is_chosen = samplers[i] == chosen;
		setting->fraction = unfed.fraction = is_chosen ? fraction : -1;
		hide_epochs(setting, samplers[i], &trainings[i], is_chosen ? rows : NULL);
		hide_epochs(&unfed, samplers[i], &without, NULL);
		trainings[i].free_saved_share = without.saved_share;
		if (is_chosen)
			hide->chosen = i;
	}
	hide->trainings = trainings;
	hide->training_count = count;
	hide->rows = rows;
	hide->count = (size_t)hide->epochs;
	return true;
}

bool paradl_hide(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct paradl_hide_request *request, struct paradl_arena *arena, struct paradl_hide *hide,
	struct paradl_error *error)
{
	struct paradl_input_options options = *oracle->options.input;
	struct feed feed = {.oracle = oracle, .estimate = &hide->estimate};
	struct hide_setting setting = {.fed_s = fed_s, .feed = &feed};
	*hide = (struct paradl_hide){.scale = 1};
	const struct sampler *const sampler = chosen_sampler(request->sampler, error);
	if (!sampler || !check_request(request, error) || !count_samples(oracle, request, hide, error) ||
		!paradl_estimate(oracle, plan, &hide->estimate, error))
		return false;
	fill_choices(request, hide);
	fill_step(request, hide);
	fill_setting(oracle, request, hide, &setting);
	if (!hide_exchange_times(
		    oracle, plan, request->distributed, hide->samples, setting.exchange_s, error))
		return false;
	const struct paradl_input hidden = feed_input(&feed, hide->hidden_step_s);
	if (hidden.known) { /* samples stay in one store in all passes: the best one for the fastest pass */
		options.store = hidden.store;
		feed.options = &options;
	}
	hide->input = feed_input(&feed, hide->step_s);
	hide->hidden_binding = hidden.binding;
	hide->fed_step_s = fed_s(&feed, hide->step_s);
	hide->fed_hidden_step_s = fed_s(&feed, hide->hidden_step_s);
	if (request->epoch_s > 0)
		hide->scale = setting.scale = request->epoch_s / hide_plain_s(&setting);
	hide->plain_epoch_s = hide_plain_s(&setting);
	hide->plain_training_s = hide->plain_epoch_s * hide->epochs;
	hide->exchange_bytes =
		hide_exchange(request->distributed, hide->samples, (unsigned)sampler->vectors).bytes;
	if (!run_samplers(&setting, sampler, arena, hide))
		return out_of_memory(error);
	hide->verdict = verdict_of(hide, &hide->trainings[hide->chosen]);
	return true;
}
