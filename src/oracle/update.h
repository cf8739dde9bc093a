/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The update of the weights that a device owns, n of its w:
 *     on the device    (bytes per weight n + step bytes w) / memory rate + step
 *     offloaded        step bytes w / memory rate + step, on the device;
 *                      bytes per weight n / (rate of host memory / devices of the host), by the host's processors;
 *                      (bytes of a gradient + of a weight) n / link to the host
 * Adam does a few operations for each byte that it reads or writes, so that processors wait for their memory as devices do; the devices
 * of a host share it. Where its rate is not known it is no less than the link's.
 */
#ifndef ORACLE_UPDATE_H
#define ORACLE_UPDATE_H

#include "oracle/training.h"

struct update {
	double device_s, host_s, link_s;
};

/* Fills the update of `weights` weights, owning `owned`; measured_s: of all of them on the device, or 0. */
struct update update_of(
	const struct evaluation *evaluation, double weights, double owned, double measured_s, bool offloaded);
/* Fills the update of a device of the pipeline with these sums, by enum stage_term. */
struct update device_update(const struct evaluation *evaluation, unsigned device, const double *sums);
double update_sum_s(const struct update *update);
/* Returns the bytes per second at which the host reads and writes optimizer states for one device. */
double host_update_rate(const struct evaluation *evaluation);
/* Returns the bytes that cross the link to the host and back for each owned weight. */
double offloaded_weight_bytes(const struct evaluation *evaluation);

#endif
