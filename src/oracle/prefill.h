/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some devices read prompts for others that answer ("disaggregated" serving). */
#ifndef ORACLE_PREFILL_H
#define ORACLE_PREFILL_H

#include "oracle/oracle.h"
#include "oracle/serving.h"

struct prefill {
	struct paradl_plan plan;
	unsigned devices;
	double replicas;    /* replicas, each of which reads prompts of its own */
	double room;        /* prompts that one replica reads at once */
	double reads_s[2];  /* seconds for each prompt: of one, and of as many as there is room for */
	double cache_bytes; /* bytes of a prompt, on the device that has most */
};

/* Evaluates the plan of options.prefill, if there is one; false with an error when it cannot read prompts. */
bool prefill_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* Returns whether the machine has enough devices for these and those of a plan; sets an error if not. */
bool prefill_has_devices(const struct paradl_oracle *oracle, double devices, struct paradl_error *error);
/* Lets these devices read prompts for an engine, of which a plan has `replicas` replicas on `devices` devices. */
void prefill_enter(
	const struct paradl_oracle *oracle, double replicas, double devices, struct engine *engine);

#endif
