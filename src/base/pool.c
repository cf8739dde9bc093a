/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifdef __linux__
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/quantity.h"

/*
 * Time for which the caller works alone. A thread is started in less than a tenth of a millisecond; one more oracle
 * takes about as long.
 */
static const double alone_s = 0.003;

struct loop {
	size_t count, piece, next; /* next: the first turn that no thread has taken */
	void (*turn)(void *context, unsigned member, size_t index);
	void *context;
};

struct helper {
	struct pool *pool;
	unsigned member;
	pthread_t thread;
};

struct pool {
	unsigned members;
	bool (*prepare)(void *context);
	void *context;
	struct timespec born;
	unsigned started;     /* helpers that run; accessed by the caller only */
	pthread_mutex_t lock; /* guards all fields below */
	pthread_cond_t work,
		rest; /* work: turns to take, or the end; rest: the last helper of a loop is done */
	struct loop loop;
	unsigned busy; /* helpers that are taking turns */
	bool ends;
	struct helper helpers[];
};

unsigned pool_processors(void)
{
#ifdef CPU_COUNT
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
#endif
	const long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (unsigned)count : 1;
}

struct pool *pool_create(unsigned members, bool (*prepare)(void *context), void *context)
{
	members = members ? members : pool_processors();
	members = members < POOL_MOST ? members : POOL_MOST;
	struct pool *pool = calloc(1, sizeof *pool + (members - 1) * sizeof *pool->helpers);
	if (!pool)
		return NULL;
	pool->members = members;
	pool->prepare = prepare;
	pool->context = context;
	clock_gettime(CLOCK_MONOTONIC, &pool->born);
	if (pthread_mutex_init(&pool->lock, NULL) != 0 || pthread_cond_init(&pool->work, NULL) != 0 ||
		pthread_cond_init(&pool->rest, NULL) != 0) {
		free(pool);
		return NULL;
	}
	return pool;
}

unsigned pool_members(const struct pool *pool)
{
	return pool->members;
}

/* Takes pieces of the loop until none is left; the lock is held before and after. */
static void take_turns(struct pool *pool, unsigned member)
{
	struct loop *loop = &pool->loop;
	while (loop->next < loop->count) {
		const size_t begin = loop->next;
		const size_t end = loop->count - begin > loop->piece ? begin + loop->piece : loop->count;
		loop->next = end;
		pthread_mutex_unlock(&pool->lock);
		for (size_t i = begin; i < end; ++i)
			loop->turn(loop->context, member, i);
		pthread_mutex_lock(&pool->lock);
	}
}

static void *help(void *argument)
{
	const struct helper *helper = argument;
	struct pool *pool = helper->pool;
	struct numbers numbers;
	numbers_begin(&numbers);
	pthread_mutex_lock(&pool->lock);
	while (!pool->ends) {
		if (pool->loop.next == pool->loop.count) {
			pthread_cond_wait(&pool->work, &pool->lock);
			continue;
		}
		++pool->busy;
		take_turns(pool, helper->member);
		if (--pool->busy == 0)
			pthread_cond_signal(&pool->rest);
	}
	pthread_mutex_unlock(&pool->lock);
	numbers_end(&numbers);
	return NULL;
}

/* Starts the helpers; fewer of them, if the system has no more threads, and none where `prepare` fails. */
static void start(struct pool *pool)
{
	if (pool->prepare && !pool->prepare(pool->context))
		pool->members = 1;
	while (pool->started + 1 < pool->members) {
		struct helper *helper = &pool->helpers[pool->started];
		*helper = (struct helper){.pool = pool, .member = pool->started + 1};
		if (pthread_create(&helper->thread, NULL, help, helper) != 0)
			pool->members = pool->started + 1;
		else
			++pool->started;
	}
}

static bool is_impatient(const struct pool *pool)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - pool->born.tv_sec) + 1e-9 * (double)(now.tv_nsec - pool->born.tv_nsec) >
	       alone_s;
}

void pool_run(struct pool *pool, size_t count, size_t piece,
	void (*turn)(void *context, unsigned member, size_t index), void *context)
{
	size_t next = 0;
	while (next < count && !pool->started) {
		if (pool->members > 1 && is_impatient(pool))
			start(pool);
		else
			turn(context, 0, next++);
	}
	if (next == count)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->loop = (struct loop){count, piece, next, turn, context};
	pthread_cond_broadcast(&pool->work);
	take_turns(pool, 0);
	while (pool->busy > 0)
		pthread_cond_wait(&pool->rest, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->ends = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (unsigned i = 0; i < pool->started; ++i)
		pthread_join(pool->helpers[i].thread, NULL);
	pthread_cond_destroy(&pool->rest);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}
