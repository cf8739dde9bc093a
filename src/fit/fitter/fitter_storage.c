/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits storage/TIER of the machine: the rates of sequential reads and writes, at the request size and number of
 * clients that get most, and the rate of one client alone; small random reads in a second; the time that one client
 * takes to open and read a small file, or to make one. Points that went around the host's cache count, if there are
 * any.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fit/fitter/fitter.h"

enum { PATH_LENGTH = 120, TIERS_MAX = 8, ROWS_MAX = 32 };
static const double small_request = 16384;

/* A choice of points: one kind in one tier. */
struct choice {
	const char *bench, *kind, *tier;
	double clients, least_block, most_block; /* clients 0: any number of them; blocks in bytes */
};

static bool is_flagged(const struct cell *cell)
{
	for (const char *const *flag = cell->point->flags; flag && *flag; ++flag)
		if (strcmp(*flag, "cached") == 0)
			return true;
	return false;
}

static bool fits(const struct cell *cell, const struct choice *choice)
{
	const double block = cell_number(cell, "block", 0), clients = cell_number(cell, "clients", 1);
	return strcmp(cell->point->bench, choice->bench) == 0 && cell->seconds > 0 &&
	       cell_says(cell, "kind", choice->kind) && cell_says(cell, "tier", choice->tier) &&
	       !(choice->clients > 0 && fabs(clients - choice->clients) > 0.5) &&
	       block >= choice->least_block && block <= choice->most_block;
}

/* Returns the amount of work of a call: files, random requests, or bytes. */
static double amount_of(const struct cell *cell)
{
	if (strcmp(cell->point->bench, "files") == 0)
		return cell_number(cell, "files", 1);
	if (cell_says(cell, "kind", "random"))
		return cell->point->bytes / cell_number(cell, "block", 4096);
	return cell->point->bytes;
}

static bool is_better(const struct cell *cell, const struct cell *best)
{
	if (!best || is_flagged(cell) != is_flagged(best))
		return !best || is_flagged(best);
	return amount_of(cell) / cell->seconds > amount_of(best) / best->seconds;
}

static const struct cell *best_of(const struct calibration *calibration, const struct choice *choice)
{
	const struct cell *best = NULL;
	for (size_t i = 0; i < calibration->cells->count; ++i) {
		const struct cell *cell = &calibration->cells->items[i];
		if (fits(cell, choice) && is_better(cell, best))
			best = cell;
	}
	return best;
}

struct per_second {
	const struct cell *cell;
	bool inverse; /* asks for the seconds that a client takes for one */
};

static bool rate(void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	const struct per_second *asked = context;
	const double amount = amount_of(asked->cell);
	(void)first;
	(void)error;
	values[0] = asked->inverse ? seconds[0] / amount * cell_number(asked->cell, "clients", 1)
				   : amount / seconds[0];
	return true;
}

static bool cell_put(struct calibration *calibration, const struct cell *cell, const char *path,
	const char *unit, bool inverse, struct paradl_error *error)
{
	struct launch_times times;
	struct fitted_value value;
	struct per_second asked = {cell, inverse};
	if (!launch_times_make(calibration->arena, &cell, 1, &times, error) ||
		!launch_times_fit(calibration->arena, &times, rate, &asked, 1, &value, error))
		return false;
	const struct fit_source source = {&times, -1};
	return number_put(calibration, PARADL_FITTED_MACHINE, path, unit, &value, &source, error);
}

static bool choice_put(struct calibration *calibration, const struct choice *choice, const char *key,
	const char *unit, bool inverse, struct paradl_error *error)
{
	char path[PATH_LENGTH];
	const struct cell *cell = best_of(calibration, choice);
	snprintf(path, sizeof path, "storage/%s/%s", choice->tier, key);
	return !cell || cell_put(calibration, cell, path, unit, inverse, error);
}

/* Finds the numbers of clients that sequential reads were measured with, ascending; returns how many there are. */
static unsigned clients_of(const struct calibration *calibration, const char *tier, double *clients)
{
	const struct choice choice = {"read", "sequential", tier, 0, 0, HUGE_VAL};
	unsigned count = 0;
	for (size_t i = 0; i < calibration->cells->count; ++i) {
		const struct cell *cell = &calibration->cells->items[i];
		const double here = cell_number(cell, "clients", 1);
		unsigned at = 0;
		if (!fits(cell, &choice))
			continue;
		while (at < count && clients[at] < here)
			++at;
		if ((at < count && !(clients[at] > here)) || count == ROWS_MAX)
			continue;
		for (unsigned k = count++; k > at; --k)
			clients[k] = clients[k - 1];
		clients[at] = here;
	}
	return count;
}

static bool rows_put(struct calibration *calibration, const char *tier, struct paradl_error *error)
{
	double clients[ROWS_MAX];
	char path[PATH_LENGTH];
	const unsigned count = clients_of(calibration, tier, clients);
	for (unsigned i = 0; count > 1 && i < count; ++i) {
		const struct choice choice = {"read", "sequential", tier, clients[i], 0, HUGE_VAL};
		const struct cell *cell = best_of(calibration, &choice);
		if (!cell)
			continue;
		snprintf(path, sizeof path, "storage/%s/by_clients/%u/clients", tier, i);
		const struct fitted_value value = {clients[i], clients[i], clients[i]};
		struct launch_times times;
		if (!launch_times_make(calibration->arena, &cell, 1, &times, error))
			return false;
		const struct fit_source source = {&times, -1};
		if (!number_put(calibration, PARADL_FITTED_MACHINE, path, "", &value, &source, error))
			return false;
		snprintf(path, sizeof path, "storage/%s/by_clients/%u/read", tier, i);
		if (!cell_put(calibration, cell, path, "B/s", false, error))
			return false;
	}
	return true;
}

static bool tier_put(struct calibration *calibration, const char *tier, struct paradl_error *error)
{
	const struct choice all = {"read", "sequential", tier, 0, 0, HUGE_VAL};
	const struct choice one = {"read", "sequential", tier, 1, 0, HUGE_VAL};
	const struct choice written = {"write", "sequential", tier, 0, 0, HUGE_VAL};
	const struct choice random = {"read", "random", tier, 0, 0, small_request};
	const struct choice opened = {"files", "open-read-close", tier, 1, 0, HUGE_VAL};
	const struct choice created = {"files", "create", tier, 1, 0, HUGE_VAL};
	return choice_put(calibration, &all, "read", "B/s", false, error) &&
	       choice_put(calibration, &written, "write", "B/s", false, error) &&
	       choice_put(calibration, &one, "per_client", "B/s", false, error) &&
	       choice_put(calibration, &random, "random_reads", "", false, error) &&
	       choice_put(calibration, &opened, "open", "s", true, error) &&
	       choice_put(calibration, &created, "create", "s", true, error) &&
	       rows_put(calibration, tier, error);
}

bool fit_storage(struct calibration *calibration, struct paradl_error *error)
{
	const char *tiers[TIERS_MAX];
	unsigned count = 0;
	for (size_t i = 0; i < calibration->cells->count; ++i) {
		const char *tier = sample_text(calibration->cells->items[i].point, "tier");
		unsigned k = 0;
		while (tier && k < count && strcmp(tiers[k], tier) != 0)
			++k;
		if (tier && k == count && count < TIERS_MAX)
			tiers[count++] = tier;
	}
	for (unsigned i = 0; i < count; ++i)
		if (!tier_put(calibration, tiers[i], error))
			return false;
	return true;
}
