/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows of equal length on the clock of rank 0, one call in each. A window in which some rank came too late does not count;
 * where that happens to most, windows become longer. What is left of a call's time is free of how ranks leave a barrier.
 */
#include <math.h>
#include <stdlib.h>

#include "collective.h"
#include "synchronise.h"

enum { WINDOWS = 64, ROUNDS_IN_VAIN = 12, TRIALS = 5 };
static const double slack_s = 20e-6, notice_s = 200e-6; /* of each window, and before the first */

struct window_clock {
	struct clock_model model; /* of rank 0's clock */
	double length_s;
};

struct window_clock *window_create(struct collective_state *state)
{
	struct window_clock *const window = calloc(1, sizeof *window);
	int created = window != NULL;
	MPI_Allreduce(MPI_IN_PLACE, &created, 1, MPI_INT, MPI_MIN, state->active);
	if (!created) {
		free(window);
		return NULL;
	}
	double least_s = HUGE_VAL;
	for (int i = 0; i < TRIALS; i++) {
		MPI_Barrier(state->active);
		const double begin_s = clock_s();
		state->collective->call(&state->vectors);
		least_s = fmin(least_s, clock_s() - begin_s);
	}
	MPI_Allreduce(&least_s, &window->length_s, 1, MPI_DOUBLE, MPI_MAX, state->active);
	window->length_s = 3 * window->length_s + slack_s;
	window->model = synchronise(state->active);
	return window;
}

void window_free(struct window_clock *window)
{
	free(window);
}

/* From the agreed time of each window to the end of its call here; HUGE_VAL: came too late. */
static void run_windows(const struct collective_state *state, double first_s, double *seconds, unsigned count)
{
	const struct window_clock *const window = state->window;
	for (unsigned i = 0; i < count; i++) {
		const double begin_s = first_s + i * window->length_s;
		const double own_s = clock_model_own_s(&window->model, begin_s);
		double now_s = clock_s();
		const bool late = now_s > own_s;
		while (now_s < own_s)
			now_s = clock_s();
		state->collective->call(&state->vectors);
		seconds[i] = late ? HUGE_VAL : clock_model_other_s(&window->model, clock_s()) - begin_s;
	}
}

double window_sample(struct collective_state *state, struct run *run, unsigned long long calls)
{
	struct window_clock *const window = state->window;
	double seconds[WINDOWS], all_s = 0;
	unsigned long long counted = 0;
	for (unsigned in_vain = 0; counted < calls && in_vain < ROUNDS_IN_VAIN;) {
		const unsigned count = calls - counted < WINDOWS ? (unsigned)(calls - counted) : WINDOWS;
		double first_s = clock_s() + notice_s + window->length_s;
		MPI_Bcast(&first_s, 1, MPI_DOUBLE, 0, state->active);
		run_windows(state, first_s, seconds, count);
		MPI_Allreduce(MPI_IN_PLACE, seconds, (int)count, MPI_DOUBLE, MPI_MAX, state->active);
		unsigned in_time = 0;
		for (unsigned i = 0; i < count; i++)
			if (seconds[i] < HUGE_VAL) {
				all_s += seconds[i];
				in_time++;
			}
		counted += in_time;
		in_vain = in_time ? 0 : in_vain + 1;
		if (2 * in_time < count)
			window->length_s *= 2;
	}
	if (counted < calls) {
		run_say(run, FAILED, "some rank is late for every window, also of %.3g s", window->length_s);
		return -1;
	}
	return all_s;
}
