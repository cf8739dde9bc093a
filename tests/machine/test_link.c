/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a library adds to the wires inside a node: by hand, and what holds on every device. */
#include "test.h"

#include <dirent.h>
#include <math.h>

#include "machine/device.h"

static const struct node_call allreduce = {.members = 4, .bytes = 4e6, .turns = 2, .hops = 6};

static void times_are_as_written(void **state)
{
	(void)state;
	const struct device_link link = {.bytes_per_s = 100e9,
		.share = 0.5,
		.start_s = 10e-6,
		.start_log_s = 2e-6,
		.own = 0.3,
		.ramp_s = 40e-6,
		.latency_s = 1e-6};
	const double wire_s = 2 * 3 * 1e6 / 50e9; /* 120 us: six parts of a quarter */
	assert_close(link_node_s(&link, &allreduce),
		10e-6 + 2 * 2e-6 + 6 * 1e-6 + wire_s * (1 + 0.3 / 6) + 40e-6 * 120 / (120 + 20), 1e-12);
	/* to all at once there is one step, and three parts of four leave */
	const struct node_call to_all = {.members = 4, .bytes = 4e6, .turns = 1, .hops = 1};
	assert_close(link_node_s(&link, &to_all),
		10e-6 + 2 * 2e-6 + 1e-6 + 60e-6 * (1 + 0.3 / 3) + 40e-6 * 60 / (60 + 20), 1e-12);
	/* between nodes only the start counts; nothing is added where nothing is given */
	const struct link_group nodes = {.members = 16, .steps = 30, .span = 0, .node = 8};
	const struct library_call across = link_call(&link, &nodes, 50e-6);
	assert_close(library_s(&across, 1e-3), 1e-3 + 10e-6 + 4 * 2e-6, 1e-12);
	assert_close(library_s(&(struct library_call){.start_s = 0}, 1e-3), 1e-3, 0);
}

/* A ring is as fast as the slowest boundary that it crosses; the network's rate is that of rings through the whole node. */
static void rings_cross_boundaries(void **state)
{
	(void)state;
	const struct device_link link = {.bytes_per_s = 100e9,
		.share = 0.6,
		.beyond_switch = {2, 0.2},
		.beyond_socket = {4, 0.05},
		.start_s = 10e-6};
	struct node_call call = {.members = 2, .bytes = 8e6, .turns = 1, .hops = 1};
	assert_close(link_node_s(&link, &call), 10e-6 + 4e6 / 60e9, 1e-12);
	call.members = 4;
	assert_close(link_node_s(&link, &call), 10e-6 + 6e6 / 20e9, 1e-12);
	call.members = 8;
	assert_close(link_node_s(&link, &call), 10e-6 + 7e6 / 5e9, 1e-12);
	struct link_group group = {.members = 2, .steps = 1, .span = 2, .node = 8};
	struct library_call library = link_call(&link, &group, 0);
	assert_close(library_s(&library, 4e6 / 5e9), 10e-6 + 4e6 / 60e9, 1e-12);
	group.span = 5; /* two devices of both sockets */
	library = link_call(&link, &group, 0);
	assert_close(library_s(&library, 4e6 / 5e9), 10e-6 + 4e6 / 5e9, 1e-12);
}

static void hold(const struct device_link *link, const char *name)
{
	static const double members[] = {2, 4, 8, 16};
	for (size_t turns = 1; turns <= 2; ++turns) {
		double fewer[64] = {0};
		for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
			struct node_call call = {.members = members[i], .turns = (double)turns, .bytes = 1};
			double before = link->start_s;
			call.hops = call.turns * (call.members - 1);
			for (size_t k = 0; k < 40; ++k, call.bytes *= 2) {
				const double s = link_node_s(link, &call);
				const double wire_s = call.turns * (1 - 1 / call.members) * call.bytes /
						      (link->bytes_per_s * link_share(link, call.members));
				if (!(s > before) || !(s >= link->start_s + wire_s) || !(s >= fewer[k]))
					fail_msg("%s: %g bytes over %g take %g s", name, call.bytes,
						call.members, s);
				before = fewer[k] = s;
			}
		}
	}
}

/* An allreduce is an allgather and a reduce-scatter, and sends as much as an exchange of all with all at least. */
static void contain(const struct device_link *link, const char *name)
{
	for (unsigned members = 2; members <= 16; members *= 2)
		for (int power = 0; power < 40; power += 3) {
			const double bytes = ldexp(1, power);
			const struct node_call reduce = {members, bytes, 2, 2 * (members - 1.0)},
					       gather = {members, bytes, 1, members - 1.0},
					       exchange = {members, bytes, 1, 1};
			const double most = link_node_s(link, &reduce), s = link_node_s(link, &gather);
			if (!(s <= most) || !(link_node_s(link, &exchange) <= s) || !(most <= 2 * s))
				fail_msg("%s: %g bytes over %u", name, bytes, members);
		}
}

/* Times grow with bytes and with devices, and are never below start and wires. */
static void it_holds_on_every_device(void **state)
{
	(void)state;
	static const char folder[] = "hw-profiles/devices";
	struct paradl_arena *arena = paradl_arena_create();
	DIR *const files = opendir(folder);
	unsigned known = 0;
	assert_non_null(files);
	for (const struct dirent *file; (file = readdir(files));) {
		struct paradl_error error = {0};
		struct device device;
		if (!strstr(file->d_name, ".json"))
			continue;
		const char *path = arena_printf(arena, "%s/%s", folder, file->d_name);
		if (!device_load(arena, path, NULL, &device, &error))
			fail_msg("%s: %s", file->d_name, error.message);
		if (device.link.bytes_per_s > 0) {
			hold(&device.link, file->d_name);
			contain(&device.link, file->d_name);
		}
		known += device.link.library != NULL;
	}
	assert_true(known >= 4);
	closedir(files);
	paradl_arena_free(arena);
}

/* Returns whether a device whose links are priced by that library is taken. */
static bool is_taken(const char *library, struct paradl_error *error)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct device device;
	const char *text = arena_printf(arena,
		"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"x\", \"memory\": \"8 GB\", "
		"\"memory_rate\": "
		"\"1 TB/s\", \"peak\": {\"fp32\": \"1 Tflop/s\"}, \"contraction\": {\"efficiency\": 0.5}, "
		"\"link\": {\"rate\": \"1 GB/s\", \"library\": \"%s\"}}",
		library);
	const struct json *root = json_parse(arena, text, strlen(text), "x.json", error);
	const bool taken = root && device_build(arena, root, NULL, NULL, &device, error);
	paradl_arena_free(arena);
	return taken;
}

static void other_libraries_are_refused(void **state)
{
	(void)state;
	struct paradl_error error = {0};
	assert_true(is_taken("nccl", &error));
	assert_false(is_taken("rccl", &error));
	assert_non_null(strstr(error.message, "must be \"nccl\""));
}

/* 8 devices of 100 GB/s: 80 kB at once take 5 + 5.6 us, 8 MB in two steps 10 + 140 us; both take as long at 5 us of b (7 - 1.75) / rate. Ports of 10 GB/s are slower. */
static void own_allreduces_take_the_better_way(void **state)
{
	const struct device_link link = {.bytes_per_s = 1e11, .share = 1};
	(void)state;
	assert_close(link_reduce_s(&link, 2e11, 5e-6, 8, 80e3), 5e-6 + 7 * 80e3 / 1e11, 1e-12);
	assert_close(link_reduce_s(&link, 2e11, 5e-6, 8, 8e6), 10e-6 + 1.75 * 8e6 / 1e11, 1e-12);
	assert_close(link_reduce_s(&link, 1e10, 5e-6, 8, 80e3), 10e-6 + 1.75 * 80e3 / 1e10, 1e-12);
	const double equal = 5e-6 * 1e11 / (7 - 1.75);
	assert_close(link_reduce_s(&link, 2e11, 5e-6, 8, equal), 10e-6 + 1.75 * equal / 1e11, 1e-12);
	assert_close(link_reduce_s(&link, 2e11, 5e-6, 8, equal), 5e-6 + 7 * equal / 1e11, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_as_written),
		cmocka_unit_test(rings_cross_boundaries),
		cmocka_unit_test(own_allreduces_take_the_better_way),
		cmocka_unit_test(it_holds_on_every_device),
		cmocka_unit_test(other_libraries_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
