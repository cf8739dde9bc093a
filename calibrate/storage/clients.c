/* SPDX-License-Identifier: BSD-3-Clause */
#include "clients.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "bench.h"

struct client {
	struct clients *all;
	unsigned index;
	pthread_t thread;
	int error;
};

struct clients {
	unsigned count;
	struct client *clients;
	client_work *work;
	void *state;
	pthread_barrier_t start, end; /* all clients and the caller */
	unsigned long long calls;     /* 0: leave */
};

static void *serve(void *argument)
{
	struct client *client = argument;
	struct clients *all = client->all;
	for (;;) {
		(void)pthread_barrier_wait(&all->start);
		if (all->calls == 0)
			return NULL;
		client->error = 0;
		for (unsigned long long call = 0; call < all->calls && !client->error; call++)
			if (!all->work(all->state, client->index))
				client->error = errno ? errno : EIO;
		(void)pthread_barrier_wait(&all->end);
	}
}

static struct clients *create(unsigned count, client_work *work, void *state)
{
	struct clients *all = calloc(1, sizeof *all);
	if (!all)
		return NULL;
	all->clients = calloc(count, sizeof *all->clients);
	if (all->clients && pthread_barrier_init(&all->start, NULL, count + 1) == 0) {
		if (pthread_barrier_init(&all->end, NULL, count + 1) == 0) {
			all->count = count;
			all->work = work;
			all->state = state;
			return all;
		}
		(void)pthread_barrier_destroy(&all->start);
	}
	free(all->clients);
	free(all);
	return NULL;
}

static void destroy(struct clients *all)
{
	(void)pthread_barrier_destroy(&all->start);
	(void)pthread_barrier_destroy(&all->end);
	free(all->clients);
	free(all);
}

/* Signals are the main thread's. Threads that lack others wait at their barrier for ever, at no cost. */
struct clients *clients_start(unsigned count, client_work *work, void *state)
{
	struct clients *all = create(count, work, state);
	sigset_t every, before;
	unsigned started = 0;
	if (!all)
		return NULL;
	(void)sigfillset(&every);
	(void)pthread_sigmask(SIG_SETMASK, &every, &before);
	for (; started < count; started++) {
		struct client *client = &all->clients[started];
		client->all = all;
		client->index = started;
		if (pthread_create(&client->thread, NULL, serve, client) != 0)
			break;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started == count)
		return all;
	for (unsigned i = 0; i < started; i++)
		(void)pthread_detach(all->clients[i].thread);
	return NULL; /* what they wait at is left to them */
}

double clients_run(struct clients *all, unsigned long long calls)
{
	double start;
	all->calls = calls;
	start = clock_s();
	(void)pthread_barrier_wait(&all->start);
	(void)pthread_barrier_wait(&all->end);
	start = clock_s() - start;
	for (unsigned i = 0; i < all->count; i++)
		if (all->clients[i].error) {
			errno = all->clients[i].error;
			return -1;
		}
	return start;
}

void clients_stop(struct clients *all)
{
	if (!all)
		return;
	all->calls = 0;
	(void)pthread_barrier_wait(&all->start);
	for (unsigned i = 0; i < all->count; i++)
		(void)pthread_join(all->clients[i].thread, NULL);
	destroy(all);
}
