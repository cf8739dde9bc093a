/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits what the cables inside a node sustain, network/links/device/sustained, where the profile says how its nodes are
 * cabled: collectives of such a machine follow its cables, not its levels. With R the rate of a ring that was measured
 * in a node (levels/0/ring) and M the bus bandwidth that the profile's cables give the same allreduce of the same
 * library, both between the two largest sizes:
 *     sustained = sustained before R / M
 * The profile is asked again with that number, which stays only where the answer is R within a hundredth. It is not
 * where other links hold the allreduce up, or where cables would carry more than they can.
 */
#include <math.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/fitter/fitter.h"
#include "fit/verdict/verdict.h"
#include "network/machine_network.h"
#include "paradl/network.h"

static const double exact = 0.01;
static const char path[] = "network/links/device/sustained";

/* Returns the name that `collective --library` has for the library of a series; NULL: none. */
static const char *library_of(const struct series *series)
{
	static const char *const names[] = {"nccl", "rccl", "openmpi", "mpich"};
	for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
		if (series_is_library(series, names[i]) && library_exists(names[i]))
			return names[i];
	return NULL;
}

/* Fills the bus bandwidth that cables of a machine give the allreduce of a series between its two largest sizes. */
static bool bus_rate(struct calibration *calibration, const struct paradl_machine *machine,
	const struct series *series, double *rate, struct paradl_error *error)
{
	const double bytes[] = {
		cell_bytes(series->cells[series->count - 2]), cell_bytes(series_last(series))};
	const double work = 2 * (series->devices - 1.) / series->devices;
	const struct paradl_collective_request request = {.operation = PARADL_ALLREDUCE,
		.ranks = series->devices,
		.library = library_of(series),
		.bytes = bytes,
		.count = 2,
		.brief = true};
	struct paradl_collective_table table;
	struct paradl_network *const network = paradl_network_create(calibration->arena, machine, error);
	if (!network || !paradl_collective(network, &request, calibration->arena, &table, error))
		return false;
	*rate = work * (bytes[1] - bytes[0]) / (table.rows[1].model_s - table.rows[0].model_s);
	return true;
}

/* Reads the machine again with cables that sustain `rate`; NULL with an error. */
static const struct paradl_machine *machine_with(
	struct calibration *calibration, double rate, struct paradl_error *error)
{
	const char *const change =
		arena_printf(calibration->arena, "hw.network.links.device.sustained=%.9g B/s", rate);
	const struct paradl_changes *const changes =
		change ? paradl_changes_parse(calibration->arena, &change, 1, error) : NULL;
	const struct paradl_machine *const before = calibration->before;
	const struct paradl_source source = {
		.path = before->path, .directories = before->directories, .changes = changes};
	return changes  ? paradl_machine_load(calibration->arena, &source, error)
	       : change ? NULL
			: out_of_memory_null(error);
}

bool cables_of_node(struct calibration *calibration, const struct series_list *list,
	struct node_cables *cables, struct paradl_error *error)
{
	const struct paradl_machine *const before = calibration->before;
	*cables = (struct node_cables){
		.ring = fitted_number_find(calibration, PARADL_FITTED_MACHINE, "levels/0/ring"),
		.series = ring_of_node(calibration, list)};
	if (!before || !before->network || !before->network->node || before->network->protocol_count ||
		!cables->ring || !cables->series || cables->series->devices > before->devices_per_node) {
		cables->ring = NULL;
		return true;
	}
	return bus_rate(calibration, before, cables->series, &cables->modelled, error);
}

static bool sustained_put(struct calibration *calibration, const struct node_cables *cables, double factor,
	struct paradl_error *error)
{
	const struct paradl_fitted_number ring = *cables->ring; /* adding one may move it */
	struct paradl_fitted_number *const number = fitted_number_add(calibration, error);
	if (!number)
		return false;
	*number = ring;
	number->path = path;
	number->value *= factor;
	number->low *= factor;
	number->high *= factor;
	return true;
}

bool fit_cables(struct calibration *calibration, struct paradl_error *error)
{
	struct series_list list;
	struct node_cables cables;
	if (!series_make(calibration, &list, error) || !cables_of_node(calibration, &list, &cables, error))
		return false;
	if (!cables.ring || !(cables.modelled > 0))
		return true;
	const struct link_class *const link = &calibration->before->network->links[LINK_DEVICE];
	const double ring = cables.ring->value, rate = link->sustained_bytes_per_s * ring / cables.modelled;
	double answered;
	if (rate > link->bytes_per_s)
		return true;
	const struct paradl_machine *const machine = machine_with(calibration, rate, error);
	if (!machine || !bus_rate(calibration, machine, cables.series, &answered, error))
		return false;
	return fabs(answered / ring - 1) > exact || sustained_put(calibration, &cables, rate / ring, error);
}
