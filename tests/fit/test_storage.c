/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage with known rates comes back; the profile that has them reads back the same. */
#include "fit/samples_file.h"

#include "oracle/setup.h"

static const double client_rate = 0.8e9, most_rate = 2.4e9;

static double read_rate(double clients, double block)
{
	return fmin(clients * client_rate, most_rate) * block / (block + 65536);
}

static void storage_add(struct samples_file *samples)
{
	static const double clients[] = {1, 2, 4, 8}, blocks[] = {4096, 1048576, 16777216};
	for (unsigned c = 0; c < 4; ++c)
		for (unsigned b = 0; b < 3; ++b) {
			const double bytes = 16 * blocks[b] * clients[c];
			samples_point(samples, "read", bytes / read_rate(clients[c], blocks[b]), 0, bytes,
				"\"kind\":\"sequential\",\"block\":%.0f,\"clients\":%.0f,\"direct\":1,"
				"\"size\":%.0f,"
				"\"tier\":\"shared\"",
				blocks[b], clients[c], bytes);
			samples_point(samples, "read", bytes / blocks[b] / (3000 * clients[c]), 0, bytes,
				"\"kind\":\"random\",\"block\":%.0f,\"clients\":%.0f,\"direct\":1,\"size\":%."
				"0f,"
				"\"tier\":\"shared\"",
				blocks[b], clients[c], bytes);
			samples_point(samples, "write", bytes / 0.5e9, 0, bytes,
				"\"kind\":\"sequential\",\"block\":%.0f,\"clients\":%.0f,\"direct\":1,"
				"\"sync\":1,"
				"\"size\":%.0f,\"tier\":\"shared\"",
				blocks[b], clients[c], bytes);
		}
	for (unsigned c = 0; c < 2; ++c) {
		samples_point(samples, "files", 1000 * 2.3e-3 / clients[c], 0, 4096e3,
			"\"kind\":\"open-read-close\",\"clients\":%.0f,\"size\":4096,\"files\":1000,\"tier\":"
			"\"shared\"",
			clients[c]);
		samples_point(samples, "files", 1000 * 4e-3 / clients[c], 0, 4096e3,
			"\"kind\":\"create\",\"clients\":%.0f,\"size\":4096,\"files\":1000,\"tier\":"
			"\"shared\"",
			clients[c]);
	}
}

static void rates_come_back(void **state)
{
	(void)state;
	struct samples_file samples;
	samples_begin(&samples, "storage", 0.05, 8);
	for (unsigned l = 0; l < 5; ++l) {
		samples_launch(&samples, l);
		storage_add(&samples);
	}
	samples_fit(&samples, NULL);
	const double large = 16777216 / (16777216.0 + 65536);
	assert_number(&samples, "storage/shared/read", most_rate * large, 0.02);
	assert_number(&samples, "storage/shared/per_client", client_rate * large, 0.02);
	assert_number(&samples, "storage/shared/write", 0.5e9, 0.02);
	assert_number(&samples, "storage/shared/random_reads", 24000, 0.02);
	assert_number(&samples, "storage/shared/open", 2.3e-3, 0.02);
	assert_number(&samples, "storage/shared/create", 4e-3, 0.02);
	assert_number(&samples, "storage/shared/by_clients/0/clients", 1, 0);
	assert_number(&samples, "storage/shared/by_clients/1/clients", 2, 0);
	assert_number(&samples, "storage/shared/by_clients/1/read", 2 * client_rate * large, 0.02);
	assert_number(&samples, "storage/shared/by_clients/3/clients", 8, 0);
	assert_int_equal(number_of(&samples, "storage/shared/read").file, PARADL_FITTED_MACHINE);
	samples_end(&samples);
}

static const char block[] =
	"{ \"format\": \"paradl-hw\", \"version\": 1, \"name\": \"s\", \"device\": \"device\", "
	"\"framework\": "
	"\"f\",\n"
	"  \"levels\": [ { \"name\": \"n\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\" "
	"} ],\n"
	"  \"storage\": {\n"
	"    \"local\": { \"capacity\": \"1.6 TB\", \"read\": \"3 GB/s\", \"write\": \"1 GB/s\" },\n"
	"    \"lustre\": { \"scope\": \"system\", \"read\": \"150 GB/s\", \"per_client\": \"0.83 GB/s\",\n"
	"      \"random_reads\": 2e6, \"open\": \"2.3 ms\", \"create\": \"4 ms\", \"by_clients\": [\n"
	"        { \"clients\": 1, \"read\": \"0.33 GB/s\" }, { \"clients\": 8, \"read\": \"2.87 GB/s\" } ] "
	"} } }\n";

static void profiles_have_storage(void **state)
{
	struct setup *setup = *state;
	struct paradl_machine machine;
	const struct json *root = json_parse(setup->arena, block, strlen(block), "s.json", &setup->error);
	assert_non_null(root);
	if (!machine_read(setup->arena, root, &machine, &setup->error))
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	assert_int_equal(machine.storage_count, 2);
	const struct storage_tier *local = &machine.storage[0], *lustre = &machine.storage[1];
	assert_string_equal(local->name, "local");
	assert_int_equal(local->scope, STORAGE_NODE);
	assert_close(local->capacity_bytes, 1.6e12, 1e-12);
	assert_close(local->write_bytes_per_s, 1e9, 1e-12);
	assert_close(local->open_s, 0, 0);
	assert_int_equal(lustre->scope, STORAGE_SYSTEM);
	assert_close(lustre->client_bytes_per_s, 0.83e9, 1e-12);
	assert_close(lustre->random_reads_per_s, 2e6, 0);
	assert_close(lustre->open_s, 2.3e-3, 1e-12);
	assert_close(lustre->create_s, 4e-3, 1e-12);
	assert_int_equal(lustre->by_clients.count, 2);
	assert_close(lustre->by_clients.x[1], 8, 0);
	assert_close(lustre->by_clients.y[1], 2.87e9, 1e-12);
}

static void says_what_is_wrong(void **state)
{
	struct setup *setup = *state;
	static const struct {
		const char *from, *to, *pointer;
	} damages[] = {
		{"\"clients\": 8", "\"clients\": 1", "/storage/lustre/by_clients/1/clients"},
		{"\"scope\": \"system\"", "\"scope\": \"rack\"", "/storage/lustre/scope"},
		{"\"2.3 ms\"", "2.3", "/storage/lustre/open"},
		{"\"capacity\"", "\"capacities\"", "/storage/local/capacities"},
	};
	for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
		const char *at = strstr(block, damages[i].from);
		assert_non_null(at);
		const char *text = arena_printf(setup->arena, "%.*s%s%s", (int)(at - block), block,
			damages[i].to, at + strlen(damages[i].from));
		struct paradl_machine machine;
		const struct json *root =
			json_parse(setup->arena, text, strlen(text), "s.json", &setup->error);
		assert_non_null(root);
		assert_false(machine_read(setup->arena, root, &machine, &setup->error));
		assert_string_equal(setup->error.pointer, damages[i].pointer);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_come_back),
		setup_test(profiles_have_storage),
		setup_test(says_what_is_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
