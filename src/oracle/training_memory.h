/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_TRAINING_MEMORY_H
#define ORACLE_TRAINING_MEMORY_H

#include "oracle/oracle.h"

/* Memory of the fullest device of the pipeline, of so many net->holders. */
void training_memory(
	const struct evaluation *evaluation, unsigned holder_count, struct paradl_estimate *estimate);

/* The runtime of a device of the pipeline, and buffers of its communicators. */
double device_context_bytes(const struct evaluation *evaluation, unsigned device);

/* Weights, gradients and optimizer states of a device with these sums (by enum stage_term). */
double training_states_bytes(const struct evaluation *evaluation, const double *sums);
/* Of one weight's gradient while it is held. */
double training_gradient_bytes(const struct paradl_oracle *oracle);

#endif
