/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A schedule as the messages between devices of each step, for all groups that run at the same time. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "network/record/record.h"

/* ---- text ---------------------------------------------------------------------------------------------------- */

enum { LINE_LONGEST = 1024 };

static void sink_flush(struct sink *sink)
{
	if (!sink->failed && sink->used && !sink->write(sink->context, sink->text, sink->used))
		sink->failed = true;
	sink->used = 0;
}

__attribute__((format(printf, 2, 0))) static void sink_list(
	struct sink *sink, const char *format, va_list arguments)
{
	if (sink->used + LINE_LONGEST > sizeof sink->text)
		sink_flush(sink);
	/* clang-tidy 14 takes a va_list that is passed on for uninitialized */
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	const int length = vsnprintf(sink->text + sink->used, LINE_LONGEST, format, arguments);
	if (length < 0 || length >= LINE_LONGEST)
		sink->failed = true;
	else
		sink->used += (size_t)length;
}

void sink_format(struct sink *sink, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	sink_list(sink, format, arguments);
	va_end(arguments);
}

bool sink_end(struct sink *sink, struct paradl_error *error)
{
	sink_flush(sink);
	return !sink->failed || error_set(error, PARADL_IO, "the file could not be written");
}

/* ---- steps --------------------------------------------------------------------------------------------------- */

struct emitter {
	struct recorder recorder; /* first: its functions get its address */
	struct paradl_arena *arena;
	const struct run_of *run;
	const struct machine_network *rules;
	double memory_s_per_byte;
	unsigned *offset, *base, copies;
	struct message *messages;
	size_t count, room, most;
	step_function *function;
	void *context;
	bool full, stopped;
};

static bool grow(struct emitter *emitter)
{
	const size_t room = emitter->room ? 2 * emitter->room : 1024;
	struct message *messages = emitter->count < emitter->most
					   ? list_moved(emitter->arena, emitter->messages, emitter->count,
						     room, sizeof *messages)
					   : NULL;
	if (!messages)
		return false;
	emitter->messages = messages;
	emitter->room = room;
	return true;
}

static unsigned device_of(const struct emitter *emitter, unsigned copy, unsigned rank)
{
	const unsigned place = emitter->base[copy] + emitter->offset[rank];
	return emitter->run->group->placement ? emitter->run->group->placement[place] : place;
}

static void end(struct recorder *recorder)
{
	struct emitter *emitter = (struct emitter *)recorder;
	const struct recorded_step *recorded = &recorder->step;
	const double bytes = emitter->run->bytes;
	const struct step_messages step = {.messages = emitter->messages,
		.count = emitter->count,
		.repeat = recorded->repeat,
		.ring = recorded->ring,
		.copies = emitter->copies,
		.reduce_s = recorded->reduce_share * bytes * emitter->rules->reduce_s_per_byte,
		.wait_s = recorded->memory_share * bytes * emitter->memory_s_per_byte + recorded->wait_s};
	if (!emitter->stopped)
		emitter->stopped = !emitter->function(emitter->context, &step);
	emitter->count = 0;
}

static void message(struct recorder *recorder, unsigned from, unsigned to, double share)
{
	struct emitter *emitter = (struct emitter *)recorder;
	for (unsigned copy = 0; copy < emitter->copies && !emitter->full; ++copy) {
		emitter->full = emitter->count == emitter->room && !grow(emitter);
		if (!emitter->full)
			emitter->messages[emitter->count++] = (struct message){device_of(emitter, copy, from),
				device_of(emitter, copy, to), share * emitter->run->bytes};
	}
}

static void all_pairs(struct recorder *recorder, double share)
{
	const struct emitter *emitter = (const struct emitter *)recorder;
	const unsigned size = emitter->run->group->size;
	for (unsigned turn = 1; turn < size && share > 0 && !emitter->full; ++turn)
		for (unsigned from = 0; from < size; ++from)
			message(recorder, from, (from + turn) % size, share);
}

static bool teller_create(struct emitter *emitter, const struct group *group)
{
	const unsigned devices = group->devices > group->size ? group->devices : group->size;
	emitter->offset = arena_alloc(emitter->arena, group->size, sizeof *emitter->offset);
	emitter->base = arena_alloc(emitter->arena, devices, sizeof *emitter->base);
	if (!emitter->offset || !emitter->base)
		return false;
	for (unsigned rank = 0; rank < group->size; ++rank)
		emitter->offset[rank] = group_offset(group, rank);
	emitter->copies = group_copies(group, group->devices, emitter->base);
	return true;
}

unsigned export_processes(struct paradl_arena *arena, const struct run_of *run)
{
	struct emitter emitter = {.arena = arena, .run = run};
	unsigned last = 0;
	if (!teller_create(&emitter, run->group))
		return 0;
	for (unsigned copy = 0; copy < emitter.copies; ++copy)
		for (unsigned rank = 0; rank < run->group->size; ++rank) {
			const unsigned device = device_of(&emitter, copy, rank);
			last = device > last ? device : last;
		}
	return last + 1;
}

bool export_fits(const struct network *network, struct paradl_error *error)
{
	if (network->devices <= EXPORT_DEVICES_MAX)
		return true;
	error_set(error, PARADL_USAGE, "SimGrid files are written for at most %d devices, not %u",
		EXPORT_DEVICES_MAX, network->devices);
	error_hint(error, "take a smaller network of the same kind");
	return false;
}

bool steps_emit(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	size_t most, step_function *function, void *context, struct paradl_error *error)
{
	struct emitter emitter = {.recorder = {.schedule = {.listener = &recorder_listener},
					  .message = message,
					  .all_pairs = all_pairs,
					  .end = end},
		.arena = arena,
		.run = run,
		.rules = network->rules,
		.memory_s_per_byte = network->memory_s_per_byte,
		.most = most,
		.function = function,
		.context = context};
	if (run->variant >= run->collective->variants(run->comm))
		return error_set(error, PARADL_USAGE, "%s does not apply to %u ranks", run->collective->name,
			run->comm->size);
	if (!teller_create(&emitter, run->group))
		return out_of_memory(error);
	run->collective->emit(run->comm, run->variant, &emitter.recorder.schedule);
	recorder_end(&emitter.recorder);
	if (emitter.recorder.forked)
		return error_set(error, PARADL_USAGE,
			"%s does two things beside each other, which a trace of one process cannot say",
			run->collective->name);
	if (emitter.full)
		return error_set(error, PARADL_USAGE, "%s has a step of more than %zu messages",
			run->collective->name, most);
	return !emitter.stopped;
}
