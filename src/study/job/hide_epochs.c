/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The epochs of a sampler. A pass over the share s of the samples takes as long as I s steps of its own length, each
 * of which waits for input as any step does:
 *
 *     T_e      = sum over passes of I s step(f_fwd t_f + f_bwd t_b + f_step t_step) + overheads
 *     F*_e     = retention_e F alpha_e                     hidden in epoch e; 0 in the first: there are no losses yet
 *     KAKURENBO: s = 1 - F* with all of a step, and s = F* with phi (t_f + t_b): hidden samples are still read
 *     overheads = allreduce(24 N bytes) + c_order N log2 N + c_candidate F_e N
 *
 * Distributed selection exchanges as hide_exchange() says, and has N / M for N. I is the iterations of a plain epoch;
 * step(t) >= t includes waiting for input; t_step is the exposed gradient exchange and the update.
 */
#include "base/error.h"
#include "oracle/oracle.h"
#include "study/job/hide.h"

#include <math.h>

double hide_plain_s(const struct hide_setting *setting)
{
	const double step_s = setting->forward_s + setting->backward_s + setting->update_s;
	return setting->scale * setting->iterations * setting->fed_s(setting->feed, step_s);
}

double hide_fraction(const struct hide_setting *setting, const struct sampler *sampler)
{
	if (!(sampler->fraction > 0))
		return 0;
	return setting->fraction >= 0 ? setting->fraction : sampler->fraction;
}

/* The cap on hidden samples in one epoch, and the samples spared, as shares of the data set. */
struct shares {
	double cap, spared;
};

/* Returns the shares of an epoch, counted from 0. */
static struct shares shares_at(
	const struct hide_setting *setting, const struct sampler *sampler, double epoch)
{
	const double fraction = hide_fraction(setting, sampler);
	if (!sampler->hides)
		return (struct shares){fraction, fraction};
	const double cap = fraction * steps_at(&setting->caps, epoch);
	if (setting->hidden && setting->hidden_count > 0 && cap > 0) {
		const size_t last = setting->hidden_count - 1;
		return (struct shares){cap, setting->hidden[epoch < (double)last ? (size_t)epoch : last]};
	}
	return (struct shares){cap, epoch > 0 ? cap * steps_at(&setting->retention, epoch) : 0};
}

static double pass_s(const struct hide_setting *setting, const struct sampler_pass *pass)
{
	const double busy_s = pass->refreshes ? setting->hidden_s
					      : pass->forward * setting->forward_s +
							pass->backward * setting->backward_s +
							pass->steps * setting->update_s;
	return pass->samples > 0 ? setting->iterations * pass->samples * setting->fed_s(setting->feed, busy_s)
				 : 0;
}

static void add_work(const struct sampler_pass *pass, struct paradl_hide_training *training)
{
	training->reads += pass->samples;
	training->forward += pass->samples * (pass->refreshes ? 1 : pass->forward);
	training->backward += pass->samples * pass->backward;
	training->steps += pass->samples * pass->steps;
}

/* Returns whether a sampler spares nothing, which is plain training; one without a fraction is never off. */
static bool is_off(const struct hide_setting *setting, const struct sampler *sampler)
{
	return sampler->fraction > 0 && !(hide_fraction(setting, sampler) > 0);
}

/* Returns the number of samples that one worker chooses among. */
static double chosen_among(const struct hide_setting *setting)
{
	return setting->samples / fmax(1, setting->selectors);
}

/*
 * Returns the seconds of an epoch in addition to its passes; a sampler that hides has nothing to sum up in the first.
 */
static double overhead_s(const struct hide_setting *setting, const struct sampler *sampler,
	struct paradl_hide_training *training, double epoch, double cap)
{
	if (sampler->hides && epoch <= 0)
		return 0;
	const double exchange_s = setting->exchange_s[(unsigned)sampler->vectors];
	const double order_s = sampler->orders ? setting->order_s : 0;
	const double candidates_s = sampler->hides ? setting->candidate_s * cap * chosen_among(setting) : 0;
	training->exchange_s += exchange_s;
	training->order_s += order_s;
	training->candidates_s += candidates_s;
	return exchange_s + order_s + candidates_s;
}

static void fill_row(const struct hide_setting *setting, const struct sampler *sampler, double epoch,
	const struct shares *shares, struct paradl_hide_epoch *row)
{
	const double candidates =
		sampler->hides && epoch <= 0 ? 0 : floor(shares->cap * setting->samples + 1e-6);
	const double hidden = fmin(round(shares->spared * setting->samples), candidates);
	const bool raised = sampler->hides && epoch >= setting->warm_up && shares->cap < 1;
	row->epoch = epoch + 1;
	row->cap = shares->cap;
	row->candidates = candidates;
	row->hidden = hidden;
	row->moved_back = candidates - hidden;
	row->rate_factor = raised ? 1 / (1 - shares->cap) : 1;
}

static double epoch_s(const struct hide_setting *setting, const struct sampler *sampler,
	struct paradl_hide_training *training, double epoch, const struct shares *shares)
{
	struct sampler_pass passes[SAMPLER_PASSES];
	const unsigned count = sampler->passes(shares->spared, passes);
	double seconds = 0;
	for (unsigned i = 0; i < count; i++) {
		add_work(&passes[i], training);
		seconds += pass_s(setting, &passes[i]);
	}
	return setting->scale * seconds + overhead_s(setting, sampler, training, epoch, shares->cap);
}

static void off(const struct hide_setting *setting, double plain_s, struct paradl_hide_training *training,
	struct paradl_hide_epoch *epochs)
{
	for (size_t i = 0; epochs && i < (size_t)setting->epochs; i++)
		epochs[i] = (struct paradl_hide_epoch){
			.epoch = (double)i + 1, .rate_factor = 1, .time_s = plain_s};
	training->reads = training->forward = training->backward = training->steps = 1;
	training->epoch_s = plain_s;
	training->training_s = plain_s * setting->epochs;
}

static void average(double epochs, struct paradl_hide_training *training)
{
	double *const sums[] = {&training->mean_cap, &training->mean_hidden, &training->reads,
		&training->forward, &training->backward, &training->steps, &training->exchange_s,
		&training->order_s, &training->candidates_s};
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		*sums[i] /= epochs;
}

void hide_epochs(const struct hide_setting *setting, const struct sampler *sampler,
	struct paradl_hide_training *training, struct paradl_hide_epoch *epochs)
{
	const double plain_s = hide_plain_s(setting);
	*training = (struct paradl_hide_training){.sampler = sampler->name,
		.summary = sampler->summary,
		.source = sampler->source,
		.fraction = sampler->fraction > 0 ? hide_fraction(setting, sampler) : -1};
	if (is_off(setting, sampler)) {
		off(setting, plain_s, training, epochs);
		return;
	}
	double sum_s = 0;
	for (size_t i = 0; i < (size_t)setting->epochs; i++) {
		const double epoch = (double)i;
		const struct shares shares = shares_at(setting, sampler, epoch);
		const double seconds = epoch_s(setting, sampler, training, epoch, &shares);
		training->mean_cap += shares.cap;
		training->mean_hidden += shares.spared;
		sum_s += seconds;
		if (!epochs)
			continue;
		fill_row(setting, sampler, epoch, &shares, &epochs[i]);
		epochs[i].time_s = seconds;
		epochs[i].saved_s = plain_s - seconds;
	}
	average(setting->epochs, training);
	training->probe_s = sampler->probe_epochs * plain_s;
	training->epoch_s = sum_s / setting->epochs;
	training->training_s = training->probe_s + sum_s;
	training->saved_s = plain_s * setting->epochs - training->training_s;
	training->saved_share = plain_s > 0 ? training->saved_s / (plain_s * setting->epochs) : 0;
	training->memory_bytes = 8 * chosen_among(setting) * (sampler->vectors + (sampler->orders ? 1 : 0));
	if (setting->selectors > 0 && sampler->vectors > 0)
		training->memory_bytes += setting->samples / 8;
}

/*
 * The exchange of workers that read samples of their own, until all know which samples are hidden, by the algorithms
 * and curves of gradients:
 *
 *     replicated     allreduce(8 N v bytes)                            v float64 of each sample
 *     distributed    allreduce(N / 8 bytes) + 64 allreduce(8 bytes)
 *
 * Replicated: the v numbers of all samples are summed up; then all workers choose alike among all samples.
 * Distributed: a worker keeps the numbers of its own samples, and counts how many of these are below a loss. 64
 * halvings find the loss below which lie as many samples as may be hidden, because there are no more than 2^64
 * float64; then one bit of each sample says whether it is hidden.
 */

enum { HALVINGS = 64, VECTORS = 4 };

struct hide_exchange hide_exchange(bool distributed, double samples, unsigned vectors)
{
	if (vectors == 0)
		return (struct hide_exchange){0, 0};
	return distributed ? (struct hide_exchange){samples / 8, HALVINGS}
			   : (struct hide_exchange){8 * samples * vectors, 0};
}

bool hide_exchange_times(struct paradl_oracle *oracle, const struct paradl_plan *plan, bool distributed,
	double samples, double exchange_s[4], struct paradl_error *error)
{
	struct curve curve;
	for (unsigned vectors = 0; vectors < VECTORS; vectors++)
		exchange_s[vectors] = 0;
	if (plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] == 1)
		return true;
	if (!oracle_sum_curve(oracle, plan, 1U << PARADL_DATA | 1U << PARADL_EXPERT, &curve, error))
		return false;
	for (unsigned vectors = 1; vectors < VECTORS; vectors++) {
		const struct hide_exchange exchange = hide_exchange(distributed, samples, vectors);
		exchange_s[vectors] = curve_s(&curve, exchange.bytes);
		if (exchange.counts > 0)
			exchange_s[vectors] += exchange.counts * curve_s(&curve, sizeof(double));
	}
	return true;
}
