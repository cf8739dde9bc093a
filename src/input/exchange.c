/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exchange of samples between workers, each of which keeps a part of the data set (Nguyen et al., IPDPS'22). A share Q of the n
 * samples of each of M workers changes hands in an epoch of I iterations:
 *
 *     partial     I t0 + Q n c
 *     pairwise    min(I, Q n) (t0 + c) + Q n min(s, s0) / w + (c + 8 M / link)
 *     on the wire Q n (s - s0) / link (1 - 1 / M), hides behind compute
 *
 * t0 and c are calibrated with the five exchange bars of the paper's breakdown (ResNet-50 on 512 V100 of ABCI): messages and
 * barriers take the time, not bytes, so c has the serialised sample of s0 bytes, its barrier, its way and its file. Larger samples
 * add the rest of their way. Pairwise (the same group's importance scheduler) sends one bundle in each iteration, which costs as
 * much as a message of one sample; each sample in it takes only as long as it takes to store it. w is the rate at which
 * a worker stores what it prepared in the simulator of NoPFS (SC'21), assumed here. The largest importance of each rank is gathered
 * once in an epoch, for the price of one barrier.
 */
#include <math.h>

#include "input/input.h"

static const double iteration_s = 20.9e-3;     /* t0 */
static const double message_s = 5.46e-3;       /* c */
static const double message_bytes = 110e3;     /* s0: an image of ImageNet-1K */
static const double store_bytes_per_s = 200e6; /* w */

double exchange_share(enum paradl_shuffle shuffle, double exchanged, double readers)
{
	if (shuffle == PARADL_SHUFFLE_GLOBAL)
		return 0;
	return readers > 1 ? fmin(1, (1 + exchanged) / readers) : 1;
}

static double stored_s(double sample_bytes)
{
	return fmin(sample_bytes, message_bytes) / store_bytes_per_s;
}

static double wire_s(double sample_bytes, double link_bytes_per_s, double workers)
{
	return fmax(0, sample_bytes - message_bytes) / link_bytes_per_s * (1 - 1 / workers);
}

static double gather_s(double link_bytes_per_s, double workers)
{
	return message_s + 8 * workers / link_bytes_per_s;
}

void exchange_rates(const struct input_setting *setting, double readers, struct input_rates *rates)
{
	const double exchanged = setting->options.exchanged;
	const struct paradl_machine *const machine = setting->machine;
	rates->exchange_bundle = HUGE_VAL;
	if (readers <= 1 || !(exchanged > 0))
		return;
	const double link = node_network(machine) / fmax(1, machine->devices_per_host);
	rates->exchange_step_s = iteration_s;
	rates->exchange_sample_s = exchanged * message_s;
	rates->exchange_wire_s = exchanged * wire_s(setting->sample_bytes, link, readers);
	if (setting->options.shuffle != PARADL_SHUFFLE_PAIRWISE)
		return;
	rates->exchange_step_s = iteration_s + message_s;
	rates->exchange_sample_s = exchanged * stored_s(setting->sample_bytes);
	rates->exchange_bundle = exchanged;
	if (setting->dataset->samples > 0)
		rates->exchange_sample_s += gather_s(link, readers) * readers / setting->dataset->samples;
}

double exchange_epoch_s(enum paradl_shuffle shuffle, double exchanged, double iterations, double samples,
	double sample_bytes, double link_bytes_per_s, double workers)
{
	const double sent = exchanged * samples;
	if (workers <= 1 || !(sent > 0) || shuffle == PARADL_SHUFFLE_GLOBAL ||
		shuffle == PARADL_SHUFFLE_LOCAL)
		return 0;
	const double wire = sent * wire_s(sample_bytes, link_bytes_per_s, workers);
	if (shuffle == PARADL_SHUFFLE_PARTIAL)
		return iterations * iteration_s + sent * message_s + wire;
	return fmin(iterations, sent) * (iteration_s + message_s) + sent * stored_s(sample_bytes) + wire +
	       gather_s(link_bytes_per_s, workers);
}
