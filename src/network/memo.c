/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps that are told more than once: both halves of a ring, the stages of a pipelined tree for every number of chunks.
 * A step's flows are kept while they are told; when it ends, a step with the same flows, whatever their bytes in common,
 * is looked up instead of routed. Only for times: watts and joules need the links.
 */
#include <string.h>

#include "network/compiler.h"

/* Marks every place as free, which is all that a search for one looks at: a memo has some 400 bytes. */
static void forget(struct compiler *compiler)
{
	for (unsigned i = 0; compiler->memo_count > 0 && i < MEMOS_MAX; ++i)
		compiler->memos[i].flows = 0;
	compiler->memo_count = 0;
}

bool told_grow(struct compiler *compiler)
{
	const unsigned room = compiler->told_room ? 2 * compiler->told_room : TOLD_FIRST;
	if (!compiler->memos)
		return false;
	struct told *told =
		room <= TOLD_MAX ? arena_alloc(compiler->arena, room, sizeof *compiler->told) : NULL;
	if (!told) {
		memo_give_up(compiler);
		return false;
	}
	if (compiler->told_count > 0)
		memcpy(told, compiler->told, compiler->told_count * sizeof *told);
	compiler->told = told;
	compiler->told_room = room;
	return true;
}

void memo_begin(struct compiler *compiler, bool same_group)
{
	const double lanes = compiler->lanes;
	compiler->told_count = 0;
	if (!compiler->memos ||
		(same_group && lanes <= compiler->memo_lanes && lanes >= compiler->memo_lanes))
		return;
	compiler->memo_lanes = lanes;
	forget(compiler);
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* What is the same in steps of other sizes: a share as a multiple of the first flow's. */
static uint64_t ratio_bits(double share, double first)
{
	const double ratio = share / first;
	uint64_t bits;
	memcpy(&bits, &ratio, sizeof bits);
	return bits;
}

bool memo_tell(struct compiler *compiler, unsigned from, unsigned to, double share)
{
	if (compiler->told_count == compiler->told_room && !told_grow(compiler))
		return false;
	if (compiler->told_count == 0)
		compiler->told_hash = 2 * (uint64_t)compiler->step.ring + compiler->message;
	struct told *told = &compiler->told[compiler->told_count++];
	*told = (struct told){from, to, share};
	compiler->told_hash = mixed(compiler->told_hash, (uint64_t)from << 32 | to);
	compiler->told_hash = mixed(compiler->told_hash, ratio_bits(share, compiler->told[0].share));
	return true;
}

void memo_give_up(struct compiler *compiler)
{
	for (unsigned i = 0; i < compiler->told_count; ++i)
		flow_route(compiler, compiler->told[i].from, compiler->told[i].to, compiler->told[i].share);
	compiler->told_count = 0;
}

/* A full table is emptied: schedules of one group rarely have so many kinds of steps. */
static struct memo *place_of(struct compiler *compiler, uint64_t hash, unsigned flows)
{
	if (compiler->memo_count > MEMOS_MAX / 2)
		forget(compiler);
	unsigned at = (unsigned)(hash >> 32) & (MEMOS_MAX - 1);
	while (compiler->memos[at].flows &&
		(compiler->memos[at].hash != hash || compiler->memos[at].flows != flows))
		at = (at + 1) & (MEMOS_MAX - 1);
	return &compiler->memos[at];
}

void memo_know(struct compiler *compiler)
{
	struct step *step = &compiler->step;
	const unsigned flows = compiler->told_count;
	const double unit = compiler->told[0].share;
	struct memo *memo = place_of(compiler, compiler->told_hash, flows);
	if (!memo->flows) {
		for (unsigned i = 0; i < flows; ++i)
			compiler->told[i].share /= unit;
		memo_give_up(compiler);
		step_know(compiler, 0);
		*memo = (struct memo){compiler->told_hash, flows, step->trip_s, step->times};
		++compiler->memo_count;
	}
	compiler->told_count = 0;
	step->trip_s = memo->trip_s;
	step->times = memo->times;
	hull_scale(&step->times.upper, unit);
	hull_scale(&step->times.lower, unit);
}
