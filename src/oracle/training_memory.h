/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_TRAINING_MEMORY_H
#define ORACLE_TRAINING_MEMORY_H

#include "oracle/oracle.h"

/* Memory of the fullest device of the pipeline; net->held and the stages are filled. */
void training_memory(const struct evaluation *evaluation, struct paradl_estimate *estimate);

/* The device of the pipeline that runs a virtual stage. */
unsigned stage_device(const struct evaluation *evaluation, unsigned stage);

#endif
