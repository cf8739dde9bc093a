/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

void json_power(struct json_writer *writer, const struct paradl_power *power)
{
	if (power->total_watt < 0) {
		json_write_null(writer, "power");
		return;
	}
	json_begin_object(writer, "power");
	json_write_number(writer, "nodes", power->nodes);
	json_write_number(writer, "devices_idle_watt", power->idle_watt);
	json_begin_object(writer, "devices_dynamic_watt");
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; i++)
		json_write_number(
			writer, paradl_activity_name((enum paradl_activity)i), power->dynamic_watt[i]);
	json_end_object(writer);
	json_write_number(writer, "hosts_watt", power->host_watt);
	json_write_number(writer, "network_watt", power->network_watt);
	json_write_number(writer, "storage_watt", power->storage_watt);
	json_write_number(writer, "cooling_watt", power->cooling_watt);
	json_write_number(writer, "total_watt", power->total_watt);
	json_write_number(writer, "pue", power->pue);
	json_begin_object(writer, "time_shares");
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; i++)
		json_write_number(writer, paradl_activity_name((enum paradl_activity)i), power->share[i]);
	json_end_object(writer);
	json_begin_object(writer, "gpu_watt");
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; i++)
		json_write_number(
			writer, paradl_activity_name((enum paradl_activity)i), power->device_watt[i]);
	json_end_object(writer);
	json_end_object(writer);
}

void json_price(struct json_writer *writer, const struct paradl_price *price)
{
	if (price->total_per_hour < 0) {
		json_write_null(writer, "price");
		return;
	}
	json_begin_object(writer, "price");
	json_write_text(writer, "basis", price->owned ? "purchase" : "rent");
	json_write_number(writer, "nodes", price->nodes);
	json_write_number(writer, "rent_per_hour", price->rent_per_hour);
	json_write_number(writer, "nodes_per_hour", price->node_per_hour);
	json_write_number(writer, "network_per_hour", price->network_per_hour);
	json_write_number(writer, "maintenance_per_hour", price->maintenance_per_hour);
	json_write_number(writer, "staff_per_hour", price->staff_per_hour);
	json_write_number(writer, "energy_per_hour", price->energy_per_hour);
	json_write_number(writer, "total_per_hour", price->total_per_hour);
	json_positive(writer, "energy_per_kwh", price->energy_per_kwh > 0 ? price->energy_per_kwh : -1);
	json_end_object(writer);
}
