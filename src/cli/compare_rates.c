/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs are compared in one currency, that of the first machine that has no --exchange. A machine's rate is the worth
 * of one unit of its currency in the common one.
 */
#include <string.h>

#include "base/quantity.h"
#include "cli/command.h"
#include "cli/command_compare.h"

/* Returns the rate that --exchange gives a currency ("JPY=0.0067"); 0: none is given, negative: it is not valid. */
static double rate_given(const struct arguments *arguments, const char *currency)
{
	for (size_t i = 0; i < arguments->rates.count; i++) {
		const char *const text = arguments->rates.items[i];
		const size_t length = strlen(currency);
		const char *end;
		double rate = 0;
		if (strncmp(text, currency, length) != 0 || text[length] != '=')
			continue;
		const bool is_number = decimal_read(text + length + 1, 0, &rate, &end);
		return !is_number || *end || !(rate > 0) || rate > 1e12 ? -1 : rate;
	}
	return 0;
}

static bool is_currency_of(const struct paradl_machine_info *machines, size_t count, const char *text)
{
	for (size_t j = 0; j < count; j++) {
		const char *const currency = machines[j].currency;
		if (currency && strncmp(text, currency, strlen(currency)) == 0 &&
			text[strlen(currency)] == '=')
			return true;
	}
	return false;
}

/* Sets the rates of machines with the other price basis to 0, with a warning: costs of the two do not compare. */
static void leave_out_others(
	struct session *session, const struct paradl_machine_info *machines, int basis, double *rates)
{
	static const char *const words[PRICE_BASES] = {"rented", "bought"};
	for (size_t j = 0; j < session->arguments.machines.count; j++) {
		const struct paradl_machine_info *const machine = &machines[j];
		if (!(machine->price_per_device_hour > 0) || machine->owned == (basis == 1))
			continue;
		rates[j] = 0;
		session_warn(session,
			"%s is %s: its cost is not compared with that of machines that are %s (--price %s)",
			machine->name, words[machine->owned], words[!machine->owned],
			price_basis_names[machine->owned]);
	}
}

bool compare_rates(struct session *session, const struct paradl_machine_info *machines,
	struct report_compare *report, double *rates)
{
	const struct arguments *const arguments = &session->arguments;
	const size_t count = arguments->machines.count;
	const char *common = NULL;
	for (size_t i = 0; i < arguments->rates.count; i++)
		if (!is_currency_of(machines, count, arguments->rates.items[i]))
			return session_usage(session,
				"--exchange %s: no machine has that currency; write JPY=0.0067",
				arguments->rates.items[i]);
	for (size_t j = 0; j < count; j++) {
		const bool counts = machines[j].owned == (report->basis == 1);
		const char *const currency = machines[j].currency;
		const double rate = currency ? rate_given(arguments, currency) : 0;
		if (rate < 0)
			return session_usage(session,
				"--exchange %s: must be a number more than 0, such as 0.0067", currency);
		if (currency && counts && !(rate > 0) && !common)
			common = currency;
		rates[j] = rate;
	}
	for (size_t j = 0; j < count; j++) {
		const char *const currency = machines[j].currency;
		if (currency && common && strcmp(currency, common) == 0)
			rates[j] = 1;
		else if (currency && common && !(rates[j] > 0) && machines[j].owned == (report->basis == 1))
			session_warn(session, "%s has prices in %s: not compared with %s (--exchange %s=X)",
				machines[j].name, currency, common, currency);
	}
	report->currency = common;
	leave_out_others(session, machines, report->basis, rates);
	if (!common && arguments->rates.count > 0)
		return session_usage(
			session, "--exchange: every currency has one; leave out that of the common one");
	return true;
}
