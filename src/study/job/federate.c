/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of federated training: reads schemes and clients, prices networks on devices, and answers for each scheme. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"
#include "study/job/federated.h"

enum { ASKED_MAX = 64 };

struct paradl_scheme_info paradl_scheme(size_t index)
{
	if (index >= SCHEMES)
		return (struct paradl_scheme_info){NULL, NULL, NULL, NULL};
	const struct federated_scheme *const scheme = federated_schemes[index];
	return (struct paradl_scheme_info){
		scheme->name, scheme->argument_name, scheme->summary, scheme->evidence};
}

NAME_FUNCTION(paradl_round_leg_name, enum paradl_round_leg, "download", "compute", "cluster", "exchange",
	"upload", "server")

NAME_FUNCTION(paradl_exchange_route_name, enum paradl_exchange_route, "peers", "lan", "server")

/* ---- schemes as text --------------------------------------------------------------------------------------- */

/* One entry of the list of schemes. */
struct asked {
	const struct federated_scheme *scheme;
	const char *text; /* text of the argument; NULL: none */
	double number;
};

static bool unknown_scheme(const char *name, struct paradl_error *error)
{
	const char *names[SCHEMES];
	char quoted[40];
	for (size_t i = 0; i < SCHEMES; i++)
		names[i] = federated_schemes[i]->name;
	error_set(error, PARADL_USAGE, "unknown scheme %s", error_quote(quoted, sizeof quoted, name));
	return name_hint(error, name, names, SCHEMES,
		"the schemes are fedavg, fedprox, cadis, model-exchange:H, splitfed:LAYER and feddct:S");
}

static bool read_argument(struct asked *asked, struct paradl_error *error)
{
	const struct federated_scheme *const scheme = asked->scheme;
	const char *end;
	asked->number = scheme->usual;
	if (!asked->text)
		return true;
	if (scheme->argument == SCHEME_PLAIN)
		return error_set(error, PARADL_USAGE, "%s takes nothing after a colon", scheme->name);
	if (scheme->argument == SCHEME_LAYER)
		return true;
	if (decimal_read(asked->text, 0, &asked->number, &end) && *end == '\0' &&
		asked->number >= scheme->least && asked->number <= scheme->most &&
		asked->number <= floor(asked->number))
		return true;
	return error_set(error, PARADL_USAGE, "%s:%s must be a whole number from %.0f to %.0f, is \"%s\"",
		scheme->name, scheme->argument_name, scheme->least, scheme->most, asked->text);
}

static bool read_scheme(
	struct paradl_arena *arena, const char *text, struct asked *asked, struct paradl_error *error)
{
	const size_t length = strcspn(text, ":");
	const char *const name = arena_copy(arena, text, length);
	if (!name)
		return out_of_memory(error);
	*asked = (struct asked){.text = text[length] ? text + length + 1 : NULL};
	for (size_t i = 0; i < SCHEMES && !asked->scheme; i++)
		if (strcmp(federated_schemes[i]->name, name) == 0)
			asked->scheme = federated_schemes[i];
	return asked->scheme ? read_argument(asked, error) : unknown_scheme(name, error);
}

/* Reads the list of schemes (NULL: all) and returns their number; 0: error. */
static size_t read_schemes(
	struct paradl_arena *arena, const char *text, struct asked asked[], struct paradl_error *error)
{
	size_t count = 0;
	for (; !text && count < SCHEMES; count++)
		asked[count] = (struct asked){
			.scheme = federated_schemes[count], .number = federated_schemes[count]->usual};
	while (text && *text) {
		const size_t length = strcspn(text, ",");
		const char *const one = arena_copy(arena, text, length);
		if (count == ASKED_MAX) {
			error_set(error, PARADL_USAGE, "at most %d schemes are possible", ASKED_MAX);
			return 0;
		}
		if (!one)
			out_of_memory(error);
		if (!one || !read_scheme(arena, one, &asked[count++], error))
			return 0;
		text += length + (text[length] == ',');
	}
	if (count == 0)
		error_set(error, PARADL_USAGE, "the list of schemes is empty");
	return count;
}

/* ---- clients ----------------------------------------------------------------------------------------------- */

/* Everything that is the same for all schemes. */
struct federation {
	struct paradl_oracle *oracle;
	const struct paradl_federation *asked;
	struct paradl_arena *arena;
	double batch, epochs, clients, participants;
	struct federated_device devices[FEDERATED_GROUPS_MAX];
	size_t count;
};

static bool check_rates(const struct paradl_client_group *group, struct paradl_error *error)
{
	if (group->up_bytes_per_s > 0 && group->down_bytes_per_s > 0 && group->lan_bytes_per_s > 0)
		return true;
	error_set(error, PARADL_USAGE, "clients %s: a rate of 0 moves nothing", group->name);
	error_hint(
		error, "rates of the links are more than 0: --up '20 Mb/s' --down '100 Mb/s' --lan '1 Gb/s'");
	return false;
}

static bool check_clients(struct federation *federation, struct paradl_error *error)
{
	const struct paradl_clients *const clients = &federation->asked->clients;
	if (clients->count == 0 || clients->count > FEDERATED_GROUPS_MAX)
		return error_set(error, PARADL_USAGE, "there must be from 1 to %d groups of clients, not %zu",
			FEDERATED_GROUPS_MAX, clients->count);
	federation->count = clients->count;
	for (size_t i = 0; i < clients->count; i++) {
		const double count = clients->groups[i].count;
		if (!(count >= 1) || count > floor(count))
			return error_set(error, PARADL_USAGE, "clients %s: %.15g is no number of clients",
				clients->groups[i].name, count);
		if (!check_rates(&clients->groups[i], error))
			return false;
		federation->clients += count;
	}
	const double most = federation->asked->participants;
	federation->participants = most > 0 ? most : federation->clients;
	if (federation->participants <= federation->clients)
		return true;
	return error_set(error, PARADL_USAGE, "%.0f participants are more than there are clients: %.0f", most,
		federation->clients);
}

static bool device_fill(struct federation *federation, const struct paradl_client_group *group,
	struct federated_device *device, struct paradl_error *error)
{
	const struct paradl_model *const model = federation->oracle->model;
	const double samples =
		group->samples > 0 ? group->samples : model->dataset.samples / federation->clients;
	struct network_cost whole;
	if (!(samples > 0)) {
		error_set(error, PARADL_USAGE, "%s names no data set that clients could share", model->name);
		error_hint(error, "say how many samples each client has: --samples-per-client 2500");
		return false;
	}
	*device = (struct federated_device){.group = group,
		.oracle = oracle_for(federation->oracle, federation->arena, NULL, group->device, error),
		.slower = group->speed > 0 ? 1 / group->speed : 1,
		.steps = federation->epochs * samples / federation->batch};
	if (!device->oracle)
		return false;
	const struct device *const hardware = &device->oracle->machine->device;
	device->memory_bytes = group->memory_bytes > 0 ? group->memory_bytes : hardware->memory_bytes;
	device->busy_watt = group->busy_watt > 0 ? group->busy_watt : hardware->busy_watt;
	device->bytes_per_s = hardware->memory_bytes_per_s;
	if (!(group->sample_s > 0))
		return true;
	if (!network_cost_fill(device->oracle, federation->batch, 1, 1, federation->arena, &whole, error))
		return false;
	device->slower = group->sample_s * federation->batch / whole.step_s;
	return true;
}

/* ---- networks ---------------------------------------------------------------------------------------------- */

/* Returns the costs of a network (NULL: the oracle's own) on the device of each group; NULL: error. */
static const struct network_cost *networks(struct federation *federation, const struct paradl_model *model,
	unsigned cut, struct paradl_error *error)
{
	struct network_cost *const costs = arena_alloc(federation->arena, federation->count, sizeof *costs);
	if (!costs)
		out_of_memory(error);
	for (size_t i = 0; costs && i < federation->count; i++) {
		const struct federated_device *const device = &federation->devices[i];
		struct paradl_oracle *const oracle =
			model ? oracle_for(device->oracle, federation->arena, model, NULL, error)
			      : device->oracle;
		if (!oracle || !network_cost_fill(oracle, federation->batch, device->slower, cut,
				       federation->arena, &costs[i], error))
			return NULL;
	}
	return costs;
}

static struct federated_work work_of(const struct federation *federation, const struct network_cost *whole)
{
	return (struct federated_work){.federation = federation->asked,
		.devices = federation->devices,
		.count = federation->count,
		.whole = whole,
		.part = whole,
		.server_watt = federation->oracle->machine->device.busy_watt,
		.batch = federation->batch,
		.epochs = federation->epochs,
		.participants = federation->participants};
}

/*
 * Fills in the part of the network that a client has under the scheme. False without an error: there is no such part,
 * and result says why.
 */
static bool part_fill(struct federation *federation, const struct asked *asked, struct federated_work *work,
	struct paradl_round *result, struct paradl_error *error)
{
	const struct federated_scheme *const scheme = asked->scheme;
	struct paradl_error reason = {.status = PARADL_OK};
	unsigned cut = 1;
	if (scheme->argument == SCHEME_LAYER) {
		cut = network_cut(federation->oracle->model, asked->text, error);
		if (cut == 0)
			return false;
	}
	if (!network_cost_fill(
		    federation->oracle, federation->batch, 1, cut, federation->arena, &work->server, error))
		return false;
	if (!scheme->divides) {
		work->part = networks(federation, NULL, cut, error);
		return work->part != NULL;
	}
	const struct paradl_model *const narrow =
		narrow_build(federation->arena, federation->oracle->model, asked->number, &reason);
	if (!narrow) {
		snprintf(result->reason, sizeof result->reason, "%.*s", (int)sizeof result->reason - 1,
			reason.message);
		return false;
	}
	work->part = networks(federation, narrow, 1, error);
	return work->part != NULL;
}

/* ---- answers ----------------------------------------------------------------------------------------------- */

static void name_scheme(const struct asked *asked, struct paradl_round *result)
{
	const struct federated_scheme *const scheme = asked->scheme;
	const char *const name = scheme->name;
	if (scheme->argument == SCHEME_COUNT)
		snprintf(result->scheme, sizeof result->scheme, "%s:%.0f", name, asked->number);
	else if (scheme->argument == SCHEME_LAYER && asked->text)
		snprintf(result->scheme, sizeof result->scheme, "%s:%s", name, asked->text);
	else
		snprintf(result->scheme, sizeof result->scheme, "%s", name);
	result->summary = scheme->summary;
	result->evidence = scheme->evidence;
	result->rounds_in_deadline = -1;
	result->joule = 0;
}

static bool answer(struct federation *federation, const struct network_cost *whole, const struct asked *asked,
	struct paradl_round *result, struct paradl_error *error)
{
	struct federated_work work = work_of(federation, whole);
	struct paradl_error reason = {.status = PARADL_OK};
	work.argument = asked->number;
	name_scheme(asked, result);
	if (part_fill(federation, asked, &work, result, &reason))
		return round_fill(&work, asked->scheme, federation->arena, result, error);
	if (error && reason.status != PARADL_OK)
		*error = reason;
	return reason.status == PARADL_OK;
}

/*
 * Fills in a division into `argument` parts: whether every group fits, and the memory of the group with the least to
 * spare.
 */
static void division_fill(
	const struct federated_work *work, double first_width_share, struct paradl_division *division)
{
	double spare = HUGE_VAL;
	*division = (struct paradl_division){.parts = work->argument,
		.share = first_width_share,
		.parameters = work->part[0].parameters,
		.fits = true};
	for (size_t group = 0; group < work->count; group++) {
		struct client_cost cost = {0};
		federated_feddct.client(work, group, &cost);
		const double left = work->devices[group].memory_bytes - cost.memory_bytes;
		division->fits = division->fits && left >= 0;
		division->server_bytes = cost.down_bytes + cost.up_bytes;
		division->lan_bytes = fmax(division->lan_bytes, cost.lan_bytes);
		if (left < spare) {
			spare = left;
			division->memory_bytes = cost.memory_bytes;
			division->network_bytes = cost.memory_bytes - work->part[group].other_bytes;
			division->state_bytes = work->part[group].state_bytes;
			division->stem_bytes = cost.stem_bytes;
		}
	}
}

/* Fills in divisions into 1, 2, 4, ... parts, until the network cannot get narrower. */
static bool divide(struct federation *federation, const struct network_cost *whole,
	struct paradl_federated *federated, struct paradl_error *error)
{
	enum { DIVISIONS = 7 };
	struct paradl_division *const divisions =
		arena_alloc(federation->arena, DIVISIONS, sizeof *divisions);
	struct paradl_error reason;
	if (!divisions)
		return out_of_memory(error);
	federated->divisions = divisions;
	for (unsigned i = 0; i < DIVISIONS; i++) {
		struct federated_work work = work_of(federation, whole);
		work.argument = 1u << i;
		const struct paradl_model *const narrow =
			narrow_build(federation->arena, federation->oracle->model, work.argument, &reason);
		if (!narrow) {
			federated->division_count = i > 1 ? i : 0;
			return true;
		}
		work.part = i > 0 ? networks(federation, narrow, 1, error) : whole;
		if (!work.part)
			return false;
		if (i > 0 && !(work.part[0].parameters < divisions[i - 1].parameters))
			return true;
		division_fill(&work, sqrt(work.part[0].parameters / whole[0].parameters), &divisions[i]);
		federated->division_count = i + 1;
		if (divisions[i].fits && !(federated->fewest_parts > 0))
			federated->fewest_parts = work.argument;
	}
	return true;
}

bool paradl_federate(struct paradl_oracle *oracle, const struct paradl_federation *question,
	const char *schemes, struct paradl_arena *arena, struct paradl_federated *federated,
	struct paradl_error *error)
{
	struct asked *const asked = arena_alloc(arena, ASKED_MAX, sizeof *asked);
	struct federation *const federation = arena_alloc(arena, 1, sizeof *federation);
	struct paradl_round *const rounds = arena_alloc(arena, ASKED_MAX, sizeof *rounds);
	if (!federation || !rounds || !asked)
		return out_of_memory(error);
	const size_t count = read_schemes(arena, schemes, asked, error);
	if (count == 0)
		return false;
	federation->oracle = oracle_for(oracle, arena, NULL, NULL, error);
	federation->asked = question;
	federation->arena = arena;
	federation->batch = question->batch > 0 ? question->batch : fmax(oracle->model->batch_per_gpu, 1);
	federation->epochs = question->epochs > 0 ? question->epochs : 1;
	if (!federation->oracle || !check_clients(federation, error))
		return false;
	for (size_t i = 0; i < federation->count; i++)
		if (!device_fill(federation, &question->clients.groups[i], &federation->devices[i], error))
			return false;
	const struct network_cost *const whole = networks(federation, NULL, 1, error);
	if (!whole)
		return false;
	*federated = (struct paradl_federated){.parameters = whole[0].parameters,
		.activation_bytes = whole[0].cut_bytes,
		.batch = federation->batch,
		.epochs = federation->epochs,
		.clients = federation->clients,
		.participants = federation->participants,
		.rounds = rounds,
		.count = count};
	for (size_t i = 0; i < count; i++)
		if (!answer(federation, whole, &asked[i], &rounds[i], error))
			return false;
	return divide(federation, whole, federated, error);
}
