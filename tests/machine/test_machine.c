/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "damage.h"

#include "machine/machine.h"
#include "machine/toy.h"

static const char good[] =
	"{\n"
	"  \"format\": \"paradl-hw\",\n"
	"  \"version\": 1,\n"
	"  \"name\": \"ours\",\n"
	"  \"device\": \"toy\",\n"
	"  \"framework\": \"plain\",\n"
	"  \"levels\": [\n"
	"    { \"name\": \"node\", \"devices\": 4, \"latency\": \"4 us\", \"bandwidth\": \"50 GB/s\" },\n"
	"    { \"name\": \"net\", \"devices\": 64, \"latency\": \"9 us\", \"bandwidth\": \"100 Gb/s\", "
	"\"ring\": \"10 GB/s\",\n"
	"      \"ports\": 2, \"oversubscription\": 3 } ],\n"
	"  \"power\": { \"node\": \"0.5 kW\", \"pue\": 1.2 },\n"
	"  \"price\": { \"per_node_hour\": 12, \"currency\": \"EUR\" }, "
	"\"reliability\": { \"node_mtbf\": \"30 d\", \"restart\": \"5 min\" },\n"
	"  \"from\": { \"levels\": \"datasheet\", \"levels/0/latency\": \"assumed\", \"levels/1/ring\": "
	"\"measured: nccl-tests\",\n"
	"    \"price\": \"assumed: list price\", \"power\": \"assumedly\", \"reliability\": \"measured\" }\n"
	"}\n";

static void reads_every_number(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	char path[128];
	write_file("ours.json", good);
	write_file("devices/toy.json", toy);
	snprintf(path, sizeof path, "%s/ours.json", folder);
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error);
	assert_non_null(machine);
	assert_string_equal(machine->name, "ours");
	assert_string_equal(machine->path, path);
	assert_string_equal(machine->framework, "plain");
	assert_string_equal(machine->device.name, "Toy");
	assert_int_equal(machine->level_count, 2);
	assert_int_equal(machine->devices, 64);
	assert_int_equal(machine->devices_per_node, 4);
	assert_close(machine->levels[0].latency_s, 4e-6, 1e-15);
	assert_close(machine->levels[0].bandwidth_bytes_per_s, 5e10, 0);
	assert_close(machine->levels[0].ring_bytes_per_s, 5e10, 0); /* not given: the bandwidth */
	assert_int_equal(machine->levels[0].ports, 1);
	assert_close(machine->levels[0].oversubscription, 1, 0);
	assert_close(machine->levels[1].bandwidth_bytes_per_s, 1.25e10, 0); /* 100 Gb/s are bits */
	assert_close(machine->levels[1].ring_bytes_per_s, 1e10, 0);
	assert_int_equal(machine->levels[1].ports, 2);
	assert_close(machine->levels[1].oversubscription, 3, 0);
	assert_close(machine->node_watt, 500, 0);
	assert_close(machine->pue, 1.2, 0);
	const struct paradl_machine_info info = paradl_machine_info(machine);
	assert_close(info.price_per_device_hour, 3, 0);
	assert_close(info.node_mtbf_s, 30 * 86400, 0);
	assert_close(info.restart_s, 300, 0);
	assert_close(info.memory_bytes, 8e9, 0);
	assert_string_equal(info.currency, "EUR");
	assert_string_equal(info.device, "Toy");
	assert_int_equal(info.assumed_count, 2); /* "assumedly" is not */
	assert_string_equal(info.assumed[0], "levels/0/latency");
	assert_string_equal(info.assumed[1], "price");
	paradl_arena_free(arena);
}

static void needs_its_device(void **state)
{
	(void)state;
	static const char *const devices[][2] = {
		{"\"nothing\"", "/ours.json:5:13: /device: there is no device \"nothing\""},
		{"\"../ours\"",
			"/ours.json:5:13: /device: must be the name of a file in devices/, is \"../ours\""},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	char path[128], text[2048], message[2048];
	write_file("devices/toy.json", toy);
	snprintf(path, sizeof path, "%s/ours.json", folder);
	for (size_t i = 0; i < sizeof devices / sizeof devices[0]; ++i) {
		struct paradl_error error = {0};
		replace(text, sizeof text, good, "\"toy\"", devices[i][0]);
		write_file("ours.json", text);
		assert_null(paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error));
		paradl_error_format(&error, message, sizeof message);
		assert_int_equal(strncmp(message, folder, strlen(folder)), 0);
		assert_string_equal(message + strlen(folder), devices[i][1]);
	}
	paradl_arena_free(arena);
}

static void says_what_is_wrong_and_where(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"paradl-hw\"", "\"paradl-model\"",
			"2:13: /format: is a \"paradl-model\" file where a \"paradl-hw\" file is wanted"},
		{"\"version\": 1", "\"version\": 3",
			"3:14: /version: is version 3 of \"paradl-hw\"; this program reads up to version 1"},
		{"\"name\": \"ours\",", "", "1:1: needs a \"name\""},
		{"\"device\": \"toy\",", "", "1:1: needs a \"device\""},
		{"\"framework\": \"plain\",", "", "1:1: needs a \"framework\""},
		{"\"framework\"", "\"frame\"",
			"6:12: /frame: unknown key \"frame\"; did you mean \"framework\"?"},
		{"\"plain\"", "[\"plain\"]", "6:16: /framework: must be a string, is an array"},
		{"\"plain\"", "{\"tokens\": \"a\", \"serving\": \"b\"}",
			"6:16: /framework: needs a \"other\""},
		{"\"plain\"", "{\"tokens\": \"a\", \"serving\": \"../b\", \"other\": \"c\"}",
			"6:43: /framework/serving: must be the name of a file in frameworks/, is \"../b\""},
		{"\"levels\": [", "\"levels\": [], \"_levels\": [",
			"7:13: /levels: must have 1 to 8 levels, innermost first, has 0"},
		{"\"levels\": [", "\"levels\": 4, \"_levels\": [", "7:13: /levels: must be an array, is 4"},
		{"\"levels\": [", "\"levels\": [{},", "7:14: /levels/0: needs a \"name\""},
		{"\"levels\": [", "\"levels\": [8,", "7:14: /levels/0: must be an object, is 8"},
		{"\"devices\": 4", "\"devices\": 0",
			"8:34: /levels/0/devices: must be a whole number from 1 to 1000000000, is 0"},
		{"\"devices\": 4", "\"devices\": 4.5",
			"8:34: /levels/0/devices: must be a whole number from 1 to 1000000000, is 4.5"},
		{"\"devices\": 4", "\"devices\": \"4\"",
			"8:34: /levels/0/devices: must be a whole number from 1 to 1000000000, is \"4\""},
		{"\"devices\": 64", "\"devices\": 62",
			"9:33: /levels/1/devices: must be a multiple of the 4 devices of the level before "
			"(\"node\"), is 62"},
		{"\"devices\": 64", "\"devices\": 4",
			"9:33: /levels/1/devices: must be a multiple of the 4 devices of the level before "
			"(\"node\"), is 4"},
		{"\"devices\": 64", "\"devices\": 2",
			"9:33: /levels/1/devices: must be a multiple of the 4 devices of the level before "
			"(\"node\"), is 2"},
		{"\"4 us\"", "\"4\"",
			"8:48: /levels/0/latency: latency needs a unit: write \"1.5 us\", \"20 ms\", \"30 "
			"min\", \"3 h\" or \"30 d\""},
		{"\"4 us\"", "4e-6",
			"8:48: /levels/0/latency: latency needs a unit: write \"1.5 us\", \"20 ms\", \"30 "
			"min\", \"3 h\" or \"30 d\""},
		{"\"4 us\"", "\"4 h\"", "8:48: /levels/0/latency: must be at most 1.00 s, is \"4 h\""},
		{"\"50 GB/s\"", "\"50 GB\"",
			"8:69: /levels/0/bandwidth: bandwidth has the unit \"GB\", which is a number of "
			"bytes: write \"12.5 GB/s\" (bytes) or \"100 Gb/s\" (bits)"},
		{"\"50 GB/s\"", "\"0 GB/s\"",
			"8:69: /levels/0/bandwidth: must be at least 1.00 B/s, is \"0 GB/s\""},
		{"\"50 GB/s\"", "\"50 GB/s\", \"ports\": 4, \"mesh\": true",
			"8:100: /levels/0/mesh: needs as many ports to each of the other devices: "
			"\"ports\" must be a multiple of 3"},
		{"\"ports\": 2", "\"ports\": 0",
			"10:16: /levels/1/ports: must be a whole number from 1 to 1024, is 0"},
		{"\"oversubscription\": 3", "\"oversubscription\": 0.5",
			"10:39: /levels/1/oversubscription: must be a number from 1 to 1000, is 0.5"},
		{"\"oversubscription\": 3", "\"mesh\": true",
			"10:27: /levels/1/mesh: is of the first level alone, that of the devices of a node"},
		{"\"oversubscription\"", "\"oversubscripton\"",
			"10:38: /levels/1/oversubscripton: unknown key \"oversubscripton\"; did you mean "
			"\"oversubscription\"?"},
		{"\"power\": {", "\"power\": 500, \"_power\": {", "11:12: /power: must be an object, is 500"},
		{"\"0.5 kW\"", "\"0.5 kWh\"",
			"11:22: /power/node: node has the unit \"kWh\", which is not known: write \"300 W\""},
		{"1.2", "0.9", "11:39: /power/pue: must be a number from 1 to 5, is 0.9"},
		{"12,", "-12,",
			"12:31: /price/per_node_hour: must be a number from 0 to 1000000000000, is -12"},
		{"\"per_node_hour\": 12, ", "",
			"12:12: /price: needs what a node is rented for (\"per_node_hour\" or "
			"\"per_gpu_hour\"), or "
			"bought for (\"node\" and \"years\")"},
		{"\"per_node_hour\": 12", "\"per_node_hour\": 12, \"per_gpu_hour\": 3",
			"12:51: /price/per_gpu_hour: is the same as \"per_node_hour\": give one of them"},
		{"\"per_node_hour\": 12", "\"per_gpu_hour\": 12, \"energy_per_kwh\": 0.1",
			"12:52: /price/energy_per_kwh: is of a machine that is bought, \"per_gpu_hour\" of "
			"one that is rented: \"basis\" must say which of them counts, \"rent\" or "
			"\"purchase\""},
		{"\"per_node_hour\": 12", "\"basis\": \"purchase\", \"per_node_hour\": 12",
			"12:23: /price/basis: is \"purchase\", and there is no price of that kind"},
		{"\"per_node_hour\": 12",
			"\"basis\": \"rent\", \"per_node_hour\": 12, \"node\": 1e5, \"years\": 0",
			"12:74: /price/years: must be a number from 0.1 to 100, is 0"},
		{"\"per_node_hour\": 12", "\"node\": 1e5", "12:12: /price: needs a \"years\""},
		{"\"per_node_hour\": 12", "\"node\": 1e5, \"years\": 4, \"utilisation\": 1.5",
			"12:54: /price/utilisation: must be a number from 0.001 to 1, is 1.5"},
		{"\"per_node_hour\": 12", "\"node\": 1e5, \"years\": 4, \"network\": -1",
			"12:50: /price/network: must be a number from 0 to 1e+15, is -1"},
		{"\"per_node_hour\": 12", "\"per_nod_hour\": 12",
			"12:12: /price: needs what a node is rented for (\"per_node_hour\" or "
			"\"per_gpu_hour\"), "
			"or bought for (\"node\" and \"years\")"},
		{", \"currency\": \"EUR\"", "", "12:12: /price: needs a \"currency\""},
		{"\"from\": {", "\"from\": [], \"_from\": {",
			"13:11: /from: must be an object: path of a number to its origin"},
		{"\"assumedly\"", "null",
			"14:46: /from/power: must be a text such as \"measured: tool, date\""},
	};
	assert_damages(machine_check, good, damages, sizeof damages / sizeof damages[0]);
}

static void refuses_more_than_eight_levels(void **state)
{
	(void)state;
	char text[4096] = "{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"n\", \"device\": \"d\", "
			  "\"framework\": \"f\", "
			  "\"levels\": [",
	     message[2048];
	for (unsigned i = 0; i < 9; ++i) {
		const size_t length = strlen(text);
		snprintf(text + length, sizeof text - length,
			"%s{\"name\": \"l\", \"devices\": %u, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}",
			i ? "," : "", 2U << i);
	}
	char nine[4096 + 2];
	snprintf(nine, sizeof nine, "%s]}", text);
	check_text(machine_check, nine, message, sizeof message);
	assert_string_equal(message, "1:95: /levels: must have 1 to 8 levels, innermost first, has 9");
}

static void finds_rings_faster_than_their_port(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	char text[2048];
	replace(text, sizeof text, good, "\"ring\": \"10 GB/s\"",
		"\"ring\": \"13 GB/s\""); /* of 100 Gb/s = 12.5 GB/s */
	const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
	assert_non_null(root);
	assert_true(machine_check(arena, root, &findings, &error));
	assert_int_equal(findings.count, 2);
	assert_string_equal(findings.warnings[0],
		"/from/power: an origin starts with datasheet, measured, paper, derived or assumed");
	assert_string_equal(findings.warnings[1],
		"/levels/1/ring: is more than the bandwidth of the port it runs through");
	paradl_arena_free(arena);
}

static void reads_shipped_machines(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
	assert_non_null(machine);
	assert_int_equal(machine->devices, 1088 * 4);
	assert_int_equal(machine->devices_per_node, 4);
	assert_null(paradl_machine_load(
		arena, &(struct paradl_source){.path = "hw-profiles/nothing.json"}, &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(arena);
}

static void finds_files_beside_a_profile(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	assert_string_equal(beside(arena, "a/b/x.json", "devices", "d"), "a/b/devices/d.json");
	assert_string_equal(beside(arena, "x.json", "devices", "d"), "./devices/d.json");
	assert_string_equal(beside(arena, "/x.json", "devices", "d"), "/devices/d.json");
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_number),
		cmocka_unit_test(needs_its_device),
		cmocka_unit_test(says_what_is_wrong_and_where),
		cmocka_unit_test(refuses_more_than_eight_levels),
		cmocka_unit_test(finds_rings_faster_than_their_port),
		cmocka_unit_test(reads_shipped_machines),
		cmocka_unit_test(finds_files_beside_a_profile),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
