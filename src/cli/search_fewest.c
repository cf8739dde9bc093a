/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file searches one number of GPUs after the other until there is a plan, and then, where only memory is asked
 * about, fewer GPUs for a plan whose optimizer states wait in host memory: searches leave those out by themselves.
 */
#include "base/error.h"
#include "cli/question.h"

/* A search for the fewest GPUs. */
struct quest {
	struct session *session;
	const struct question *question;
	const struct option_counts *asked; /* numbers to try; empty: those that one rents or buys */
	struct paradl_search_request request;
	unsigned devices;            /* the one number of the request */
	unsigned below;              /* only smaller numbers are tried; 0: all */
	bool offloads;               /* whether plans have to fit into the memory of hosts, too */
	bool explains;               /* whether the last number has to say what came closest */
	struct paradl_search search; /* of the number that is enough, or the last one */
	struct report_fewest found;
};

/* Returns the number of GPUs to try after some that were not enough; 0: there is none. */
static unsigned next_number(const struct quest *quest, unsigned devices)
{
	const struct paradl_machine_info *const machine = &quest->question->head.machine;
	unsigned next = 0;
	if (quest->asked->count == 0)
		next = paradl_devices_next(machine->devices_per_host, machine->devices, devices);
	for (size_t i = 0; i < quest->asked->count && next == 0; i++)
		if (quest->asked->values[i] > devices)
			next = (unsigned)quest->asked->values[i];
	return quest->below > 0 && next >= quest->below ? 0 : next;
}

/* Searches the plans of one number of GPUs. */
static bool number_try(struct quest *quest, unsigned devices, bool explains, struct paradl_search *search)
{
	struct session *const session = quest->session;
	quest->devices = devices;
	quest->request.devices = &quest->devices;
	quest->request.device_count = 1;
	quest->request.unexplained = !explains;
	if (!paradl_search(quest->question->oracle, &quest->request, session->arena, search, &session->error))
		return false;
	if (quest->offloads && search->count > 0 &&
		!question_host_holds(quest->question, &search->results[0].plan))
		search->count = 0;
	if (session->arguments.verbose && quest->explains)
		diagnostic_print(session, "paradl: %u GPU%s: %.0f plans, %.0f evaluated", devices,
			devices == 1 ? "" : "s", search->plans, search->evaluated);
	return true;
}

/* Tries whole hosts between the number that is enough and the last one that is not. */
static bool narrow(struct quest *quest)
{
	struct report_fewest *const found = &quest->found;
	const unsigned host = quest->question->head.machine.devices_per_host;
	unsigned devices;
	while (quest->asked->count == 0 &&
		(devices = paradl_devices_between(host, found->below, found->devices)) > 0) {
		struct paradl_search tried;
		if (!number_try(quest, devices, false, &tried))
			return false;
		if (tried.count > 0) {
			quest->search = tried;
			found->devices = devices;
		} else
			found->below = devices;
	}
	return true;
}

/* Searches numbers of GPUs until one has a plan. */
static bool find(struct quest *quest)
{
	struct report_fewest *const found = &quest->found;
	unsigned devices = 0;
	while ((devices = next_number(quest, devices)) > 0) {
		const bool last = next_number(quest, devices) == 0;
		if (!number_try(quest, devices, quest->explains && last, &quest->search))
			return false;
		if (quest->search.count > 0) {
			found->devices = devices;
			return narrow(quest);
		}
		found->below = devices;
	}
	found->closest = quest->search.closest;
	return true;
}

/* Finds what came closest on the largest number of GPUs that was not enough. */
static bool below_explain(struct quest *quest)
{
	struct paradl_search search;
	if (quest->found.devices == 0 || quest->found.below == 0)
		return true;
	quest->request.devices = &quest->found.below;
	quest->request.unexplained = false;
	if (!paradl_search(quest->question->oracle, &quest->request, quest->session->arena, &search,
		    &quest->session->error))
		return false;
	quest->found.closest = search.closest;
	return true;
}

/* Finds a plan with its optimizer states in host memory on fewer GPUs than `quest`, where memory is the only limit. */
static bool offloaded_find(const struct quest *quest, struct report_fewest *fewest)
{
	const struct arguments *const arguments = &quest->session->arguments;
	struct quest other = *quest;
	if (quest->request.vary || arguments->inference || arguments->deadline_s > 0 ||
		arguments->budget.amount > 0)
		return true;
	other.found = (struct report_fewest){0};
	other.request.vary = "+offload";
	other.below = quest->found.devices;
	other.explains = false;
	other.offloads = true;
	if (!find(&other))
		return false;
	if (other.found.devices > 0)
		fewest->offloaded = other.search.results[0];
	return true;
}

bool search_fewest(struct session *session, const struct question *question,
	struct paradl_search_request *request, struct paradl_search *search, struct report_fewest *fewest)
{
	unsigned *const devices = arena_alloc(session->arena, 1, sizeof *devices);
	struct quest quest = {.session = session,
		.question = question,
		.asked = &session->arguments.gpus,
		.request = *request,
		.explains = true};
	if (!devices)
		return out_of_memory(&session->error);
	if (!find(&quest) || !below_explain(&quest))
		return false;
	*search = quest.search;
	*fewest = quest.found;
	*devices = quest.found.devices > 0 ? quest.found.devices : quest.devices;
	request->devices = devices;
	request->device_count = 1;
	return offloaded_find(&quest, fewest);
}
