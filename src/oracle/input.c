/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What feeding a plan takes: how it reads, asked of input/. */
#include "input/input.h"

#include "oracle/oracle.h"

void paradl_input(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_input_options *options, struct paradl_input *input)
{
	(void)oracle, (void)options;
	*input = (struct paradl_input){
		.lacking = "not modelled", .busy_s = estimate->iteration_s, .step_s = estimate->iteration_s};
}
