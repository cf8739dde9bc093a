/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of a trace stand in one of these lists: on their way, waiting, or under way; and in one of those that end. */
#include "oracle/replay_state.h"

void wait_last(struct replica *replica, struct request *request)
{
	*(replica->waits ? &replica->last->next : &replica->first) = request;
	replica->last = request;
	++replica->waits;
}

void wait_first(struct replica *replica, struct request *request)
{
	request->next = replica->first;
	replica->first = request;
	if (!replica->waits++)
		replica->last = request;
}

void request_insert(struct request_list *list, struct request *request)
{
	struct request *before = list->last;
	while (before && before->ready_s > request->ready_s)
		before = before->back;
	request->back = before;
	request->next = before ? before->next : list->first;
	*(before ? &before->next : &list->first) = request;
	*(request->next ? &request->next->back : &list->last) = request;
}

struct request *request_pop(struct request_list *list)
{
	struct request *const request = list->first;
	list->first = request->next;
	*(list->first ? &list->first->back : &list->last) = NULL;
	return request;
}

void running_add(struct replica *replica, struct request *request)
{
	struct request_list *const running = &replica->running;
	request->next = NULL;
	request->back = running->last;
	*(running->last ? &running->last->next : &running->first) = request;
	running->last = request;
	++replica->runs;
}

void running_remove(struct replica *replica, const struct request *request)
{
	*(request->back ? &request->back->next : &replica->running.first) = request->next;
	*(request->next ? &request->next->back : &replica->running.last) = request->back;
	--replica->runs;
}

/* Puts a request among those that end: a heap, in which each is below one that does not end later. */
static void place_at(const struct replica *replica, struct request *request, size_t place)
{
	replica->ending[place] = request;
	request->place = place;
}

/* Moves a request up from a free place, as far as it ends before those above. */
static void rise(const struct replica *replica, struct request *request, size_t place)
{
	for (; place > 0 && request->ends < replica->ending[(place - 1) / 2]->ends; place = (place - 1) / 2)
		place_at(replica, replica->ending[(place - 1) / 2], place);
	place_at(replica, request, place);
}

/* Moves a request down from a free place, as far as those below end before it. */
static void sink(const struct replica *replica, struct request *request, size_t place)
{
	for (size_t below; (below = 2 * place + 1) < replica->decodes; place = below) {
		below += below + 1 < replica->decodes &&
			 replica->ending[below + 1]->ends < replica->ending[below]->ends;
		if (replica->ending[below]->ends >= request->ends)
			break;
		place_at(replica, replica->ending[below], place);
	}
	place_at(replica, request, place);
}

void ending_add(struct replica *replica, struct request *request)
{
	rise(replica, request, replica->decodes++);
}

void ending_remove(struct replica *replica, const struct request *request)
{
	struct request *const last = replica->ending[--replica->decodes];
	if (last == request)
		return;
	sink(replica, last, request->place);
	rise(replica, last, last->place);
}
