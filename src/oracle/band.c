/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far an estimate may be off: the error of its framework profile on measured runs, and what leaving them out of a
 * fit cost, for each way in which the plan lies outside of them; independent, so squares add up.
 *
 *     framework   never compared                        10 %    sets left out of the fit: 2 to 13 %, mean 8
 *     device      another one                           15 %    its sustained rates are assumed then
 *     devices     more than in any run                   5 %
 *     sequence    longer than in any run                 5 %
 *     precision   another one                           10 %
 *     host        takes more than half as long as the devices: at least 50 %, since what it takes is not known
 *                 of a program before it is measured (left out of the fit: 28 to 76 %)
 */
#include <math.h>
#include <string.h>

#include "oracle/oracle.h"

static const double shares[PARADL_UNCHECKED_COUNT] = {[PARADL_UNCHECKED_FRAMEWORK] = 0.1,
	[PARADL_UNCHECKED_DEVICE] = 0.15,
	[PARADL_UNCHECKED_DEVICES] = 0.05,
	[PARADL_UNCHECKED_SEQUENCE] = 0.05,
	[PARADL_UNCHECKED_PRECISION] = 0.1,
	[PARADL_UNCHECKED_HOST] = 0};
static const double host_bound_share = 0.5;

const char *paradl_unchecked_text(enum paradl_unchecked unchecked)
{
	static const char *const texts[PARADL_UNCHECKED_COUNT] = {
		[PARADL_UNCHECKED_FRAMEWORK] = "the framework profile was never compared with measured runs",
		[PARADL_UNCHECKED_DEVICE] = "no measured run on this device",
		[PARADL_UNCHECKED_DEVICES] = "more devices than in any measured run",
		[PARADL_UNCHECKED_SEQUENCE] = "longer sequences than in any measured run",
		[PARADL_UNCHECKED_PRECISION] = "no measured run in this number format",
		[PARADL_UNCHECKED_HOST] =
			"the host is the limit, and what it takes differs from program to program",
	};
	return texts[unchecked];
}

static bool is_checked(const struct framework_checked *checked, const char *device)
{
	for (unsigned i = 0; i < checked->device_count; ++i)
		if (strcmp(checked->devices[i], device) == 0)
			return true;
	return checked->device_count == 0;
}

static unsigned unchecked_of_oracle(const struct paradl_oracle *oracle)
{
	const struct framework_checked *checked = &oracle->framework->checked;
	unsigned set = 0;
	if (!(oracle->framework->known_error > 0))
		set |= 1u << PARADL_UNCHECKED_FRAMEWORK;
	if (!is_checked(checked, oracle->machine->device.name))
		set |= 1u << PARADL_UNCHECKED_DEVICE;
	if (checked->tokens > 0 && oracle->model->sequence > checked->tokens)
		set |= 1u << PARADL_UNCHECKED_SEQUENCE;
	if (checked->precisions && !(checked->precisions & 1u << oracle->precision))
		set |= 1u << PARADL_UNCHECKED_PRECISION;
	return set;
}

void band_prepare(struct paradl_oracle *oracle)
{
	oracle->unchecked = oracle->rules.ideal ? 0 : unchecked_of_oracle(oracle);
}

void band_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate)
{
	const struct paradl_framework *framework = oracle->framework;
	if (oracle->rules.ideal ||
		oracle->options.inference) { /* inference was never compared with measured runs */
		estimate->error_share = -1;
		estimate->unchecked = 0;
		return;
	}
	unsigned set = oracle->unchecked | estimate->unchecked;
	if (framework->checked.gpus > 0 && estimate->devices > framework->checked.gpus)
		set |= 1u << PARADL_UNCHECKED_DEVICES;
	double squares = framework->known_error * framework->known_error;
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; ++i)
		if (set & 1u << i)
			squares += shares[i] * shares[i];
	const double error_share = sqrt(squares);
	estimate->unchecked = set;
	estimate->error_share = set & 1u << PARADL_UNCHECKED_HOST && error_share < host_bound_share
					? host_bound_share
					: error_share;
}
