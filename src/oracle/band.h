/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The band is the interval around an estimated time that holds nine of ten measured times. */
#ifndef ORACLE_BAND_H
#define ORACLE_BAND_H

#include "oracle/oracle.h"

/* Fills what no measured run has checked whatever the plan: once for an oracle, before any plan. */
void band_prepare(struct paradl_oracle *oracle);
/* Fills error_share and unchecked of an estimate whose times are known. */
void band_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate);

/* Returns the origin of the number that decides how fast the device computes the network; NULL: none is given. */
const char *band_compute_origin(const struct paradl_oracle *oracle);
/* Returns an error share without what is unknown about the device, whose numbers may be moved instead. */
double band_of_program(const struct paradl_estimate *estimate, double error_share);

#endif
