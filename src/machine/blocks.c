/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the optional parts of a machine's profile that hold no links: "power", "price" and "reliability", "storage"
 * (tiers by name, each of one node or of the whole system), "host" (parts of a node other than its devices) and
 * "curves" (times of collectives measured there); see paradl-hw(5).
 */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "machine/blocks.h"

#define COUNT(array)  (sizeof(array) / sizeof *(array))
#define AT(member)    offsetof(struct paradl_machine, member)
#define PRICE(member) offsetof(struct paradl_machine, price.member)

static const double hours_per_year = 365.25 * 24;

static const struct json_field power_fields[] = {
	{"node", JSON_TO_QUANTITY, false, AT(node_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"storage", JSON_TO_QUANTITY, false, AT(storage_watt), 0, 1e9, DIMENSION_POWER, NULL},
	{"pue", JSON_TO_DOUBLE, false, AT(pue), 1, 5, DIMENSION_NONE, NULL},
};

static const struct json_field currency_field[] = {
	{"currency", JSON_TO_TEXT, true, AT(currency), 0, 0, DIMENSION_NONE, NULL},
};
static const struct json_field rent_fields[] = {
	{"per_node_hour", JSON_TO_DOUBLE, false, PRICE(rent_per_node_hour), 0, 1e12, DIMENSION_NONE, NULL},
	{"per_gpu_hour", JSON_TO_DOUBLE, false, PRICE(rent_per_node_hour), 0, 1e12, DIMENSION_NONE, NULL},
};
static const struct json_field purchase_fields[] = {
	{"node", JSON_TO_DOUBLE, true, PRICE(node), 0, 1e12, DIMENSION_NONE, NULL},
	{"years", JSON_TO_DOUBLE, true, PRICE(years), 0.1, 100, DIMENSION_NONE, NULL},
	{"utilisation", JSON_TO_DOUBLE, false, PRICE(utilisation), 0.001, 1, DIMENSION_NONE, NULL},
	{"maintenance", JSON_TO_DOUBLE, false, PRICE(maintenance), 0, 10, DIMENSION_NONE, NULL},
	{"network", JSON_TO_DOUBLE, false, PRICE(network), 0, 1e15, DIMENSION_NONE, NULL},
	{"staff", JSON_TO_DOUBLE, false, PRICE(staff), 0, 1e15, DIMENSION_NONE, NULL},
	{"energy_per_kwh", JSON_TO_DOUBLE, false, PRICE(energy_per_kwh), 0, 1e9, DIMENSION_NONE, NULL},
};
static const struct json_field reliability_fields[] = {
	{"node_mtbf", JSON_TO_QUANTITY, false, AT(node_mtbf_s), 1, 1e12, DIMENSION_TIME, NULL},
	{"restart", JSON_TO_QUANTITY, false, AT(restart_s), 1e-3, 1e9, DIMENSION_TIME, NULL},
};
static const char *const bases[] = {"rent", "purchase", NULL};
static const struct json_field basis_field[] = {
	{"basis", JSON_TO_CHOICE, false, 0, 0, 0, DIMENSION_NONE, bases},
};
static const char *const price_keys[] = {"currency", "basis", "per_node_hour", "per_gpu_hour", "node",
	"years", "utilisation", "maintenance", "network", "staff", "energy_per_kwh", NULL};

double owned_per_hour(const struct machine_price *price, double purchase)
{
	return hours_of_year(price, purchase * (1 / price->years + price->maintenance));
}

double hours_of_year(const struct machine_price *price, double a_year)
{
	return a_year / (hours_per_year * price->utilisation);
}

bool reliability_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	return json_read(node, reliability_fields, COUNT(reliability_fields), NULL, machine, error);
}

bool power_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	return json_read(node, power_fields, COUNT(power_fields), NULL, machine, error);
}

static const struct json *first_of(const struct json *node, const struct json_field *fields, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (json_member(node, fields[i].key))
			return json_member(node, fields[i].key);
	return NULL;
}

static bool rent_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	struct machine_price *const price = &machine->price;
	const struct json *const per_gpu = json_member(node, "per_gpu_hour");
	if (per_gpu && json_member(node, "per_node_hour"))
		return json_error(per_gpu, error, "is the same as \"per_node_hour\": give one of them");
	if (!json_read(node, rent_fields, COUNT(rent_fields), price_keys, machine, error))
		return false;
	if (per_gpu)
		price->rent_per_node_hour *= machine->devices_per_host;
	machine->price_per_node_hour = price->rent_per_node_hour;
	return true;
}

static bool purchase_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	struct machine_price *const price = &machine->price;
	const double nodes = (double)machine->devices / machine->devices_per_host;
	price->utilisation = 1;
	if (!json_read(node, purchase_fields, COUNT(purchase_fields), price_keys, machine, error))
		return false;
	machine->price_per_node_hour = owned_per_hour(price, price->node + price->network / nodes) +
				       hours_of_year(price, price->staff / nodes);
	return true;
}

/* Returns whether the machine is bought, by "basis" where its profile has both kinds of prices. */
static bool basis_read(const struct json *node, const struct json *rent, const struct json *purchase,
	bool *owned, struct paradl_error *error)
{
	const struct json *const asked = json_member(node, "basis");
	int basis = purchase ? 1 : 0;
	if (!asked && rent && purchase)
		return json_error(purchase, error,
			"is of a machine that is bought, \"%s\" of one that is rented: \"basis\" must say "
			"which of them counts, \"rent\" or \"purchase\"",
			rent->key);
	if (!json_read(node, basis_field, COUNT(basis_field), price_keys, &basis, error))
		return false;
	*owned = basis == 1;
	return (*owned ? purchase : rent) ||
	       json_error(asked, error, "is \"%s\", and there is no price of that kind", bases[basis]);
}

bool price_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	const struct json *const rent = first_of(node, rent_fields, COUNT(rent_fields));
	const struct json *const purchase = first_of(node, purchase_fields, COUNT(purchase_fields));
	bool owned = false;
	if (!rent && !purchase)
		return json_error(node, error,
			"needs what a node is rented for (\"per_node_hour\" or \"per_gpu_hour\"), or bought "
			"for (\"node\" and \"years\")");
	if (!json_read(node, currency_field, COUNT(currency_field), price_keys, machine, error) ||
		!basis_read(node, rent, purchase, &owned, error))
		return false;
	/* Prices that do not count must be right, too. */
	if (rent && purchase && !(owned ? rent_read : purchase_read)(node, machine, error))
		return false;
	machine->price = (struct machine_price){.owned = owned,
		.has_both = rent && purchase,
		.path = owned                               ? "price/node"
			: json_member(node, "per_gpu_hour") ? "price/per_gpu_hour"
							    : "price/per_node_hour"};
	return (owned ? purchase_read : rent_read)(node, machine, error);
}

#define TIER(member) offsetof(struct storage_tier, member)

enum { TIERS_MAX = 16, ROWS_MAX = 32 };

static const char *const scopes[] = {"node", "system", NULL};

static const struct json_field tier_fields[] = {
	{"scope", JSON_TO_CHOICE, false, TIER(scope), 0, 0, DIMENSION_NONE, scopes},
	{"capacity", JSON_TO_QUANTITY, false, TIER(capacity_bytes), 1, 1e21, DIMENSION_BYTES, NULL},
	{"read", JSON_TO_QUANTITY, false, TIER(read_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"write", JSON_TO_QUANTITY, false, TIER(write_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"per_client", JSON_TO_QUANTITY, false, TIER(client_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"random_reads", JSON_TO_DOUBLE, false, TIER(random_reads_per_s), 0.001, 1e12, DIMENSION_NONE, NULL},
	{"opens", JSON_TO_DOUBLE, false, TIER(opens_per_s), 0.001, 1e12, DIMENSION_NONE, NULL},
	{"variation", JSON_TO_DOUBLE, false, TIER(variation), 0, 100, DIMENSION_NONE, NULL},
	{"open", JSON_TO_QUANTITY, false, TIER(open_s), 0, 1e3, DIMENSION_TIME, NULL},
	{"create", JSON_TO_QUANTITY, false, TIER(create_s), 0, 1e3, DIMENSION_TIME, NULL},
};
static const char *const tier_keys[] = {"by_clients", NULL};

struct storage_row {
	unsigned clients;
	double read_bytes_per_s;
};
#define STORAGE_ROW(member) offsetof(struct storage_row, member)
static const struct json_field storage_row_fields[] = {
	{"clients", JSON_TO_UNSIGNED, true, STORAGE_ROW(clients), 1, 1e9, DIMENSION_NONE, NULL},
	{"read", JSON_TO_QUANTITY, true, STORAGE_ROW(read_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

static bool storage_rows_read(struct paradl_arena *arena, const struct json *list, struct storage_tier *tier,
	struct paradl_error *error)
{
	if (!list)
		return true;
	if (list->kind != JSON_ARRAY || list->count < 1 || list->count > ROWS_MAX)
		return json_error(list, error, "must be an array of 1 to %d numbers of clients", ROWS_MAX);
	double *const clients = arena_alloc(arena, (size_t)2 * list->count, sizeof *clients);
	if (!clients)
		return out_of_memory(error);
	double *const read = clients + list->count;
	for (const struct json *node = list->child; node; node = node->next) {
		struct storage_row row = {0};
		if (!json_read(node, storage_row_fields, COUNT(storage_row_fields), NULL, &row, error))
			return false;
		if (node->index && row.clients <= clients[node->index - 1])
			return json_error(json_member(node, "clients"), error,
				"must be more than the %.0f before", clients[node->index - 1]);
		clients[node->index] = row.clients;
		read[node->index] = row.read_bytes_per_s;
	}
	tier->by_clients = (struct points){clients, read, list->count};
	return true;
}

bool storage_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error)
{
	if (node->count > TIERS_MAX)
		return json_error(node, error, "must have at most %d tiers, has %u", TIERS_MAX, node->count);
	struct storage_tier *tiers = arena_alloc(arena, node->count + 1, sizeof *tiers);
	if (!tiers)
		return out_of_memory(error);
	for (const struct json *child = node->child; child; child = child->next) {
		if (*child->key == '_' || *child->key == '$')
			continue;
		struct storage_tier *tier = &tiers[machine->storage_count];
		*tier = (struct storage_tier){.name = child->key,
			.variation = -1,
			.scope = strcmp(child->key, "local") == 0 ? STORAGE_NODE : STORAGE_SYSTEM};
		if (child->kind != JSON_OBJECT)
			return json_error(child, error, "must be an object");
		if (!json_read(child, tier_fields, COUNT(tier_fields), tier_keys, tier, error) ||
			!storage_rows_read(arena, json_member(child, "by_clients"), tier, error))
			return false;
		++machine->storage_count;
	}
	machine->storage = tiers;
	return true;
}

#define HOST(member) offsetof(struct host, member)

/* Share of memory that may hold samples; programs and the system keep the rest. */
static const double usual_cache_share = 0.7;

static const struct json_field host_fields[] = {
	{"devices", JSON_TO_UNSIGNED, false, HOST(devices), 1, 1e5, DIMENSION_NONE, NULL},
	{"cores", JSON_TO_DOUBLE, false, HOST(cores), 1, 1e5, DIMENSION_NONE, NULL},
	{"input_cores", JSON_TO_DOUBLE, false, HOST(input_cores), 1, 1e5, DIMENSION_NONE, NULL},
	{"memory", JSON_TO_QUANTITY, false, HOST(memory_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"memory_rate", JSON_TO_QUANTITY, false, HOST(memory_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"cache_share", JSON_TO_DOUBLE, false, HOST(cache_share), 0, 1, DIMENSION_NONE, NULL},
	{"network", JSON_TO_QUANTITY, false, HOST(network_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};
static const char *const host_keys[] = {"decode", NULL};

/* Rates of decoding, in the order of enum dataset_encoding. */
#define DECODE(text, index)                                                                                  \
	{                                                                                                    \
		(text), JSON_TO_QUANTITY, false, (index) * sizeof(double), 1, 1e18, DIMENSION_BYTES_PER_S,   \
			NULL                                                                                 \
	}
static const struct json_field decode_fields[HOST_ENCODINGS] = {
	DECODE("none", 0), DECODE("jpeg", 1), DECODE("png", 2), DECODE("gzip", 3), DECODE("tokens", 4)};

bool host_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	struct host *host = &machine->host;
	const struct json *decode = json_member(node, "decode");
	*host = (struct host){.cache_share = usual_cache_share};
	if (!json_read(node, host_fields, COUNT(host_fields), host_keys, host, error))
		return false;
	if (host->devices && machine->devices_per_node % host->devices)
		return json_error(json_member(node, "devices"), error,
			"must divide the %u devices of a node (the innermost level), is %u",
			machine->devices_per_node, host->devices);
	if (host->devices)
		machine->devices_per_host = host->devices;
	if (host->input_cores > host->cores)
		return json_error(json_member(node, "input_cores"), error, "must be at most the %.15g cores",
			host->cores);
	if (!decode)
		return true;
	if (decode->kind != JSON_OBJECT)
		return json_error(decode, error, "must be an object");
	return json_read(decode, decode_fields, HOST_ENCODINGS, NULL, host->decode_bytes_per_s, error);
}

enum { CURVES_MAX = 256, POINTS_MAX = 512 };

static const char *const operations[] = {"allreduce", "allgather", "reduce-scatter", "broadcast", "reduce",
	"all-to-all", "point-to-point",
	NULL}; /* as in network/algorithm/collective.h, which is above this layer */

struct curve_row {
	int operation;
	const char *library;
	unsigned nodes, devices;
	const struct json *bytes, *us;
};

#define CURVE(member) offsetof(struct curve_row, member)
static const struct json_field curve_fields[] = {
	{"operation", JSON_TO_CHOICE, true, CURVE(operation), 0, 0, DIMENSION_NONE, operations},
	{"library", JSON_TO_TEXT, true, CURVE(library), 0, 0, DIMENSION_NONE, NULL},
	{"nodes", JSON_TO_UNSIGNED, true, CURVE(nodes), 1, 1e9, DIMENSION_NONE, NULL},
	{"devices", JSON_TO_UNSIGNED, true, CURVE(devices), 2, 1e9, DIMENSION_NONE, NULL},
	{"bytes", JSON_TO_ARRAY, true, CURVE(bytes), 0, 0, DIMENSION_NONE, NULL},
	{"us", JSON_TO_ARRAY, true, CURVE(us), 0, 0, DIMENSION_NONE, NULL},
};

/* Reads numbers within [least, most], and divides them by `unit`. */
static bool numbers_read(const struct json *list, double least, double most, double unit, double *out,
	struct paradl_error *error)
{
	const struct json_field field = {NULL, JSON_TO_DOUBLE, true, 0, least, most, DIMENSION_NONE, NULL};
	for (const struct json *node = list->child; node; node = node->next) {
		if (!json_read_value(node, &field, &out[node->index], error))
			return false;
		out[node->index] /= unit;
	}
	return true;
}

static bool points_read(struct paradl_arena *arena, const struct curve_row *row, struct measured_curve *curve,
	struct paradl_error *error)
{
	const unsigned count = row->bytes->count;
	if (count < 2 || count > POINTS_MAX)
		return json_error(row->bytes, error, "must have 2 to %d points, has %u", POINTS_MAX, count);
	if (row->us->count != count)
		return json_error(
			row->us, error, "has %u times for %u sizes in \"bytes\"", row->us->count, count);
	double *bytes = arena_alloc(arena, count, sizeof *bytes);
	double *time_s = arena_alloc(arena, count, sizeof *time_s);
	if (!bytes || !time_s)
		return out_of_memory(error);
	if (!numbers_read(row->bytes, 1, 1e15, 1, bytes, error) ||
		!numbers_read(row->us, 1e-3, 1e12, 1e6, time_s, error))
		return false;
	for (const struct json *node = row->bytes->child->next; node; node = node->next)
		if (!(bytes[node->index] > bytes[node->index - 1]))
			return json_error(node, error, "must be more than the size before");
	curve->points = (struct points){bytes, time_s, count};
	return true;
}

bool curves_read(struct paradl_arena *arena, const struct json *list, struct paradl_machine *machine,
	struct paradl_error *error)
{
	if (list->count > CURVES_MAX)
		return json_error(
			list, error, "must have at most %d curves, has %u", CURVES_MAX, list->count);
	struct measured_curve *curves = arena_alloc(arena, list->count + 1, sizeof *curves);
	if (!curves)
		return out_of_memory(error);
	for (const struct json *node = list->child; node; node = node->next) {
		struct curve_row row = {0};
		if (!json_read(node, curve_fields, COUNT(curve_fields), NULL, &row, error))
			return false;
		if (row.devices % row.nodes)
			return json_error(json_member(node, "devices"), error,
				"must be a multiple of the %u nodes, is %u", row.nodes, row.devices);
		struct measured_curve *curve = &curves[node->index];
		*curve = (struct measured_curve){.operation = operations[row.operation],
			.library = row.library,
			.nodes = row.nodes,
			.devices = row.devices};
		if (!points_read(arena, &row, curve, error))
			return false;
	}
	machine->curves = curves;
	machine->curve_count = list->count;
	return true;
}
