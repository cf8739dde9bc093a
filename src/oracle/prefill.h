/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that read prompts for others that answer ("disaggregated" serving). */
#ifndef ORACLE_PREFILL_H
#define ORACLE_PREFILL_H

#include "oracle/oracle.h"
#include "oracle/serving.h"

struct prefill {
	struct paradl_plan plan;
	unsigned devices;
	double replicas;    /* each reads prompts of its own */
	double room;        /* prompts that one reads at once */
	double reads_s[2];  /* for each prompt: of one, and of as many as it has room for */
	double cache_bytes; /* of a prompt, on the device that has most of it */
};

/* Prices the plan of options.prefill, if there is one; false with an error when it cannot read prompts. */
bool prefill_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* Says that the machine has too few devices for these and those of a plan. */
bool prefill_has_devices(const struct paradl_oracle *oracle, double devices, struct paradl_error *error);
/* Lets them read prompts for an engine, of which a plan has so many replicas on so many devices. */
void prefill_enter(
	const struct paradl_oracle *oracle, double replicas, double devices, struct engine *engine);

#endif
