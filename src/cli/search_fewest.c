/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the smallest number of GPUs that is enough. */
#include "cli/search_fewest.h"

#include "base/error.h"

enum { EACH_NODE = 64, STEPS_PER_DOUBLING = 8 };

void fewest_candidates(const struct paradl_machine_info *machine, struct option_counts *gpus)
{
	const unsigned per_node = machine->devices_per_node > 0 ? machine->devices_per_node : 1;
	unsigned doubling = EACH_NODE;
	gpus->count = 0;
	for (unsigned count = 1; count < per_node && count <= machine->devices; count *= 2)
		gpus->values[gpus->count++] = count;
	for (unsigned nodes = 1; nodes <= machine->devices / per_node && gpus->count < OPTION_COUNTS_MAX;) {
		gpus->values[gpus->count++] = (double)nodes * per_node;
		while (nodes >= 2 * doubling)
			doubling *= 2;
		nodes += nodes < EACH_NODE ? 1 : doubling / STEPS_PER_DOUBLING;
	}
}

/* Finds what came closest on the largest number of GPUs that was not enough. */
static bool below_explain(struct session *session, const struct question *question,
	struct paradl_search_request request, struct report_fewest *fewest)
{
	struct paradl_search search;
	request.devices = &fewest->below;
	request.unexplained = false;
	if (!paradl_search(question->oracle, &request, session->arena, &search, &session->error))
		return false;
	fewest->closest = search.closest;
	return true;
}

bool search_fewest(struct session *session, const struct question *question, const struct option_counts *gpus,
	struct paradl_search_request *request, struct paradl_search *search, struct report_fewest *fewest)
{
	unsigned *const devices = arena_alloc(session->arena, 1, sizeof *devices);
	if (!devices)
		return out_of_memory(&session->error);
	request->devices = devices;
	request->device_count = 1;
	for (size_t i = 0; i < gpus->count; i++) {
		*devices = (unsigned)gpus->values[i];
		request->unexplained = i + 1 < gpus->count;
		if (!paradl_search(question->oracle, request, session->arena, search, &session->error))
			return false;
		if (session->arguments.verbose)
			diagnostic_print(session, "paradl: %u GPU%s: %.0f plans, %.0f evaluated", *devices,
				*devices == 1 ? "" : "s", search->plans, search->evaluated);
		if (search->count > 0) {
			fewest->devices = *devices;
			return !fewest->below || below_explain(session, question, *request, fewest);
		}
		fewest->below = *devices;
	}
	fewest->closest = search->closest;
	return true;
}
