/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is the batch of an iteration where neither the query nor the model says it. Networks that generate text take as
 * many tokens as GPT-3 of their size did (Brown et al. 2020, Table 2.1), others as many samples on each device as
 * torchvision's recipes of training do.
 */
#include <math.h>

#include "model/model.h"
#include "oracle/evaluation.h"

enum { RECIPE_SAMPLES = 32 };

/* Returns the tokens of a batch, of the published network whose size is closest in ratio. */
static double usual_tokens(double parameters)
{
	static const struct {
		double parameters, tokens;
	} published[] = {
		{760e6, 0.5e6}, {1.3e9, 1e6}, {2.7e9, 1e6}, {6.7e9, 2e6}, {13e9, 2e6}, {175e9, 3.2e6}};
	size_t closest = 0;
	for (size_t i = 1; i < sizeof published / sizeof published[0]; i++)
		if (parameters * parameters > published[i - 1].parameters * published[i].parameters)
			closest = i;
	return published[closest].tokens;
}

double paradl_token_samples(double tokens, double sequence)
{
	int exponent;
	const double samples = fmax(tokens / sequence, 1), fraction = frexp(samples, &exponent);
	return round(ldexp(round(8 * fraction), exponent - 3));
}

double paradl_oracle_batch(const struct paradl_oracle *oracle, double devices)
{
	const struct paradl_model_info model = paradl_model_info(oracle->model);
	if (oracle->options.inference && model.generates)
		return devices; /* a client for each */
	if (model.batch_per_gpu > 0)
		return model.batch_per_gpu * devices;
	if (!model.generates)
		return RECIPE_SAMPLES * devices;
	return ceil(paradl_token_samples(usual_tokens(model.parameters), model.sequence) / devices) * devices;
}

double paradl_plan_batch(const struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	const double replicas = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	const bool answers = oracle->options.inference && model_generates(oracle->model);
	return paradl_oracle_batch(oracle, answers ? replicas : paradl_plan_devices(plan));
}
