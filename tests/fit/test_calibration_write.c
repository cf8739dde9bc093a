/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calibrations in profiles: what is written can be read and says where it is from, the rest of a text stays, and whatever
 * interrupts the writing leaves files that are whole.
 */
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "fit/profile_edit.h"
#include "machine/machine.h"

static const char machine_text[] =
	"{\n  \"format\": \"paradl-hw\",\n  \"version\": 1,\n  \"name\": \"two\",\n  \"device\": \"dev\",\n"
	"  \"framework\": \"nccl\",\n  \"levels\": [\n"
	"    { \"name\": \"node\", \"devices\": 2, \"latency\": \"5 us\", \"bandwidth\": \"12 GB/s\" },\n"
	"    { \"name\": \"net\", \"devices\": 8, \"latency\": \"0.01 ms\", \"bandwidth\": \"100 Gb/s\", "
	"\"ports\": 2 }\n  ],\n"
	"  \"curves\": [\n"
	"    { \"operation\": \"allreduce\", \"library\": \"nccl 2.8.4\", \"nodes\": 2, \"devices\": 4,\n"
	"      \"bytes\": [8, 1024], \"us\": [20, 25.5] },\n"
	"    { \"operation\": \"broadcast\", \"library\": \"nccl 2.8.4\", \"nodes\": 2, \"devices\": 4,\n"
	"      \"bytes\": [8, 1024], \"us\": [10, 12] }\n  ],\n"
	"  \"_note\": \"kept as it is\",\n"
	"  \"from\": {\n    \"levels\": \"datasheet: the vendor\",\n    \"curves\": \"measured: long ago\"\n "
	" }\n}\n";
static const char device_text[] =
	"{\n  \"format\": \"paradl-device\",\n  \"version\": 1,\n  \"name\": \"dev\",\n  \"memory\": \"16 "
	"GB\",\n"
	"  \"memory_rate\": \"900 GB/s\",\n  \"peak\": { \"fp32\": \"15.7 Tflop/s\" },\n"
	"  \"contraction\": { \"efficiency\": 0.6 },\n"
	"  \"memory_rates\": [ { \"up_to\": \"1 MiB\", \"rate\": \"2 TB/s\" }, { \"up_to\": \"4 MiB\", "
	"\"rate\": \"1.5 TB/s\" } ],\n"
	"  \"from\": { \"memory\": \"datasheet: x\", \"memory_rate\": \"assumed\", \"peak\": \"datasheet: "
	"x\",\n"
	"    \"contraction\": \"assumed\", \"memory_rates/0\": \"assumed\", \"memory_rates/1\": \"assumed\" "
	"}\n}\n";

#define NUMBER(file_, path_, unit_, value_)                                                                  \
	{                                                                                                    \
		.file = (file_), .path = (path_), .unit = (unit_), .value = (value_), .low = 0.9 * (value_), \
		.high = 1.1 * (value_), .points = 4, .launches = 5, .residual = 0.03,                        \
		.from = "calibrate mpi, 5 launches, 2026-11-22", .was = -1                                   \
	}
static const struct paradl_fitted_number numbers[] = {
	NUMBER(PARADL_FITTED_MACHINE, "levels/0/latency", "s", 3.25e-6),
	NUMBER(PARADL_FITTED_MACHINE, "levels/1/latency", "s", 4.5e-6),
	NUMBER(PARADL_FITTED_MACHINE, "levels/1/bandwidth", "B/s", 11e9),
	NUMBER(PARADL_FITTED_MACHINE, "levels/1/ring", "B/s", 7.5e9),
	NUMBER(PARADL_FITTED_DEVICE, "memory_rate", "B/s", 812.3456e9),
	NUMBER(PARADL_FITTED_DEVICE, "peak/fp32", "flop/s", 14.2e12),
	NUMBER(PARADL_FITTED_DEVICE, "contraction/half/k", "", 30.5),
	NUMBER(PARADL_FITTED_DEVICE, "memory_rates/0/up_to", "B", 2097152),
	NUMBER(PARADL_FITTED_DEVICE, "memory_rates/0/rate", "B/s", 3e12),
};
static const double sizes[] = {4, 4096, 1048576}, times_s[] = {18e-6, 24.5e-6, 199.99e-6};
static const struct paradl_fitted_curve curves[] = {
	{.operation = "allreduce",
		.library = "nccl 2.8.4",
		.buffer = "device",
		.nodes = 2,
		.devices = 4,
		.groups = 1,
		.point_count = 3,
		.launches = 5,
		.bytes = sizes,
		.time_s = times_s},
	{.operation = "allreduce",
		.library = "nccl 2.8.4",
		.buffer = "host",
		.nodes = 2,
		.devices = 4,
		.groups = 1,
		.point_count = 2,
		.launches = 5,
		.bytes = sizes,
		.time_s = times_s},
	{.operation = "allgather",
		.library = "nccl 2.8.4",
		.buffer = "device",
		.nodes = 1,
		.devices = 2,
		.groups = 1,
		.point_count = 3,
		.launches = 1,
		.bytes = sizes,
		.time_s = times_s},
	{.operation = "allgather",
		.library = "nccl 2.8.4",
		.buffer = "device",
		.nodes = 2,
		.devices = 2,
		.groups = 2,
		.point_count = 3,
		.launches = 1,
		.bytes = sizes,
		.time_s = times_s},
	{.operation = "halo",
		.library = "mpi",
		.buffer = "host",
		.nodes = 2,
		.devices = 4,
		.groups = 1,
		.point_count = 3,
		.launches = 1,
		.bytes = sizes,
		.time_s = times_s},
};
static const struct paradl_calibration measured = {.numbers = numbers,
	.curves = curves,
	.number_count = sizeof numbers / sizeof *numbers,
	.curve_count = sizeof curves / sizeof *curves,
	.samples = "sha256 0123456789abcdef",
	.hosts = "g0001"};

struct state {
	struct paradl_arena *arena;
	char folder[64];
	const char *machine_path, *device_path;
};

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static const char *get(struct state *state, const char *path)
{
	struct paradl_error error = {0};
	size_t length;
	const char *text = file_read(state->arena, path, 1 << 20, &length, &error);
	return text ? text : "";
}

static int setup(void **context)
{
	struct state *state = calloc(1, sizeof *state);
	*context = state;
	if (!state || !(state->arena = paradl_arena_create()))
		return -1;
	strcpy(state->folder, "/tmp/paradl-write-XXXXXX");
	if (!mkdtemp(state->folder))
		return -1;
	state->machine_path = arena_printf(state->arena, "%s/two.json", state->folder);
	state->device_path = arena_printf(state->arena, "%s/devices/dev.json", state->folder);
	mkdir(arena_printf(state->arena, "%s/devices", state->folder), 0777);
	put(state->machine_path, machine_text);
	put(state->device_path, device_text);
	return 0;
}

static int teardown(void **context)
{
	struct state *state = *context;
	const char *command = arena_printf(state->arena, "rm -rf '%s'", state->folder);
	const int status = command ? system(command) : -1;
	paradl_arena_free(state->arena);
	free(state);
	return status;
}

static const struct paradl_machine *load(struct state *state, const char *path)
{
	struct paradl_error error = {0};
	const struct paradl_machine *machine =
		paradl_machine_load(state->arena, &(struct paradl_source){.path = path}, &error);
	if (!machine)
		fail_msg("%s: %s", error.path, error.message);
	return machine;
}

static bool calibrate(struct state *state, struct paradl_error *error)
{
	*error = (struct paradl_error){0};
	return paradl_calibration_write(
		state->arena, &measured, load(state, state->machine_path), state->machine_path, error);
}

static void checked(struct state *state, const char *path)
{
	static const char *const directories[] = {".", NULL};
	const struct paradl_source source = {.path = path, .directories = directories};
	struct paradl_findings findings;
	struct paradl_error error = {0};
	if (!paradl_check(state->arena, &source, &findings, &error))
		fail_msg("%s: %s", path, error.message);
	if (findings.count)
		fail_msg("%s: %s", path, findings.warnings[0]);
}

static void profiles_get_numbers(void **context)
{
	struct state *state = *context;
	struct paradl_error error;
	if (!calibrate(state, &error))
		fail_msg("%s: %s", error.path, error.message);
	const struct paradl_machine *machine = load(state, state->machine_path);
	assert_close(machine->levels[0].latency_s, 3.25e-6, 1e-9);
	assert_close(machine->levels[1].latency_s, 4.5e-6, 1e-9);
	assert_close(machine->levels[1].bandwidth_bytes_per_s, 11e9, 1e-9);
	assert_close(machine->levels[1].ring_bytes_per_s, 7.5e9, 1e-9);
	assert_int_equal(machine->levels[1].ports, 2);
	assert_close(machine->device.memory_bytes_per_s, 812.3e9, 1e-9); /* four digits */
	assert_close(machine->device.peak_flop_per_s[PARADL_FP32], 14.2e12, 1e-9);
	const char *text = get(state, state->machine_path);
	assert_non_null(strstr(text, "\"0.0045 ms\""));
	assert_non_null(strstr(text, "\"88 Gb/s\"")); /* units stay */
	assert_non_null(strstr(text, "\"_note\": \"kept as it is\""));
	assert_non_null(strstr(text,
		"\"levels/1/latency\": \"measured: paradl calibrate mpi, 5 launches, 2026-11-22, "
		"g0001, 95 % 4.05 us to 4.95 us, residual 3 %; samples sha256 0123456789abcdef\""));
	checked(state, state->machine_path);
	checked(state, state->device_path);
}

/* The table of caches is another one now: nothing of the old is left, nor its origins. */
static void tables_are_replaced(void **context)
{
	struct state *state = *context;
	struct paradl_error error;
	assert_true(calibrate(state, &error));
	const char *text = get(state, state->device_path);
	assert_null(strstr(text, "1 MiB"));
	assert_null(strstr(text, "memory_rates/1"));
	assert_non_null(strstr(text, "\"2 MiB\""));
	assert_non_null(strstr(text, "\"half\": { \"k\": 30.5 }"));
}

static void curves_are_replaced_or_added(void **context)
{
	struct state *state = *context;
	struct paradl_error error;
	assert_true(calibrate(state, &error));
	assert_true(calibrate(state, &error)); /* a second time changes nothing */
	const struct paradl_machine *machine = load(state, state->machine_path);
	assert_int_equal(machine->curve_count, 3);
	assert_int_equal(machine->curves[0].points.count, 3); /* of devices' memory, not hosts' */
	assert_close(machine->curves[0].points.y[2], 200e-6, 1e-9);
	assert_string_equal(machine->curves[1].operation, "broadcast");
	assert_close(machine->curves[1].points.y[1], 12e-6, 1e-9);
	assert_string_equal(machine->curves[2].operation, "allgather");
	assert_int_equal(machine->curves[2].nodes, 1);
	const char *text = get(state, state->machine_path);
	assert_non_null(strstr(text, "\"curves\": \"measured: long ago\""));
	assert_non_null(
		strstr(text, "\"curves/2\": \"measured: paradl calibrate, 1 launch, g0001, device memory"));
}

static void writing_again_changes_nothing(void **context)
{
	struct state *state = *context;
	struct paradl_error error;
	assert_true(calibrate(state, &error));
	const char *machine = get(state, state->machine_path), *device = get(state, state->device_path);
	assert_true(calibrate(state, &error));
	assert_string_equal(get(state, state->machine_path), machine);
	assert_string_equal(get(state, state->device_path), device);
}

static void new_profiles_are_whole(void **context)
{
	struct state *state = *context;
	struct paradl_error error = {0};
	const char *path = arena_printf(state->arena, "%s/mine.json", state->folder);
	if (!paradl_calibration_write(state->arena, &measured, NULL, path, &error))
		fail_msg("%s: %s (%s)", error.path, error.message, error.hint);
	const struct paradl_machine *machine = load(state, path);
	assert_string_equal(machine->device.name, "mine");
	assert_int_equal(machine->level_count, 2);
	assert_int_equal(machine->devices_per_node, 2);
	assert_int_equal(machine->devices, 4);
	assert_close(machine->levels[1].ring_bytes_per_s, 7.5e9, 1e-9);
	assert_int_equal(machine->curve_count, 2);
	bool says_so = false; /* the bandwidth within a node was not measured */
	for (unsigned i = 0; i < machine->assumed_count; ++i)
		says_so = says_so || strcmp(machine->assumed[i], "levels/0/bandwidth") == 0;
	assert_true(says_so);
	checked(state, path);
	checked(state, arena_printf(state->arena, "%s/devices/mine.json", state->folder));
}

static void a_new_device_needs_its_rates(void **context)
{
	struct state *state = *context;
	struct paradl_error error = {0};
	struct paradl_calibration only = measured;
	const char *path = arena_printf(state->arena, "%s/mine.json", state->folder);
	only.number_count = 4;
	assert_false(paradl_calibration_write(state->arena, &only, NULL, path, &error));
	assert_non_null(strstr(error.hint, "--base"));
	assert_int_equal(access(path, F_OK), -1);
}

/* A copy elsewhere: profile and device, the originals stay. */
static void copies_leave_the_original(void **context)
{
	struct state *state = *context;
	struct paradl_error error = {0};
	const char *path = arena_printf(state->arena, "%s/copy/mine.json", state->folder);
	mkdir(arena_printf(state->arena, "%s/copy", state->folder), 0777);
	assert_true(paradl_calibration_write(
		state->arena, &measured, load(state, state->machine_path), path, &error));
	assert_string_equal(get(state, state->machine_path), machine_text);
	assert_string_equal(get(state, state->device_path), device_text);
	const struct paradl_machine *machine = load(state, path);
	assert_close(machine->device.memory_bytes_per_s, 812.3e9, 1e-9);
}

static bool is_old_or_new(struct state *state, const char *path, const char *old, const char *new)
{
	const char *text = get(state, path);
	return strcmp(text, old) == 0 || strcmp(text, new) == 0;
}

/* No room for the second file, or not even for the first: files are limited to so many bytes. */
static void full_disks_leave_old_or_new(void **context)
{
	struct state *state = *context;
	struct paradl_error error;
	assert_true(calibrate(state, &error));
	const char *new_machine = get(state, state->machine_path),
		   *new_device = get(state, state->device_path);
	unsigned failures = 0;
	for (rlim_t limit = 0; limit < strlen(new_machine) + 200; limit += 97) {
		put(state->machine_path, machine_text);
		put(state->device_path, device_text);
		const pid_t child = fork();
		if (child == 0) {
			const struct rlimit room = {limit, limit};
			signal(SIGXFSZ, SIG_IGN);
			setrlimit(RLIMIT_FSIZE, &room);
			_exit(calibrate(state, &error) ? 0 : 7);
		}
		int status = -1;
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		failures += WEXITSTATUS(status) == 7;
		assert_true(is_old_or_new(state, state->machine_path, machine_text, new_machine));
		assert_true(is_old_or_new(state, state->device_path, device_text, new_device));
		load(state, state->machine_path);
	}
	assert_true(failures > 5);
	assert_string_equal(
		get(state, state->machine_path), new_machine); /* the last limit has room for both */
	const char *litter =
		arena_printf(state->arena, "test -z \"$(find '%s' -name '*.tmp')\"", state->folder);
	assert_int_equal(system(litter), 0);
}

/* Killed at some moment of writing, again and again. */
static void killed_writers_leave_old_or_new(void **context)
{
	struct state *state = *context;
	struct paradl_error error;
	assert_true(calibrate(state, &error));
	const char *new_machine = get(state, state->machine_path),
		   *new_device = get(state, state->device_path);
	for (unsigned try = 0; try < 40; ++try) {
		put(state->machine_path, machine_text);
		put(state->device_path, device_text);
		const pid_t child = fork();
		if (child == 0) {
			calibrate(state, &error);
			_exit(0);
		}
		const struct timespec wait = {0, (long)(try * try) * 4000};
		nanosleep(&wait, NULL);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		assert_true(is_old_or_new(state, state->machine_path, machine_text, new_machine));
		assert_true(is_old_or_new(state, state->device_path, device_text, new_device));
		load(state, state->machine_path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(profiles_get_numbers),
		TEST(tables_are_replaced),
		TEST(curves_are_replaced_or_added),
		TEST(writing_again_changes_nothing),
		TEST(new_profiles_are_whole),
		TEST(a_new_device_needs_its_rates),
		TEST(copies_leave_the_original),
		TEST(full_disks_leave_old_or_new),
		TEST(killed_writers_leave_old_or_new),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
