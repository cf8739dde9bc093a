/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pipeline of unequal stages with the GPipe schedule: all micro-batches forward, then all backward.
 *
 * Identical jobs through machines in series (a permutation flow shop): the last of S micro-batches leaves when the
 * first has passed every stage and link, and S - 1 more have passed the slowest:
 *     makespan = sum_i t_i + (S - 1) max_i t_i,   t: stages and the links between them
 * once forward and once backward; the last stage turns round as its forward ends. A sender that a message blocks is one
 * machine with that part of the link. tests/oracle compares it with an event-by-event simulation.
 *
 * On the critical path, the slowest stage's work is forward and backward. The first micro-batch waits for every link on
 * its way; so does the schedule when a link is slowest.
 */
#include <limits.h>

#include "oracle/schedule.h"

double gpipe_s(double sum_s, double slowest_s, double micro_batches)
{
	return sum_s + (micro_batches - 1) * slowest_s;
}

/* One way through the machines. */
struct passage {
	double sum_s, link_sum_s, slowest_s, slowest_stage_s;
};

static void machine_add(struct passage *passage, double work_s, double send_s, double blocked_s)
{
	passage->sum_s += work_s;
	passage->link_sum_s += send_s;
	passage->slowest_stage_s = later_s(passage->slowest_stage_s, work_s);
	passage->slowest_s = later_s(passage->slowest_s, later_s(work_s + blocked_s, send_s - blocked_s));
}

void schedule_flow_shop_held(unsigned stages, double micro_batches, unsigned *held)
{
	const unsigned all = micro_batches < UINT_MAX ? (unsigned)micro_batches : UINT_MAX;
	for (unsigned i = 0; i < stages; ++i)
		held[i] = stages > 1 ? all : 1;
}

void schedule_flow_shop(const struct stage_times *times, unsigned stages, double micro_batches,
	struct schedule_result *result)
{
	struct passage forward = {0, 0, 0, 0}, backward = {0, 0, 0, 0};
	for (unsigned i = 0; i < stages; ++i) {
		const bool sends = i + 1 < stages, returns = i > 0;
		machine_add(&forward, times[i].forward_s, sends ? times[i].send_forward_s : 0,
			sends ? times[i].forward_blocked_s : 0);
		machine_add(&backward, times[i].backward_s + times[i].weight_s,
			returns ? times[i].send_backward_s : 0, returns ? times[i].backward_blocked_s : 0);
	}
	result->makespan_s = gpipe_s(forward.sum_s + forward.link_sum_s, forward.slowest_s, micro_batches) +
			     gpipe_s(backward.sum_s + backward.link_sum_s, backward.slowest_s, micro_batches);
	const double transfer_s =
		forward.link_sum_s + backward.link_sum_s +
		(micro_batches - 1) * (forward.slowest_s - forward.slowest_stage_s + backward.slowest_s -
					      backward.slowest_stage_s);
	result->busy_s = 0;
	for (unsigned i = 0; i < stages; ++i) {
		const double work_s = times[i].forward_s + times[i].backward_s + times[i].weight_s;
		result->devices[i] = (struct schedule_device){.span_s = result->makespan_s,
			.busy_s = micro_batches * work_s,
			.blocked_s = transfer_s};
		result->busy_s = later_s(result->busy_s, result->devices[i].busy_s);
	}
	result->idle_s = result->makespan_s - result->busy_s;
	schedule_flow_shop_held(stages, micro_batches, result->held);
}
