/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exchange between workers, each of which keeps a part of the data set (Nguyen et al., IPDPS'22). In an epoch of I
 * iterations a share Q of the n samples of each of M workers changes hands, or models of W bytes go to other workers H
 * times:
 *
 *     partial     I t0 + Q n c                                                  nothing hides it
 *                 Q n (s - s0) / link (1 - 1 / M)                               behind compute
 *     pairwise    min(I, Q n) (t0 + c) + Q n (min(s, s0) / w + (s - s0) / link (1 - 1 / M))
 *                                                                               behind compute
 *                 c + 8 M / link                                                nothing hides it
 *     models      H (t0 + c + (W - s0) / link)                                  nothing hides it
 *
 * t0, c, s0 and w belong to the program (rules exchange_* of its profile). Messages and barriers take the time, not
 * bytes, so c includes the serialised sample of s0 bytes, its barrier, its transfer and its file. A larger sample adds
 * the transfer of the bytes beyond s0. Pairwise (the importance scheduler of the same group) sends one bundle in each
 * iteration, for which no rank but its partner waits; each sample in the bundle takes as long as storing it. Programs
 * that wait for their bundle at once (no exchange_hidden) hide its bytes alone. The largest importance of each rank is
 * gathered once in an epoch, at the cost of one barrier. A step cannot begin before its model is there: only loaders
 * go on.
 */
#include <math.h>

#include "oracle/input/input.h"

double exchange_share(enum paradl_shuffle shuffle, double exchanged, double readers)
{
	if (shuffle == PARADL_SHUFFLE_GLOBAL)
		return 0;
	return readers > 1 ? fmin(1, (1 + exchanged) / readers) : 1;
}

static double beyond(double bytes, const struct rules *rules)
{
	return fmax(0, bytes - rules->exchange_bytes);
}

/*
 * Returns the seconds that a worker spends once in an epoch as seconds of each of its samples; 0: samples not known.
 */
static double once_s(const struct input_setting *setting, double epoch_s, double readers)
{
	return setting->dataset->samples > 0 ? epoch_s * readers / setting->dataset->samples : 0;
}

static void pairs_fill(
	const struct input_setting *setting, double link, double readers, struct input_rates *rates)
{
	const struct rules *const rules = setting->rules;
	const double exchanged = setting->options.exchanged;
	struct input_exchange *const bundle =
		rules->exchange_hidden ? &rates->exchange_behind : &rates->exchange;
	rates->exchange_bundle = exchanged;
	bundle->step_s += rules->exchange_step_s + rules->exchange_message_s;
	bundle->sample_s += exchanged * fmin(setting->sample_bytes, rules->exchange_bytes) /
			    rules->exchange_store_bytes_per_s;
	rates->exchange.sample_s += once_s(setting, rules->exchange_message_s + 8 * readers / link, readers);
}

/*
 * Fills in the exchange of models: the devices of a replica send its model together, with their share of the nodes'
 * links.
 */
static void models_fill(
	const struct input_setting *setting, double nodes, double readers, struct input_rates *rates)
{
	const struct rules *const rules = setting->rules;
	const double link = node_network(setting->machine) * nodes / readers;
	const double hop_s = rules->exchange_step_s + rules->exchange_message_s +
			     beyond(setting->model_bytes, rules) / link;
	rates->exchange.sample_s = once_s(setting, setting->options.hops * hop_s, readers);
}

void exchange_rates(
	const struct input_setting *setting, double nodes, double readers, struct input_rates *rates)
{
	const struct paradl_machine *const machine = setting->machine;
	const struct rules *const rules = setting->rules;
	const double exchanged = setting->options.exchanged;
	if (readers > 1 && setting->options.hops > 0)
		models_fill(setting, nodes, readers, rates);
	if (readers <= 1 || !(exchanged > 0))
		return;
	const double link = node_network(machine) / fmax(1, machine->devices_per_host);
	rates->exchange_behind.sample_s =
		exchanged * beyond(setting->sample_bytes, rules) / link * (1 - 1 / readers);
	if (setting->options.shuffle == PARADL_SHUFFLE_PAIRWISE) {
		pairs_fill(setting, link, readers, rates);
		return;
	}
	rates->exchange.step_s = rules->exchange_step_s;
	rates->exchange.sample_s = exchanged * rules->exchange_message_s;
}
