/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What another rank's clock shows, as a line over one's own, after Jones and Koenig, and Hunold and Carpen-Amarie
 * ("Hierarchical clock synchronization in MPI", 2018): of each burst of ping-pongs the fastest is believed, to half of its
 * round trip; a line through the bursts has offset and drift.
 */
#ifndef CALIBRATE_MPI_CLOCK_MODEL_H
#define CALIBRATE_MPI_CLOCK_MODEL_H

/* One ping-pong: own clock when sent and when the answer came, the other's in between. */
struct ping {
	double sent_s, other_s, received_s;
};

/* other = own + offset + drift (own - origin) */
struct clock_model {
	double origin_s, offset_s, drift;
};

/* Of one burst: the ping with the shortest round trip. */
const struct ping *ping_best(const struct ping *pings, unsigned count);
/* Least squares through one ping of each burst; with one only, its offset and no drift. */
struct clock_model clock_model_fit(const struct ping *best, unsigned count);
double clock_model_other_s(const struct clock_model *model, double own_s);
double clock_model_own_s(const struct clock_model *model, double other_s);

#endif
