/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collective as a trace of SMPI's replay, with one line per action: RANK ACTION ARGUMENTS. In each step a rank
 * posts what it receives and sends, and waits for all of these messages. So a rank goes on when its own messages are
 * done, which is the least that a program has to wait. Type 6 is bytes.
 */
#include <math.h>

#include "base/error.h"
#include "base/quantity.h"
#include "network/record/record.h"

enum { TYPE_BYTE = 6, LINES_MAX = 1 << 24 };
static const double most_bytes = 2147483647; /* counts are int */
static const double flop_per_s = 1e9;        /* speed of the platform's hosts */

struct trace {
	struct sink *sink;
	struct paradl_error *error;
	const struct run_of *run;
	double *received; /* bytes that each device receives in this step; negative: it has no message */
	double lines;
	unsigned devices;
};

static void seconds_write(struct trace *trace, unsigned rank, const char *action, double amount)
{
	if (amount > 0) {
		char text[DECIMAL_LENGTH];
		sink_format(
			trace->sink, "%u %s %s\n", rank, action, decimal_shortest(text, sizeof text, amount));
	}
}

static void step_write(struct trace *trace, const struct step_messages *step, double most)
{
	for (size_t i = 0; i < step->count; ++i) {
		const struct message *message = &step->messages[i];
		sink_format(trace->sink, "%u irecv %u 0 %.0f %d\n%u isend %u 0 %.0f %d\n", message->to,
			message->from, message->bytes, TYPE_BYTE, message->from, message->to, message->bytes,
			TYPE_BYTE);
	}
	for (unsigned rank = 0; rank < trace->devices; ++rank) {
		if (trace->received[rank] < 0)
			continue;
		sink_format(trace->sink, "%u waitall\n", rank);
		seconds_write(trace, rank, "sleep", step->wait_s);
		if (most > 0)
			seconds_write(trace, rank, "compute",
				step->reduce_s * flop_per_s * trace->received[rank] / most);
	}
}

static bool trace_step(void *context, const struct step_messages *step)
{
	struct trace *trace = context;
	double most = 0, busy = 0;
	for (unsigned rank = 0; rank < trace->devices; ++rank)
		trace->received[rank] = -1;
	for (size_t i = 0; i < step->count; ++i) {
		const struct message *message = &step->messages[i];
		double *from = &trace->received[message->from], *to = &trace->received[message->to];
		if (message->bytes > most_bytes)
			return error_set(trace->error, PARADL_USAGE,
				"a message of %.0f bytes is more than the 2 GiB that a trace can say",
				message->bytes);
		busy += (*from < 0) + (*to < 0);
		*from = fmax(*from, 0);
		*to = fmax(*to, 0) + message->bytes;
		most = fmax(most, *to);
	}
	trace->lines += step->repeat * (2 * (double)step->count + 3 * busy);
	if (trace->lines > LINES_MAX) {
		error_set(trace->error, PARADL_USAGE, "the trace of %s would have more than %d million lines",
			trace->run->collective->name, LINES_MAX / 1000000);
		error_hint(trace->error, "fewer ranks, or an algorithm with fewer steps");
		return false;
	}
	const unsigned repeat = (unsigned)step->repeat; /* the number of lines is limited, so this fits */
	for (unsigned i = 0; i < repeat && !trace->sink->failed; ++i)
		step_write(trace, step, most);
	return true;
}

bool export_trace(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	struct sink *sink, struct paradl_error *error)
{
	struct trace trace = {.sink = sink, .error = error, .run = run};
	if (!export_fits(network, error))
		return false;
	trace.devices = export_processes(arena, run);
	trace.received = arena_alloc(arena, trace.devices, sizeof *trace.received);
	if (!trace.devices || !trace.received)
		return out_of_memory(error);
	for (unsigned rank = 0; rank < trace.devices; ++rank)
		sink_format(sink, "%u init\n", rank);
	if (!steps_emit(arena, network, run, EXPORT_MESSAGES_MAX, trace_step, &trace, error))
		return false;
	for (unsigned rank = 0; rank < trace.devices; ++rank)
		sink_format(sink, "%u finalize\n", rank);
	return sink_end(sink, error);
}
