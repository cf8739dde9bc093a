/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "power" and "price" of a machine's profile; see paradl-hw(5). */
#include <math.h>
#include <stddef.h>

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
static const char *const price_keys[] = {"currency", "per_node_hour", "per_gpu_hour", "node", "years",
	"utilisation", "maintenance", "network", "staff", "energy_per_kwh", NULL};

double owned_per_hour(const struct machine_price *price, double purchase)
{
	return hours_of_year(price, purchase * (1 / price->years + price->maintenance));
}

double hours_of_year(const struct machine_price *price, double a_year)
{
	return a_year / (hours_per_year * price->utilisation);
}

void device_power_derive(struct device *device)
{
	const double memory_share = 0.8, waiting_share = 0.4;
	const double range_watt = device->busy_watt - device->idle_watt;
	if (!device->waiting_is_given)
		device->waiting_watt = fmax(device->idle_watt, waiting_share * device->busy_watt);
	if (!device->memory_is_given)
		device->memory_watt =
			fmax(device->waiting_watt, device->idle_watt + memory_share * range_watt);
	if (!device->waiting_is_given)
		device->waiting_watt = fmin(device->waiting_watt, device->memory_watt);
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
		price->rent_per_node_hour *= machine->devices_per_node;
	machine->price_per_node_hour = price->rent_per_node_hour;
	return true;
}

static bool purchase_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	struct machine_price *const price = &machine->price;
	const double nodes = (double)machine->devices / machine->devices_per_node;
	price->utilisation = 1;
	if (!json_read(node, purchase_fields, COUNT(purchase_fields), price_keys, machine, error))
		return false;
	machine->price_per_node_hour = owned_per_hour(price, price->node + price->network / nodes) +
				       hours_of_year(price, price->staff / nodes);
	return true;
}

bool price_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	const struct json *const rent = first_of(node, rent_fields, COUNT(rent_fields));
	const struct json *const purchase = first_of(node, purchase_fields, COUNT(purchase_fields));
	if (!rent && !purchase)
		return json_error(node, error,
			"needs what a node is rented for (\"per_node_hour\" or \"per_gpu_hour\"), or bought "
			"for (\"node\" and \"years\")");
	if (rent && purchase)
		return json_error(purchase, error,
			"is of a machine that is bought, \"%s\" of one that is rented: give one of them",
			rent->key);
	if (!json_read(node, currency_field, COUNT(currency_field), price_keys, machine, error))
		return false;
	return rent ? rent_read(node, machine, error) : purchase_read(node, machine, error);
}
