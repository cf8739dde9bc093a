/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scratch for steps of training.c: classes of units, stages, their schedule. Made once for a network. */
#include "base/error.h"
#include "oracle/holders.h"
#include "oracle/schedule.h"
#include "oracle/stage_work.h"

bool training_prepare(struct paradl_arena *arena, struct prepared *net, struct paradl_error *error)
{
	const unsigned units = net->model->unit_count;
	const unsigned most = units < PARADL_STAGES_MAX ? units : PARADL_STAGES_MAX;
	net->classes = unit_classes_create(arena, net->model, error);
	if (!net->classes)
		return false;
	net->stages = arena_alloc(arena, most, sizeof *net->stages);
	net->works = arena_alloc(arena, most, sizeof *net->works);
	net->stage_times = arena_alloc(arena, most, sizeof *net->stage_times);
	net->schedule_devices = arena_alloc(arena, most, sizeof *net->schedule_devices);
	net->held = arena_alloc(arena, most, sizeof *net->held);
	net->holders = arena_alloc(arena, most, sizeof *net->holders);
	net->schedule = arena_alloc(arena, 1, sizeof *net->schedule);
	if (net->stages && net->works && net->stage_times && net->schedule_devices && net->held &&
		net->holders && net->schedule)
		return true;
	return error_set(error, PARADL_NO_MEMORY, "out of memory");
}
