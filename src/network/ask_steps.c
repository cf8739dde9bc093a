/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file shows what an algorithm does: its steps and links as text, for people to read (equal messages are shown as
 * one line), and its messages and network as files for SimGrid.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/quantity.h"
#include "network/ask.h"
#include "network/record/record.h"

enum { STEPS_MAX = 512, SHOWN = 4, MESSAGES_BYTES = 96 };

/* The pattern that the messages of a step so far have in common; UINT_MAX: none. */
struct common {
	unsigned shift;       /* to = from + shift mod P */
	unsigned local_shift; /* the same inside nodes of g ranks */
	unsigned distance;    /* to = from ^ distance */
};

struct printer {
	struct recorder recorder; /* first: its functions get its address */
	struct paradl_arena *arena;
	unsigned size, per_node;
	double bytes;
	struct paradl_step step, *steps;
	size_t count;
	double total;
	bool complete, out_of_memory, all_pairs;
	struct common common;
	unsigned from[SHOWN], to[SHOWN];
};

/*
 * Returns the messages of a step as text. Patterns are named only if there are as many messages as ranks; else some
 * messages are listed.
 */
static const char *messages_text(const struct printer *printer, const struct paradl_step *step)
{
	const struct common *common = &printer->common;
	char text[MESSAGES_BYTES] = "";
	size_t used = 0;
	const bool all = step->count >= printer->size;
	if (printer->all_pairs)
		return "every rank to every other";
	if (all && common->shift != UINT_MAX)
		return arena_printf(printer->arena, "r -> r + %u mod %u", common->shift, printer->size);
	if (all && common->local_shift != UINT_MAX)
		return arena_printf(printer->arena, "r -> r + %u mod %u in each node", common->local_shift,
			printer->per_node);
	if (all && common->distance != UINT_MAX)
		return arena_printf(printer->arena, "r -> r xor %u", common->distance);
	for (unsigned i = 0; i < SHOWN && i < step->count; ++i)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%u -> %u", i ? ", " : "",
			printer->from[i], printer->to[i]);
	return arena_printf(printer->arena, "%s%s", text, step->count > SHOWN ? ", ..." : "");
}

static void end(struct recorder *recorder)
{
	struct printer *printer = (struct printer *)recorder;
	struct paradl_step *step = &printer->step;
	const struct recorded_step *recorded = &recorder->step;
	step->phase = recorded->phase;
	step->first = printer->total + 1;
	step->repeat = recorded->repeat;
	step->depth = recorded->depth;
	step->combined_bytes = recorded->reduce_share * printer->bytes;
	step->memory_bytes = recorded->memory_share * printer->bytes;
	step->wait_s = recorded->wait_s;
	printer->complete &= printer->count < STEPS_MAX;
	if (printer->complete) {
		step->messages = messages_text(printer, step);
		printer->out_of_memory |= !step->messages;
		printer->steps[printer->count++] = *step;
	}
	printer->total += recorded->repeat;
	printer->all_pairs = false;
	*step = (struct paradl_step){.phase = ""};
}

static void common_add(struct printer *printer, unsigned from, unsigned to, bool first)
{
	struct common *common = &printer->common;
	const unsigned p = printer->size, g = printer->per_node;
	const unsigned shift = (to + p - from) % p, local_shift = (to % g + g - from % g) % g;
	const bool inside = g > 1 && to / g == from / g;
	if (first)
		*common = (struct common){shift, inside ? local_shift : UINT_MAX, from ^ to};
	common->shift = common->shift == shift ? shift : UINT_MAX;
	common->local_shift = inside && common->local_shift == local_shift ? local_shift : UINT_MAX;
	common->distance = common->distance == (from ^ to) ? common->distance : UINT_MAX;
}

static void message(struct recorder *recorder, unsigned from, unsigned to, double share)
{
	struct printer *printer = (struct printer *)recorder;
	struct paradl_step *step = &printer->step;
	const double bytes = share * printer->bytes;
	const bool first = !(step->count > 0);
	if (step->count < SHOWN) {
		printer->from[(unsigned)step->count] = from;
		printer->to[(unsigned)step->count] = to;
	}
	common_add(printer, from, to, first);
	step->least_bytes = first ? bytes : fmin(step->least_bytes, bytes);
	step->most_bytes = fmax(step->most_bytes, bytes);
	step->count += 1;
}

static void all_pairs(struct recorder *recorder, double share)
{
	struct printer *printer = (struct printer *)recorder;
	printer->step.count = (double)printer->size * (printer->size - 1);
	printer->step.least_bytes = printer->step.most_bytes = share * printer->bytes;
	printer->all_pairs = true;
}

static bool emit(const struct communicator *comm, const struct candidate *candidate, double bytes,
	struct paradl_arena *arena, struct paradl_schedule *schedule)
{
	char variant[MESSAGES_BYTES] = "";
	const struct collective *collective = collectives[candidate->algorithm];
	struct printer *printer = arena_alloc(arena, 1, sizeof *printer);
	if (!printer)
		return false;
	*printer = (struct printer){.recorder = {.schedule = {.listener = &recorder_listener},
					    .phase = "",
					    .message = message,
					    .all_pairs = all_pairs,
					    .end = end},
		.arena = arena,
		.size = comm->size,
		.per_node = comm->per_node,
		.bytes = bytes,
		.complete = true,
		.steps = arena_alloc(arena, STEPS_MAX, sizeof *printer->steps)};
	if (!printer->steps)
		return false;
	collective->emit(comm, candidate->variant, &printer->recorder.schedule);
	recorder_end(&printer->recorder);
	if (collective->describe)
		collective->describe(comm, candidate->variant, variant, sizeof variant);
	*schedule = (struct paradl_schedule){collective->name, arena_text(arena, variant), printer->steps,
		printer->count, printer->total, printer->complete};
	return schedule->variant && !printer->out_of_memory;
}

bool paradl_collective_schedule(struct paradl_network *network,
	const struct paradl_collective_request *request, double bytes, struct paradl_arena *arena,
	struct paradl_schedule *schedule, struct paradl_error *error)
{
	struct paradl_collective_request *one = arena_alloc(arena, 1, sizeof *one);
	if (!one)
		return out_of_memory(error);
	*one = *request;
	one->brief = true;
	one->bytes = &bytes;
	one->count = 1;
	struct asking *asking = asking_create(network, one, arena, error);
	if (!asking || !asking_size(asking, 0, error))
		return false;
	const struct candidate *best = asking->timings[asking->rows[0].choice].best;
	return emit(&asking->comm, best, bytes, arena, schedule) || out_of_memory(error);
}

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

/*
 * Returns the text of a cable of a port, which goes from a device, a node or its port to a switch; `way` is its
 * direction.
 */
static const char *port_text(const struct paradl_network *network, struct paradl_arena *arena,
	const struct cable *cable, const char *way)
{
	const unsigned ports = network->network->ports, devices = network->network->graph->devices,
		       index = cable->from - devices;
	if (cable->from < devices)
		return arena_printf(arena, "port of device %u, %s", cable->from, way);
	if (paradl_network_info(network).schematic)
		return arena_printf(arena, "a port of node %u, %s", index, way);
	return arena_printf(arena, "port %u of node %u, %s", index % ports, index / ports, way);
}

/* Returns a link as text: "port 1 of node 3, out", "switch link, switch 5 to switch 9". */
const char *ask_link(const struct paradl_network *network, struct paradl_arena *arena, unsigned link)
{
	static const char *const kinds[LINK_KINDS] = {
		"device link", "PCIe", "port", "switch link", "global link", "backplane"};
	const struct graph *graph = network->network->graph;
	if (link == UINT_MAX)
		return "";
	const struct cable *cable = &graph->cables[link / graph->ways];
	const bool against = graph->ways == 2 && link % 2;
	const unsigned from = against ? cable->to : cable->from, to = against ? cable->from : cable->to;
	const char *const ends[] = {
		from < graph->devices ? "device" : "switch", to < graph->devices ? "device" : "switch"};
	if (cable->from == cable->to)
		return arena_printf(arena, "%s of switch %u", kinds[cable->kind], from - graph->devices);
	if (cable->kind == LINK_PORT)
		return port_text(network, arena, cable,
			graph->ways == 1 ? "both ways"
			: against        ? "in"
					 : "out");
	return arena_printf(arena, "%s, %s %u to %s %u", kinds[cable->kind], ends[0],
		from < graph->devices ? from : from - graph->devices, ends[1],
		to < graph->devices ? to : to - graph->devices);
}
