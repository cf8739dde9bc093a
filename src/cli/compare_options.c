/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs are compared in one currency, that of the first machine that has no --exchange. A machine's rate is the worth
 * of one unit of its currency in the common one.
 */
#include <string.h>

#include "base/quantity.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "result/documents.h"

static const char *basis_name(size_t index)
{
	return arguments_pick(price_basis_names, PRICE_BASES, index);
}

#define COMPARE(...) ROW("compare", __VA_ARGS__)

static const struct option_row rows[] = {
	{COMPARE("hw", OPTION_TEXTS, compare.machines, "HW"), .completes = "hw", .group = "Question",
		.help = "a machine, once for each ('paradl list hw'); or a file"},
	{ROW("report", "hw", OPTION_TEXTS, compare.machines, "HW"), .completes = "hw", .group = "Question",
		.help = "a shipped machine ('paradl list hw') or a file; several are compared; with "
			"--interactive up to three"},
	{COMPARE("gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "GPUs of each: 64 or 4..1024 (default the smallest's); 8,16,24; 4..1024 doubles; "
			"without it, as many as the smallest machine has; with --rate, the fewest that "
			"answer it"},
	{COMPARE("deadline", OPTION_QUANTITY, deadline_s, "TIME"), .dimension = DIMENSION_TIME, .min = 1e-3,
		.group = "Question", .help = "instead, the fewest GPUs that finish by then: '30 d'"},
	{COMPARE("budget", OPTION_MONEY, budget, "MONEY"), .min = 1, .group = "Question",
		.help = "instead, the GPUs that finish first for that: 40k; or '2M USD', in the common "
			"currency"},
	{COMPARE("exchange", OPTION_TEXTS, compare.rates, "CURRENCY=X"), .group = "Question",
		.help = "value of a currency in the common one: JPY=0.0067; that of the first machine that "
			"has none"},
	{COMPARE("price", OPTION_CHOICE, compare.price, "BASIS"), .choice = basis_name, .group = "Question",
		.help = "compare costs of machines rented or bought; without it, as the first that has a "
			"price"},
	{COMPARE("batch", OPTION_COUNT, batch, "N"),
		.offset_tokens = offsetof(struct arguments, batch_tokens), .min = 1, .group = "Question",
		.help = "samples per step on all GPUs, or '4M tokens'; without it, the model's"},
	{COMPARE("per-gpu", OPTION_COUNT, per_gpu, "N"), .min = 1, .group = "Question",
		.help = "samples per step and GPU (default the model's); instead of --batch"},
	{COMPARE("seq", OPTION_COUNT, seq, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "tokens of a sample: 8192, 8Ki; 8k are 8000 (default the models'); as --set "
			"model.dims.seq=N"},
	{COMPARE("strategies", OPTION_TEXT, strategies, "LIST"), .completes = "strategies",
		.group = "Question",
		.help = "only plans along these axes: data,data+tensor; 'paradl list strategies'"},
	{COMPARE("plan-options", OPTION_TEXT, plan_options, "OPTIONS"), .formerly = "with",
		.group = "Question", .help = "options that all plans have: zero=1,recompute=full"},
	{COMPARE("threads", OPTION_COUNT, threads, "N"), .min = 1, .max = 1024, .group = "Question",
		.help = "threads that work (default all processors); OMP_NUM_THREADS where that is set"},
};

const struct option_table arguments_compare = {rows, sizeof rows / sizeof rows[0], NULL};

/* Returns the rate that --exchange gives a currency ("JPY=0.0067"); 0: none is given, negative: it is not valid. */
static double rate_given(const struct arguments *arguments, const char *currency)
{
	for (size_t i = 0; i < arguments->compare.rates.count; i++) {
		const char *const text = arguments->compare.rates.items[i];
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
	for (size_t j = 0; j < session->arguments.compare.machines.count; j++) {
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

/* Returns whether a budget is in the currency of the costs; else reports it. */
static bool budget_fits(struct session *session, const char *common)
{
	const char *const asked = session->arguments.budget.currency;
	return !*asked || !common || strcmp(asked, common) == 0 ||
	       session_usage(session, "--budget is in %s, and costs are compared in %s", asked, common);
}

bool compare_rates(struct session *session, const struct paradl_machine_info *machines,
	struct report_compare *report, double *rates, double *worths)
{
	const struct arguments *const arguments = &session->arguments;
	const size_t count = arguments->compare.machines.count;
	const char *common = NULL;
	for (size_t i = 0; i < arguments->compare.rates.count; i++)
		if (!is_currency_of(machines, count, arguments->compare.rates.items[i]))
			return session_usage(session,
				"--exchange %s: no machine has that currency; write JPY=0.0067",
				arguments->compare.rates.items[i]);
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
	memcpy(worths, rates, count * sizeof *rates);
	leave_out_others(session, machines, report->basis, rates);
	if (!common && arguments->compare.rates.count > 0)
		return session_usage(
			session, "--exchange: every currency has one; leave out that of the common one");
	return budget_fits(session, common);
}
