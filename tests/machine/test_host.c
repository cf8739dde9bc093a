/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks "host" and "storage" of profiles: what is read, what is left out, what is refused. */
#include "base/changes.h"
#include "damage.h"
#include "machine/device.h"
#include "machine/machine.h"
#include "model/model.h"

#include <dirent.h>

static const char good[] =
	"{ \"format\": \"paradl-hw\", \"version\": 1, \"name\": \"ours\", \"device\": \"toy\", "
	"\"framework\": "
	"\"plain\",\n"
	"  \"levels\": [ { \"name\": \"node\", \"devices\": 4, \"latency\": \"4 us\", \"bandwidth\": \"50 "
	"GB/s\" } "
	"],\n"
	"  \"storage\": {\n"
	"    \"local\": { \"capacity\": \"1.6 TB\", \"read\": \"2.5 GB/s\", \"opens\": 9000 },\n"
	"    \"shared\": { \"read\": \"71 GB/s\", \"per_client\": \"800 MB/s\", \"variation\": 0.72,\n"
	"      \"by_clients\": [ { \"clients\": 1, \"read\": \"0.8 GB/s\" }, { \"clients\": 32, \"read\": "
	"\"18 GB/s\" } ] "
	"} },\n"
	"  \"host\": { \"cores\": 40, \"input_cores\": 36, \"memory\": \"384 GB\", \"memory_rate\": \"128 "
	"GB/s\",\n"
	"    \"cache_share\": 0.5, \"network\": \"200 Gb/s\",\n"
	"    \"decode\": { \"jpeg\": \"25 MB/s\", \"gzip\": \"100 MB/s\" } } }\n";

static struct paradl_machine read_machine(struct paradl_arena *arena, const char *text)
{
	struct paradl_machine machine = {0};
	struct paradl_error error = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
	if (!root || !machine_read(arena, root, &machine, &error))
		fail_msg("%s %s", error.pointer, error.message);
	return machine;
}

static void every_number_of_a_host_is_read(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine machine = read_machine(arena, good);
	const struct host *const host = &machine.host;
	assert_close(host->cores, 40, 0);
	assert_close(host->input_cores, 36, 0);
	assert_close(host->memory_bytes, 384e9, 0);
	assert_close(host->memory_bytes_per_s, 128e9, 0);
	assert_close(host->cache_share, 0.5, 0);
	assert_close(host->network_bytes_per_s, 25e9, 0);
	paradl_arena_free(arena);
}

/* Rates for clients follow their storage's: all of as many as there may be, of both tiers. */
static void all_rates_for_clients_follow(void **state)
{
	enum { ROWS = 32 };
	static const char *const texts[] = {"hw.levels.0.bandwidth=x3", "hw.storage.*.read=x2"};
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const char *rows = "";
	for (unsigned i = 1; i <= ROWS; i++)
		rows = arena_printf(arena, "%s%s{ \"clients\": %u, \"read\": \"%u GB/s\" }", rows,
			i > 1 ? ", " : "", i, i);
	const char *const text = arena_printf(arena,
		"{ \"format\": \"paradl-hw\", \"version\": 1, \"name\": \"ours\", \"device\": \"toy\", "
		"\"framework\": \"plain\", "
		"\"levels\": [ "
		"{ \"name\": \"node\", \"devices\": 4, \"latency\": \"4 us\", \"bandwidth\": \"50 GB/s\", "
		"\"ring\": \"40 GB/s\" } ], \"storage\": { \"local\": { \"capacity\": \"1 TB\", \"read\": "
		"\"9 GB/s\", "
		"\"by_clients\": [ %s ] }, \"shared\": { \"read\": \"9 GB/s\", \"by_clients\": [ %s ] } } }",
		rows, rows);
	const struct json *const file = json_parse(arena, text, strlen(text), "", &error);
	const struct paradl_changes *const changes = paradl_changes_parse(arena, texts, 2, &error);
	assert_true(file && changes);
	const struct json *root = changes_apply_all(arena, changes, CHANGE_MACHINE, file, &error);
	root = root ? carried_apply(arena, file, root, &error) : NULL;
	struct paradl_machine machine = {0};
	if (!root || !machine_read(arena, root, &machine, &error))
		fail_msg("%s %s", error.pointer, error.message);
	assert_close(machine.levels[0].ring_bytes_per_s, 120e9, 1e-12);
	for (unsigned tier = 0; tier < 2; tier++)
		for (unsigned i = 0; i < ROWS; i++)
			assert_close(machine.storage[tier].by_clients.y[i], 2e9 * (i + 1), 1e-12);
	paradl_arena_free(arena);
}

static void rates_of_encodings_that_are_left_out_are_usual(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine machine = read_machine(arena, good);
	const struct host *const host = &machine.host;
	assert_close(host->decode_bytes_per_s[ENCODING_JPEG], 25e6, 0);
	assert_close(host->decode_bytes_per_s[ENCODING_GZIP], 100e6, 0);
	assert_close(host->decode_bytes_per_s[ENCODING_PNG], 0, 0);
	paradl_arena_free(arena);
}

static void every_number_of_tiers_is_read(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine machine = read_machine(arena, good);
	assert_int_equal(machine.storage_count, 2);
	assert_int_equal(machine.storage[0].scope, STORAGE_NODE);
	assert_close(machine.storage[0].opens_per_s, 9000, 0);
	assert_true(machine.storage[0].variation < 0); /* not said */
	assert_int_equal(machine.storage[1].scope, STORAGE_SYSTEM);
	assert_close(machine.storage[1].variation, 0.72, 0);
	assert_close(machine.storage[1].client_bytes_per_s, 800e6, 0);
	assert_int_equal(machine.storage[1].by_clients.count, 2);
	assert_close(machine.storage[1].by_clients.y[1], 18e9, 0);
	paradl_arena_free(arena);
}

static void without_blocks_nothing_is_known(void **state)
{
	(void)state;
	static const char text[] =
		"{ \"format\": \"paradl-hw\", \"version\": 1, \"name\": \"ours\", \"device\": \"toy\", "
		"\"framework\": \"plain\", \"levels\": [ { \"name\": \"node\", \"devices\": 4, \"latency\": "
		"\"4 us\", "
		"\"bandwidth\": \"50 GB/s\" } ] }";
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine machine = read_machine(arena, text);
	assert_int_equal(machine.storage_count, 0);
	assert_close(machine.host.cores, 0, 0);
	assert_close(machine.host.memory_bytes, 0, 0);
	paradl_arena_free(arena);
}

/* Every number that is refused, and only then; the places are those of `good`. */
static void bad_values_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to, *pointer, *message;
	} cases[] = {
		{"\"cores\": 40", "\"cores\": 0", "/host/cores", "1"},
		{"\"cores\": 40", "\"cores\": \"40\"", "/host/cores", "number"},
		{"\"input_cores\": 36", "\"input_cores\": 41", "/host/input_cores", "at most the 40 cores"},
		{"\"cache_share\": 0.5", "\"cache_share\": 1.5", "/host/cache_share", "1"},
		{"\"memory\": \"384 GB\"", "\"memory\": 384", "/host/memory", "unit"},
		{"\"memory\": \"384 GB\"", "\"memory\": \"384 GB/s\"", "/host/memory", "GB/s"},
		{"\"network\": \"200 Gb/s\"", "\"net\": \"200 Gb/s\"", "/host/net", "network"},
		{"\"jpeg\": \"25 MB/s\"", "\"jpg\": \"25 MB/s\"", "/host/decode/jpg", "jpeg"},
		{"\"jpeg\": \"25 MB/s\"", "\"jpeg\": \"0 B/s\"", "/host/decode/jpeg", "1"},
		{"{ \"jpeg\": \"25 MB/s\", \"gzip\": \"100 MB/s\" }", "3", "/host/decode", "object"},
		{"\"opens\": 9000", "\"opens\": 0", "/storage/local/opens", "0.001"},
		{"\"variation\": 0.72", "\"variation\": -1", "/storage/shared/variation", "0"},
		{"\"variation\": 0.72", "\"variation\": 101", "/storage/shared/variation", "100"},
		{"\"clients\": 32", "\"clients\": 1", "/storage/shared/by_clients/1/clients",
			"more than the 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_machine machine;
		struct paradl_error error = {0};
		char text[4096];
		const char *const at = strstr(good, cases[i].from);
		assert_non_null(at);
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, cases[i].to,
			at + strlen(cases[i].from));
		const struct json *const root = json_parse(arena, text, strlen(text), "", &error);
		assert_non_null(root);
		assert_false(machine_read(arena, root, &machine, &error));
		assert_string_equal(error.pointer, cases[i].pointer);
		if (!strstr(error.message, cases[i].message))
			fail_msg("%s: %s", cases[i].to, error.message);
		paradl_arena_free(arena);
	}
}

/* A disk of a node is no faster than all of them, a client no faster than the system, and cores and memory go together. */
static void shipped_is_consistent(const struct paradl_machine *machine)
{
	for (unsigned i = 0; i < machine->storage_count; ++i) {
		const struct storage_tier *const tier = &machine->storage[i];
		double before = 0;
		assert_true(
			tier->read_bytes_per_s <= 0 || tier->client_bytes_per_s <= tier->read_bytes_per_s);
		assert_true(tier->scope == STORAGE_SYSTEM || tier->client_bytes_per_s <= 0);
		for (unsigned row = 0; row < tier->by_clients.count; ++row) {
			assert_true(tier->by_clients.y[row] >= before);
			before = tier->by_clients.y[row];
		}
		assert_true(tier->read_bytes_per_s <= 0 || before <= tier->read_bytes_per_s);
	}
	assert_true((machine->host.cores > 0) == (machine->host.memory_bytes > 0));
	assert_true(machine->storage_count == 0 || machine->host.cores > 0);
}

static void shipped_profiles_are_consistent(void **state)
{
	(void)state;
	DIR *const directory = opendir("hw-profiles");
	const struct dirent *entry;
	unsigned with_storage = 0;
	assert_non_null(directory);
	while ((entry = readdir(directory))) { /* NOLINT(concurrency-mt-unsafe): the stream is ours */
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		char path[512];
		snprintf(path, sizeof path, "hw-profiles/%s", entry->d_name);
		const struct paradl_machine *const machine =
			strstr(path, ".json")
				? paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error)
				: NULL;
		assert_int_equal(machine != NULL, strstr(path, ".json") != NULL);
		if (machine) {
			shipped_is_consistent(machine);
			with_storage += machine->storage_count > 0;
		}
		paradl_arena_free(arena);
	}
	closedir(directory);
	assert_true(with_storage >= 15);
}

/* Two nodes of ABCI read archives as one does; 32 get 17.7 GB/s together, as was measured (ABCI 2.0 benchmark, 2021-06). */
static void abci_is_as_measured(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
	assert_non_null(machine);
	assert_int_equal(machine->storage_count, 2);
	const struct storage_tier *const shared = &machine->storage[1];
	assert_string_equal(shared->name, "shared");
	assert_int_equal(shared->by_clients.count, 4);
	assert_close(144.2e9 / shared->client_bytes_per_s, 174, 0.01); /* seconds, to one node */
	assert_close(32 * 144.2e9 / shared->by_clients.y[2], 261, 0.01);
	assert_close(8.21e12 / shared->read_bytes_per_s, 115, 0.01);    /* MLPerf HPC v0.7, open division */
	assert_close(1281167 / shared->opens_per_s, 26.7 + 67.8, 0.02); /* an epoch of files by 512 GPUs */
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_of_a_host_is_read),
		cmocka_unit_test(all_rates_for_clients_follow),
		cmocka_unit_test(rates_of_encodings_that_are_left_out_are_usual),
		cmocka_unit_test(every_number_of_tiers_is_read),
		cmocka_unit_test(without_blocks_nothing_is_known),
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(shipped_profiles_are_consistent),
		cmocka_unit_test(abci_is_as_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
