/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/mpi/mpi_crew.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double most_tick_s = 0.25;   /* longest time between two looks that counts as listening */
static const double work_pause_s = 1e-3;  /* pause between looks at the network while the program works */
static const double wait_pause_s = 50e-6; /* pause while it waits */
static const double most_beat_s = 1;
static const double beats_in_silence = 8;

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void crew_turn(struct crew *crew, enum crew_state state)
{
	crew->state = state;
	crew->told = false;
	pthread_cond_broadcast(&crew->turned);
}

bool crew_silent(const struct crew *crew, const struct peer *peer)
{
	return crew->clock_s - peer->heard_s > crew->lost_after_s;
}

const char *crew_name(const struct crew *crew, unsigned rank, char text[CREW_NAME_BYTES])
{
	const struct place *const place = &crew->peers[rank].place;
	snprintf(text, CREW_NAME_BYTES, "rank %u (%s, process %ld)", rank, place->host, place->process);
	return text;
}

static void listen_to(struct crew *crew)
{
	const double now = now_s();
	crew->clock_s += fmin(now - crew->tick_s, most_tick_s);
	crew->tick_s = now;
	for (struct parcel *parcel; (parcel = wire_receive(&crew->wire));) {
		if (crew->rank == 0)
			leader_take(crew, parcel);
		else
			member_take(crew, parcel);
	}
}

/* Sends a beat when it is due, except to silent peers and to those with earlier messages still under way. */
static void beat(struct crew *crew)
{
	const double beat_s = fmin(most_beat_s, crew->lost_after_s / beats_in_silence);
	const unsigned first = crew->rank == 0, end = crew->rank == 0 ? crew->size : 1;
	if (crew->clock_s - crew->beat_s < beat_s)
		return;
	crew->beat_s = crew->clock_s;
	for (unsigned rank = first; rank < end; rank++)
		if (!crew_silent(crew, &crew->peers[rank]) && wire_sent(&crew->wire, (int)rank))
			wire_send(&crew->wire, (int)rank, WIRE_BEAT, NULL, 0);
}

/* Waits until the next look at the network is due, or until the program's state changes. */
static void pause_thread(struct crew *crew)
{
	const bool works = crew->state == CREW_WORKS;
	const double until = now_s() + (works ? work_pause_s : wait_pause_s), whole = floor(until);
	const struct timespec time = {.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (until - whole))};
	pthread_cond_timedwait(&crew->turned, &crew->lock, &time);
}

static void *speak(void *context)
{
	struct crew *const crew = context;
	pthread_mutex_lock(&crew->lock);
	while (crew->state != CREW_OVER) {
		listen_to(crew);
		if (crew->rank == 0)
			leader_act(crew);
		else
			member_act(crew);
		beat(crew);
		if (crew->state != CREW_OVER)
			pause_thread(crew);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

void crew_begin(struct team *team, double lost_after_s)
{
	struct crew *const crew = (struct crew *)team;
	crew->lost_after_s = lost_after_s;
	crew->tick_s = now_s();
	crew->begun = pthread_create(&crew->thread, NULL, speak, crew) == 0;
}

bool crew_exchange(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes)
{
	struct crew *const crew = context;
	pthread_mutex_lock(&crew->lock);
	crew->mine = mine;
	crew->mine_bytes = bytes;
	if (crew->begun && !crew->failed)
		crew_turn(crew, CREW_OFFERS);
	while (crew->state == CREW_OFFERS)
		pthread_cond_wait(&crew->turned, &crew->lock);
	const bool ok = crew->begun && !crew->failed;
	if (ok) {
		*all = crew->all->data + sizeof crew->round;
		*all_bytes = crew->all->bytes - sizeof crew->round;
	}
	pthread_mutex_unlock(&crew->lock);
	return ok;
}
