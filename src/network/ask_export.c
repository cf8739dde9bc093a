/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for SimGrid of a network, and of the best algorithm of a request on it. */
#include "base/error.h"
#include "base/quantity.h"
#include "network/ask.h"
#include "network/record/record.h"

/* The algorithm that a request is about, at its one size. */
struct chosen {
	struct run_of run;
	const struct paradl_collective_row *row;
};

static bool choose(struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct chosen *chosen, struct paradl_error *error)
{
	struct paradl_collective_request *brief = arena_alloc(arena, 1, sizeof *brief);
	if (request->count != 1)
		return error_set(
			error, PARADL_USAGE, "SimGrid's files are of one size, not of %zu", request->count);
	if (!brief)
		return out_of_memory(error);
	*brief = *request;
	brief->brief = true;
	struct asking *asking = asking_create(network, brief, arena, error);
	if (!asking || !asking_size(asking, 0, error))
		return false;
	chosen->row = &asking->rows[0];
	const struct candidate *best = asking->timings[chosen->row->choice].best;
	chosen->run = (struct run_of){&asking->group, &asking->comm, collectives[best->algorithm],
		best->variant, request->bytes[0]};
	return true;
}

bool paradl_simgrid_platform(struct paradl_network *network, const struct paradl_collective_request *only,
	paradl_write *write, void *context, struct paradl_arena *arena, struct paradl_error *error)
{
	struct chosen *chosen = arena_alloc(arena, 1, sizeof *chosen);
	struct sink *sink = arena_alloc(arena, 1, sizeof *sink);
	if (!chosen || !sink)
		return out_of_memory(error);
	sink->write = write;
	sink->context = context;
	if (!export_fits(network->network, error) || (only && !choose(network, only, arena, chosen, error)))
		return false;
	const char *title = arena_printf(arena, "%s, by paradl %s%s%s", network->name, paradl_version(),
		only ? ": routes for " : "", only ? chosen->run.collective->name : "");
	if (!title)
		return out_of_memory(error);
	return export_platform(arena, network->network, title, only ? &chosen->run : NULL, sink, error);
}

bool paradl_simgrid_trace(struct paradl_network *network, const struct paradl_collective_request *request,
	paradl_write *write, void *context, struct paradl_arena *arena, struct paradl_error *error)
{
	char variant[64] = "", bytes[DECIMAL_LENGTH], time[DECIMAL_LENGTH], least[DECIMAL_LENGTH],
	     most[DECIMAL_LENGTH];
	struct chosen *chosen = arena_alloc(arena, 1, sizeof *chosen);
	struct sink *sink = arena_alloc(arena, 1, sizeof *sink);
	if (!chosen || !sink)
		return out_of_memory(error);
	sink->write = write;
	sink->context = context;
	if (!export_fits(network->network, error) || !choose(network, request, arena, chosen, error))
		return false;
	const struct run_of *run = &chosen->run;
	if (run->collective->describe)
		run->collective->describe(run->comm, run->variant, variant, sizeof variant);
	sink_format(sink, "# %s%s%s on %s, by paradl %s\n# processes: %u\n", run->collective->name,
		variant[0] ? " " : "", variant, network->name, paradl_version(),
		export_processes(arena, run));
	sink_format(sink,
		"# ranks: %u\n# bytes: %s\n# estimate_s: %s\n# estimate_at_least_s: %s\n"
		"# estimate_at_most_s: %s\n",
		run->group->size, decimal_shortest(bytes, sizeof bytes, run->bytes),
		decimal_shortest(time, sizeof time, chosen->row->model_s),
		decimal_shortest(least, sizeof least, chosen->row->least_s),
		decimal_shortest(most, sizeof most, chosen->row->most_s));
	return export_trace(arena, network->network, run, sink, error);
}
