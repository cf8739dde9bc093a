/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zero bubble comes to a steady state: what comes again some time later does so up to the last micro-batches. */
#include "oracle/zero_bubble.h"

#include <string.h>

static const double same = 1e-11; /* share of a period: above what 10^5 sums round, far below what is asked */

/* Visitor of the times of a state, and what it does with each. */
struct visitor {
	enum { TIME_KEEP, TIME_COMPARE, TIME_SHIFT } does;
	double *kept_s; /* next of the kept times */
	double period_s;
};

/* Visits a time: keeps, compares or shifts it; false: it is not a period after the one that was kept. */
static bool time_visit(struct visitor *visitor, double *time_s)
{
	switch (visitor->does) {
	case TIME_KEEP:
		*visitor->kept_s++ = *time_s;
		return true;
	case TIME_COMPARE:
		return fabs(*time_s - *visitor->kept_s++ - visitor->period_s) <= same * visitor->period_s;
	case TIME_SHIFT:
		*time_s += visitor->period_s;
		return true;
	}
	return false;
}

/* Visits the messages on their way to a stage; where a pass begins nothing has to come. */
static bool arrivals_visit(const struct bubble *bubble, unsigned k, enum pass pass, struct visitor *visitor)
{
	const struct bubble_stage *const stage = &bubble->stages[k];
	if (k == (pass == PASS_FORWARD ? 0 : bubble->stage_count - 1))
		return true;
	for (unsigned j = stage->done[pass]; j < stage->sent[pass]; ++j)
		if (!time_visit(visitor, &stage->arrival_s[pass][j & bubble->mask]))
			return false;
	return true;
}

/* Visits all times of a state, in order, as long as they agree. */
static bool times_visit(const struct bubble *bubble, struct visitor *visitor)
{
	for (unsigned i = 0; i < bubble->device_count; ++i) {
		struct bubble_device *const own = &bubble->devices[i];
		if (!time_visit(visitor, &own->free_s))
			return false;
		for (unsigned link = 0; link < 2; ++link) /* links that are in use */
			if (own->link_s[link] > 0 && !time_visit(visitor, &own->link_s[link]))
				return false;
	}
	for (unsigned k = 0; k < bubble->stage_count; ++k)
		if (!arrivals_visit(bubble, k, PASS_FORWARD, visitor) ||
			!arrivals_visit(bubble, k, PASS_BACKWARD, visitor))
			return false;
	return true;
}

static void state_keep(const struct bubble *bubble, const struct bubble_memory *memory)
{
	struct visitor visitor = {TIME_KEEP, memory->kept_s, 0};
	times_visit(bubble, &visitor);
	memcpy(memory->kept, bubble->stages, bubble->stage_count * sizeof *bubble->stages);
}

/* Returns whether all stages have done, and been sent, `shift` micro-batches more than when the state was kept. */
static bool counts_agree(const struct bubble *bubble, const struct bubble_stage *kept, unsigned shift)
{
	for (unsigned k = 0; k < bubble->stage_count; ++k) {
		const struct bubble_stage *const stage = &bubble->stages[k];
		for (unsigned work = 0; work <= WORK_WEIGHTS; ++work)
			if (stage->done[work] - kept[k].done[work] != shift)
				return false;
		if ((k && stage->sent[PASS_FORWARD] - kept[k].sent[PASS_FORWARD] != shift) ||
			stage->sent[PASS_BACKWARD] - kept[k].sent[PASS_BACKWARD] != shift)
			return false;
	}
	return true;
}

/* Skips as many periods as there are: the rest is later, and fewer micro-batches come. Returns when that begins. */
static double periods_skip(const struct bubble *bubble, unsigned shift, double period_s)
{
	const unsigned end = bubble->schedule->micro_batches - 1,
		       first = bubble->stages[0].done[PASS_FORWARD];
	const unsigned times = shift && first < end ? (end - first) / shift : 0;
	struct visitor visitor = {TIME_SHIFT, NULL, times * period_s};
	times_visit(bubble, &visitor);
	for (unsigned i = 0; i < bubble->device_count; ++i)
		bubble->devices[i].end_s += visitor.period_s;
	bubble->stages[0].sent[PASS_FORWARD] -= times * shift;
	return bubble_renew(bubble);
}

double bubble_steady(const struct bubble *bubble, const struct bubble_memory *memory,
	struct bubble_mark *mark, double first_s)
{
	const unsigned done = bubble->stages[0].done[PASS_BACKWARD];
	const double period_s = bubble->devices[0].free_s - memory->kept_s[0];
	struct visitor visitor = {TIME_COMPARE, memory->kept_s, period_s};
	if (mark->done && period_s > 0 && counts_agree(bubble, memory->kept, done - mark->done) &&
		times_visit(bubble, &visitor)) {
		const unsigned shift = done - mark->done;
		*mark = (struct bubble_mark){.next = bubble->schedule->micro_batches + 1};
		return periods_skip(bubble, shift, period_s);
	}
	if (done >= mark->next) {
		state_keep(bubble, memory);
		*mark = (struct bubble_mark){.done = done, .next = 2 * done};
	}
	return first_s;
}
