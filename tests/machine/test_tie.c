/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices whose numbers are another one's: what comes from where, how many times, and what is refused. */
#include "oracle/setup.h"

#include <dirent.h>
#include <string.h>

#include "base/json.h"

#define OWNER                                                                                                \
	"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"owner\", \"memory\": \"16 GB\", "       \
	"\"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\", \"bf16\": \"100 Tflop/s\"}, "     \
	"\"contraction\": {\"efficiency\": 0.5, \"launch\": \"2 us\"}, \"product\": {\"units\": 100, "       \
	"\"sustained\": {\"fp32\": 0.9, \"bf16\": 0.8}, \"wave\": \"1 us\"}, \"link\": {\"rate\": "          \
	"\"300 GB/s\"}, \"from\": {\"memory\": \"datasheet\"}%s}"
#define TIED                                                                                                 \
	"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"tied\", \"tied_to\": {\"device\": "     \
	"\"%s\", \"reason\": \"the same die\"%s}, \"memory\": \"32 GB\", \"product\": {\"units\": 50}, "     \
	"\"from\": {\"memory\": \"datasheet\", \"product/units\": \"datasheet\"}}"

static bool tied_load(
	struct setup *setup, const char *owner, const char *other, const char *rest, struct device *device)
{
	memset(&setup->error, 0, sizeof setup->error);
	setup_write(setup, "devices/device.json", arena_printf(setup->arena, OWNER, owner));
	return device_load(setup->arena,
		setup_write(setup, "devices/tied.json", arena_printf(setup->arena, TIED, other, rest)), NULL,
		device, &setup->error);
}

static void takes_what_it_does_not_say(void **state)
{
	struct setup *const setup = *state;
	struct device device;
	assert_true(tied_load(setup, "", "device", "", &device));
	assert_string_equal(device.name, "tied");
	assert_string_equal(device.tied_to.device, "device");
	assert_string_equal(device.tied_to.reason, "the same die");
	assert_close(device.memory_bytes, 32e9, 1e-12);
	assert_close(device.memory_bytes_per_s, 1e12, 1e-12);
	assert_close(device.product.units, 50, 1e-12);
	assert_close(device.product.sustained[PARADL_BF16], 0.8, 1e-12);
}

static void factors_multiply_what_it_takes(void **state)
{
	struct setup *const setup = *state;
	struct device device;
	assert_true(tied_load(setup, "", "device",
		", \"factors\": {\"product/sustained\": 0.5, \"contraction/launch\": 2}", &device));
	assert_close(device.product.sustained[PARADL_BF16], 0.4, 1e-12);
	assert_close(device.product.sustained[PARADL_FP32], 0.45, 1e-12);
	assert_close(device.product.wave_s, 1e-6, 1e-12);
	assert_close(device.launch_s, 4e-6, 1e-12);
	assert_close(device.link.bytes_per_s, 300e9, 1e-12);
}

static void origins_say_whose_numbers_they_are(void **state)
{
	struct setup *const setup = *state;
	struct device device;
	assert_true(tied_load(setup, "", "device", "", &device));
	assert_string_equal(json_member(device.from, "memory")->string, "datasheet");
	assert_string_equal(json_member(device.from, "link")->string, "assumed: as device, the same die");
	assert_true(tied_load(setup, "", "device", ", \"without\": [\"link\"]", &device));
	assert_false(device.link.bytes_per_s > 0);
	assert_true(
		device_load(setup->arena, arena_printf(setup->arena, "%s/devices/device.json", setup->folder),
			NULL, &device, &setup->error));
	assert_null(device.tied_to.device);
}

static void a_profile_may_hold_a_tied_device(void **state)
{
	struct setup *const setup = *state;
	setup_write(setup, "devices/device.json", arena_printf(setup->arena, OWNER, ""));
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"m\", \"device\": " TIED
		", \"framework\": \"nccl\", \"levels\": [{\"name\": \"node\", \"devices\": 8, \"latency\": "
		"\"1 us\", \"bandwidth\": \"1 GB/s\"}]}",
		"device", "");
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "machine.json", text)}, &setup->error);
	assert_non_null(machine);
	assert_string_equal(machine ? machine->device.tied_to.device : "", "device");
	assert_close(machine ? machine->device.efficiency : 0, 0.5, 1e-12);
}

static void says_what_is_wrong_with_a_tie(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *owner, *other, *rest, *pointer, *message;
	} cases[] = {
		{"", "nothing", "", "/tied_to/device", "there is no device \"nothing\""},
		{"", "a/b", "", "/tied_to/device", "must be the name of a file in devices/, is \"a/b\""},
		{"", "tied", "", "/tied_to/device", "tied is itself tied to another device"},
		{", \"tied_to\": {\"device\": \"tied\", \"reason\": \"r\"}", "device", "", "/tied_to/device",
			"device is itself tied to another device"},
		{"", "device", ", \"factors\": {\"product/sustained\": 0}",
			"/tied_to/factors/product~1sustained", "must be a number above 0, such as 0.9"},
		{"", "device", ", \"without\": [\"cache\"]", "/tied_to/without/0", NULL},
		{"", "device", ", \"factor\": 2", "/tied_to/factor", NULL},
		{"", "device", ", \"factors\": {\"product/halves\": 2}", "", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct device device;
		assert_false(tied_load(setup, cases[i].owner, cases[i].other, cases[i].rest, &device));
		assert_string_equal(setup->error.pointer, cases[i].pointer);
		if (cases[i].message)
			assert_string_equal(setup->error.message, cases[i].message);
	}
}

/* A copy that was put elsewhere can be checked as far as it goes. */
static void says_what_was_not_checked(void **state)
{
	struct setup *const setup = *state;
	struct paradl_findings findings = {0};
	const char *const text = arena_printf(setup->arena, TIED, "nothing", "");
	const struct json *const root = json_parse(setup->arena, text, strlen(text),
		arena_printf(setup->arena, "%s/tied.json", setup->folder), NULL);
	assert_non_null(root);
	assert_true(device_check(setup->arena, root, &findings, &setup->error));
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.warnings[0],
		"/tied_to/device: there is no nothing here; what it stands for was not checked");
}

static void factors_of_fits_are_those_of_the_file(void **state)
{
	struct setup *const setup = *state;
	const char *const text = arena_printf(setup->arena, TIED, "device",
		", \"factors\": {\"product/sustained\": 0.5}, \"without\": [\"link\"]");
	const struct json *const root =
		json_parse(setup->arena, text, strlen(text), "tied.json", &setup->error);
	double factor = 3;
	assert_non_null(root);
	assert_true(device_tie_factor(root, "product.wave", &factor));
	assert_close(factor, 3, 1e-12);
	assert_true(device_tie_factor(root, "product.sustained.bf16", &factor));
	assert_close(factor, 1.5, 1e-12);
	assert_false(device_tie_factor(root, "link.share", &factor));
}

/* No number of a shipped file that is tied stands in it as a copy of what it would take. */
static void shipped_files_hold_no_copies(void **state)
{
	struct setup *const setup = *state;
	DIR *const folder = opendir("hw-profiles/devices");
	unsigned tied = 0;
	assert_non_null(folder);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours */
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct device device;
		if (!strstr(entry->d_name, ".json"))
			continue;
		if (!device_load(setup->arena,
			    arena_printf(setup->arena, "hw-profiles/devices/%s", entry->d_name), NULL,
			    &device, &setup->error))
			fail_msg("%s: %s", entry->d_name, setup->error.message);
		if (!device.tied_to.device)
			continue;
		++tied;
		const struct json *const own = json_load(setup->arena, device.path, &setup->error);
		assert_non_null(own);
		assert_null(json_member(own, "attention"));
		const struct json *const product = json_member(own, "product");
		assert_null(product ? json_member(product, "wave") : NULL);
	}
	closedir(folder);
	assert_true(tied >= 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(takes_what_it_does_not_say),
		setup_test(factors_multiply_what_it_takes),
		setup_test(origins_say_whose_numbers_they_are),
		setup_test(a_profile_may_hold_a_tied_device),
		setup_test(says_what_is_wrong_with_a_tie),
		setup_test(says_what_was_not_checked),
		setup_test(factors_of_fits_are_those_of_the_file),
		setup_test(shipped_files_hold_no_copies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
