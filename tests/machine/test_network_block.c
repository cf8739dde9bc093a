/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "network" and "curves" of a machine's profile. */
#include "damage.h"

#include "machine/machine.h"
#include "machine/toy.h"
#include "network/algorithm/collective.h"

static const char good[] =
	"{\n"
	"  \"format\": \"paradl-hw\", \"version\": 1, \"name\": \"ours\", \"device\": \"toy\", "
	"\"framework\": \"f\",\n"
	"  \"levels\": [ { \"name\": \"node\", \"devices\": 4, \"latency\": \"4 us\", \"bandwidth\": \"50 "
	"GB/s\" },\n"
	"    { \"name\": \"net\", \"devices\": 64, \"latency\": \"9 us\", \"bandwidth\": \"100 Gb/s\", "
	"\"ports\": 2 } ],\n"
	"  \"network\": {\n"
	"    \"node\": \"switch:4\",\n"
	"    \"cluster\": \"fat-tree:4x8\",\n"
	"    \"rails\": { \"ports\": 2, \"planes\": 4, \"leaf\": 8 }, \"order\": [0, 2, 3, 1],\n"
	"    \"duplex\": \"half\",\n"
	"    \"routing\": \"fewest-links\",\n"
	"    \"rings\": \"synchronous\",\n"
	"    \"usable\": 0.97,\n"
	"    \"return\": 0.05,\n"
	"    \"message\": \"5 us\",\n"
	"    \"reduce\": \"200 GB/s\",\n"
	"    \"links\": { \"device\": { \"bandwidth\": \"300 GB/s\", \"sustained\": \"230 GB/s\", \"flow\": "
	"\"25 GB/s\",\n"
	"        \"latency\": \"1 us\", \"idle\": \"19 W\", \"peak\": \"22 W\", \"bundled\": true, "
	"\"price\": 80 },\n"
	"      \"port\": { \"bandwidth\": \"12.5 GB/s\", \"latency\": \"26 ns\" } },\n"
	"    \"protocols\": [ { \"from\": \"0 B\", \"latency\": 2, \"flow\": 0.8 }, { \"from\": \"64 KiB\" } "
	"],\n"
	"    \"nvls\": { \"start\": \"3 us\", \"efficiency\": 1.3 },\n"
	"    \"sharp\": { \"start\": \"6 us\", \"efficiency\": 0.9 },\n"
	"    \"switch_power\": \"408 W\",\n"
	"    \"switch_price\": 12000,\n"
	"    \"port_power\": \"15 W\",\n"
	"    \"devices_per_rack\": 32\n"
	"  },\n"
	"  \"curves\": [\n"
	"    { \"operation\": \"allreduce\", \"library\": \"nccl 2.8.4\", \"nodes\": 2, \"devices\": 8,\n"
	"      \"bytes\": [8, 1024, 1048576], \"us\": [18.5, 20, 210] } ],\n"
	"  \"from\": { \"levels\": \"assumed\", \"network\": \"datasheet\", \"curves\": \"measured\" }\n"
	"}\n";

static const struct paradl_machine *load(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {0};
	char path[128];
	write_file("ours.json", text);
	write_file("devices/toy.json", toy);
	snprintf(path, sizeof path, "%s/ours.json", folder);
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!machine)
		print_error("%s\n", error.message);
	assert_non_null(machine);
	return machine;
}

static void reads_every_number(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct machine_network *const network = load(arena, good)->network;
	assert_non_null(network);
	assert_string_equal(network->node, "switch:4");
	assert_string_equal(network->cluster, "fat-tree:4x8");
	assert_int_equal(network->rails.ports, 2);
	assert_int_equal(network->rails.planes, 4);
	assert_int_equal(network->rails.leaf, 8);
	assert_true(network->half_duplex && network->fewest_links && network->synchronous);
	assert_close(network->usable, 0.97, 0);
	assert_close(network->return_share, 0.05, 0);
	assert_close(network->message_s, 5e-6, 1e-15);
	assert_close(network->reduce_s_per_byte, 5e-12, 1e-15);
	const struct link_class *const device = &network->links[LINK_DEVICE];
	assert_close(device->bytes_per_s, 3e11, 0);
	assert_close(device->sustained_bytes_per_s, 2.3e11, 0);
	assert_close(device->flow_bytes_per_s, 2.5e10, 0);
	assert_close(device->latency_s, 1e-6, 1e-15);
	assert_close(device->idle_watt, 19, 0);
	assert_close(device->peak_watt, 22, 0);
	assert_true(device->bundled);
	assert_close(device->price, 80, 0);
	static const unsigned order[] = {0, 2, 3, 1};
	assert_int_equal(network->order_count, 4);
	assert_memory_equal(network->order, order, sizeof order);
	assert_int_equal(network->protocol_count, 2);
	assert_close(network->protocols[0].from_bytes, 0, 0);
	assert_close(network->protocols[0].latency_factor, 2, 0);
	assert_close(network->protocols[0].flow_factor, 0.8, 0);
	assert_close(network->protocols[1].from_bytes, 65536, 0);
	assert_close(network->protocols[1].latency_factor, 1, 0);
	assert_close(network->protocols[1].flow_factor, 1, 0);
	assert_close(network->nvls_start_s, 3e-6, 1e-15);
	assert_close(network->nvls_efficiency, 1.3, 0);
	assert_close(network->sharp_start_s, 6e-6, 1e-15);
	assert_close(network->sharp_efficiency, 0.9, 0);
	assert_close(network->switch_watt, 408, 0);
	assert_close(network->switch_price, 12000, 0);
	assert_close(network->port_watt, 15, 0);
	assert_int_equal(network->devices_per_rack, 32);
	paradl_arena_free(arena);
}

static void fills_in_what_is_left_out(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	char text[4096], shorter[4096];
	const struct machine_network *network = load(arena, good)->network;
	assert_close(network->links[LINK_PORT].sustained_bytes_per_s, 0.97 * 12.5e9, 1e-15); /* usable */
	assert_close(network->links[LINK_PORT].flow_bytes_per_s, 0, 0);
	assert_close(network->links[LINK_SWITCH].bytes_per_s, 12.5e9, 0);  /* as the port */
	assert_close(network->links[LINK_GLOBAL].latency_s, 26e-9, 1e-15); /* as the switch */
	assert_close(network->links[LINK_PCIE].bytes_per_s, 0, 0);         /* not there: no limit */
	replace(text, sizeof text, good, "\"rails\"", "\"_rails\"");
	replace(shorter, sizeof shorter, text, "\"usable\": 0.97,", "");
	replace(text, sizeof text, shorter, "\"duplex\": \"half\",", "");
	replace(shorter, sizeof shorter, text, "\"routing\": \"fewest-links\",",
		"\"routing\": \"topology\",");
	replace(text, sizeof text, shorter, "\"rings\": \"synchronous\",", "");
	network = load(arena, text)->network;
	assert_int_equal(network->rails.ports, 2); /* of level 1 */
	assert_int_equal(network->rails.planes, 1);
	assert_false(network->links[LINK_PORT].bundled);
	assert_close(network->usable, 1, 0);
	assert_close(network->links[LINK_PORT].sustained_bytes_per_s, 12.5e9, 0);
	assert_false(network->half_duplex || network->fewest_links || network->synchronous);
	replace(shorter, sizeof shorter, text, "\"network\": {", "\"_network\": {");
	replace(text, sizeof text, shorter, "\"curves\": [", "\"_curves\": [");
	assert_null(load(arena, text)->network);
	assert_int_equal(load(arena, text)->curve_count, 0);
	paradl_arena_free(arena);
}

static void reads_curves(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *const machine = load(arena, good);
	assert_int_equal(machine->curve_count, 1);
	const struct measured_curve *const curve = &machine->curves[0];
	assert_string_equal(curve->operation, "allreduce");
	assert_string_equal(curve->library, "nccl 2.8.4");
	assert_int_equal(curve->nodes, 2);
	assert_int_equal(curve->devices, 8);
	assert_int_equal(curve->points.count, 3);
	assert_close(curve->points.x[1], 1024, 0);
	assert_close(curve->points.y[0], 18.5e-6, 1e-15);
	assert_close(curve->points.y[2], 210e-6, 1e-15);
	paradl_arena_free(arena);
}

/* The names of operations are the network's. */
static void knows_every_operation(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	for (unsigned i = 0; i < OPERATION_COUNT; ++i) {
		char text[4096], name[64];
		snprintf(name, sizeof name, "\"operation\": \"%s\"", operation_names[i]);
		replace(text, sizeof text, good, "\"operation\": \"allreduce\"", name);
		assert_string_equal(load(arena, text)->curves[0].operation, operation_names[i]);
	}
	paradl_arena_free(arena);
}

static void says_what_is_wrong_and_where(void **state)
{
	(void)state;
	static const struct damage damages[] = {
		{"\"network\": {", "\"network\": 1, \"_network\": {",
			"5:14: /network: must be an object, is 1"},
		{"\"node\": \"switch:4\",\n    \"cluster\": \"fat-tree:4x8\",", "",
			"5:14: /network: needs a \"node\", a \"cluster\" or both: topologies"},
		{"\"node\": \"switch:4\",", "\"nodes\": \"switch:4\",",
			"6:14: /network/nodes: unknown key \"nodes\"; did you mean \"node\"?"},
		{"[0, 2, 3, 1]", "[0, 2, 3]",
			"8:63: /network/order: must have each of the 4 devices of a node once, has 3 "
			"numbers"},
		{"[0, 2, 3, 1]", "[0, 2, 4, 1]",
			"8:70: /network/order/2: must be a whole number from 0 to 3, is 4"},
		{"[0, 2, 3, 1]", "[0, 2, 3, 2]", "8:73: /network/order/3: is device 2 again"},
		{"[0, 2, 3, 1]", "\"ring\"", "8:63: /network/order: must be an array, is \"ring\""},
		{"\"node\": \"switch:4\"", "\"_node\": \"switch:4\"",
			"8:63: /network/order: is of the devices of a node, and there is no \"node\""},
		{"\"half\"", "\"both\"", "9:15: /network/duplex: must be \"full\" or \"half\", is \"both\""},
		{"0.97", "1.2", "12:15: /network/usable: must be a number from 0.01 to 1, is 1.2"},
		{"\"200 GB/s\"", "200",
			"15:15: /network/reduce: reduce needs a unit: write \"12.5 GB/s\" (bytes) or \"100 "
			"Gb/s\" "
			"(bits)"},
		{"\"links\": {", "\"_links\": {", "5:14: /network: needs a \"links\""},
		{"\"links\": { \"device\"", "\"links\": { \"_device\"",
			"16:14: /network/links: needs a \"device\": the links inside a node"},
		{"\"port\": { \"bandwidth\"", "\"pcie\": { \"bandwidth\"",
			"16:14: /network/links: needs a \"port\" or a \"switch\": the links between nodes"},
		{"\"230 GB/s\"", "\"301 GB/s\"",
			"16:66: /network/links/device/sustained: is more than the bandwidth"},
		{"\"19 W\"", "\"23 W\"", "17:36: /network/links/device/idle: is more than the peak"},
		{"\"64 KiB\"", "\"0 kB\"",
			"19:76: /network/protocols/1/from: must be more than the protocol before"},
		{"\"protocols\": [", "\"protocols\": [], \"_protocols\": [",
			"19:18: /network/protocols: must have 1 to 16 protocols, has 0"},
		{", \"efficiency\": 1.3", "", "20:13: /network/nvls: needs a \"efficiency\""},
		{"\"devices_per_rack\": 32", "\"devices_per_rack\": 0",
			"25:25: /network/devices_per_rack: must be a whole number from 1 to 1000000000, is "
			"0"},
		{"\"allreduce\"", "\"allreduction\"",
			"28:20: /curves/0/operation: must be \"allreduce\", \"allgather\", "
			"\"reduce-scatter\", "
			"\"broadcast\", \"reduce\", \"all-to-all\" or \"point-to-point\", is "
			"\"allreduction\""},
		{"\"devices\": 8,", "\"devices\": 7,",
			"28:81: /curves/0/devices: must be a multiple of the 2 nodes, is 7"},
		{"1024,", "", "29:37: /curves/0/us: has 3 times for 2 sizes in \"bytes\""},
		{"1024,", "8,", "29:20: /curves/0/bytes/1: must be more than the size before"},
		{"18.5,", "0,", "29:43: /curves/0/us/0: must be a number from 0.001 to 1000000000000, is 0"},
		{"[18.5, 20, 210]", "[]", "29:42: /curves/0/us: has 0 times for 3 sizes in \"bytes\""},
		{"[8, 1024, 1048576]", "[8]", "29:16: /curves/0/bytes: must have 2 to 512 points, has 1"},
	};
	assert_damages(machine_check, good, damages, sizeof damages / sizeof damages[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_number),
		cmocka_unit_test(fills_in_what_is_left_out),
		cmocka_unit_test(reads_curves),
		cmocka_unit_test(knows_every_operation),
		cmocka_unit_test(says_what_is_wrong_and_where),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
