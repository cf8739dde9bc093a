/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "watch.h"

static const double tick_s = 0.25,
		    most_per_tick_s = 1; /* of a tick that took longer, the process was stopped */

static struct watch {
	pthread_t thread;
	pthread_mutex_t lock;
	bool running;
	unsigned rank;
	double silent_s, patience_s;
	const struct run *run; /* NULL: none yet */
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void give_up(void)
{
	static const struct timespec pause = {.tv_nsec = 200000000}; /* for mpirun to read what was said */
	char reason[REASON_LENGTH];
	snprintf(reason, sizeof reason, "nothing has moved for %.3g s: a rank hangs, is stopped or lost",
		watch.patience_s);
	if (watch.run && !watch.rank)
		calibrate_abandon(watch.run, reason);
	fflush(NULL);
	nanosleep(&pause, NULL);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *watch_on(void *nothing)
{
	double before_s = clock_s();
	(void)nothing;
	for (;;) {
		nanosleep(&(struct timespec){.tv_nsec = (long)(tick_s * 1e9)}, NULL);
		const double now_s = clock_s();
		pthread_mutex_lock(&watch.lock);
		watch.silent_s += fmin(now_s - before_s, most_per_tick_s);
		const bool running = watch.running, lost = watch.silent_s > watch.patience_s;
		pthread_mutex_unlock(&watch.lock);
		before_s = now_s;
		if (!running)
			return NULL;
		if (lost)
			give_up();
	}
}

bool watch_begin(unsigned rank, double patience_s)
{
	watch.rank = rank;
	watch.patience_s = patience_s + (rank ? 5 : 0);
	watch.running = pthread_create(&watch.thread, NULL, watch_on, NULL) == 0;
	return watch.running;
}

void watch_point(const struct run *run)
{
	pthread_mutex_lock(&watch.lock);
	watch.run = run;
	watch.silent_s = 0;
	pthread_mutex_unlock(&watch.lock);
}

void watch_progress(void)
{
	pthread_mutex_lock(&watch.lock);
	watch.silent_s = 0;
	pthread_mutex_unlock(&watch.lock);
}

void watch_end(void)
{
	pthread_mutex_lock(&watch.lock);
	const bool running = watch.running;
	watch.running = false;
	pthread_mutex_unlock(&watch.lock);
	if (running)
		pthread_join(watch.thread, NULL);
}
