/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lint of models and of layer times: each finding once provoked, and once not. */
#include "model/layer_times_read.h"
#include "model/model.h"
#include "test.h"

typedef bool check_function(
	struct paradl_arena *, const struct json *, struct paradl_findings *, struct paradl_error *);

/* Expects exactly one finding with this part in it; NULL: none. */
static void check(check_function *function, const char *text, const char *part)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	const struct json *const root = json_parse(arena, text, strlen(text), "file.json", &error);
	assert_non_null(root);
	if (!function(arena, root, &findings, &error))
		fail_msg("%s: %s", text, error.message);
	if (findings.count != (part ? 1 : 0) || (part && !strstr(findings.warnings[0], part)))
		fail_msg("%s: %zu findings: %s", text, findings.count,
			findings.count > 0 ? findings.warnings[0] : "");
	paradl_arena_free(arena);
}

#define MODEL(header, layers)                                                                                \
	"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"m\", " header                           \
	", \"input\": { \"channels\": 3, \"shape\": [8, 8] }, \"layers\": [ " layers " ] }"
#define HEADER "\"training\": { \"batch_per_gpu\": 8 }, \"dataset\": { \"samples\": 100 }"
#define FC     ", { \"type\": \"linear\", \"out\": 2 }"

static void check_layers(const char *layers, const char *part)
{
	char text[2048];
	snprintf(text, sizeof text, MODEL(HEADER, "%s"), layers);
	check(model_check, text, part);
}

static void models_are_linted(void **state)
{
	(void)state;
	check(model_check, MODEL(HEADER, "{ \"type\": \"flatten\" }" FC), NULL);
	check(model_check, MODEL("\"dataset\": { \"samples\": 100 }", "{ \"type\": \"flatten\" }" FC),
		"no batch or batch_per_gpu");
	check(model_check, MODEL("\"training\": { \"batch_per_gpu\": 8 }", "{ \"type\": \"flatten\" }" FC),
		"no samples");
	check(model_check, MODEL(HEADER, "{ \"type\": \"flatten\" }"), "nothing is trained");
	check(model_check,
		MODEL(HEADER ", \"dims\": { \"a\": 2, \"_b\": 1 }",
			"{ \"type\": \"linear\", \"out\": \"$a\" }"),
		NULL);
	check(model_check, MODEL(HEADER ", \"dims\": { \"a\": 2 }", "{ \"type\": \"linear\", \"out\": 2 }"),
		"/dims/a: nothing refers to");
}

static void suspicious_layers_are_found(void **state)
{
	(void)state;
#define PATCHES(size, positions)                                                                             \
	"{ \"type\": \"embedding\", \"kind\": \"patch\", \"out\": 4, \"patch\": " size                       \
	", \"positions\": " positions                                                                        \
	", \"class_token\": true }, { \"type\": \"norm\", \"kind\": \"layer\" }"
	check_layers(PATCHES("4", "5"), NULL);
	check_layers(PATCHES("3", "5"), "/layers/0/patch: patches of 3 leave out the last 2 of 8");
	check_layers(PATCHES("4", "6"), "/layers/0/positions: has 6 learned positions, of which the 4 "
					"patches of an image and the class "
					"token have 5");
#define BARE "{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"bias\": false }"
	check_layers(BARE ", { \"type\": \"norm\", \"kind\": \"batch\" }" FC, NULL);
	check_layers(BARE ", { \"type\": \"act\", \"kind\": \"relu\" }" FC,
		"/layers/0: a conv without bias is followed by act");
	check_layers("{ \"layers\": [ " BARE ", " BARE " ] }" FC,
		"/layers/0/layers/0: a conv without bias is followed by conv");
	check_layers(BARE ", { \"type\": \"conv\", \"out\": 4, \"kernel\": 3, \"groups\": 4 }" FC, NULL);
	check_layers(BARE ", { \"type\": \"pool\", \"kind\": \"avg\", \"kernel\": 2 }" FC, NULL);
	check_layers("{ \"type\": \"add\", \"branches\": [ [ " BARE " ], [ " BARE " ] ] }" FC, NULL);
	check_layers("{ \"type\": \"act\", \"kind\": \"relu\", \"freeze\": true }" FC,
		"/layers/0/freeze: act has no weights");
	check_layers("{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"freeze\": true }" FC, NULL);
	check(model_check,
		"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"m\", " HEADER
		", \"input\": { \"tokens\": 8 }, \"layers\": [ { \"type\": \"embedding\", \"rows\": 9, "
		"\"out\": 4, "
		"\"freeze\": true }, { \"type\": \"held\", \"params\": 9, \"freeze\": true }, "
		"{ \"type\": \"head\", \"out\": 9 } ] }",
		NULL);
	check_layers("{ \"type\": \"conv\", \"out\": 4, \"kernel\": 2, \"stride\": 3 }" FC,
		"conv1: stride 3 is larger than kernel 2");
	check_layers("{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"stride\": 2 }" FC, NULL);
	check_layers("{ \"type\": \"conv\", \"out\": 4, \"kernel\": 2, \"stride\": [3, 1] }" FC,
		"conv1: stride 3");
	check_layers("{ \"type\": \"conv\", \"out\": 4, \"kernel\": 2, \"stride\": [1, 3] }" FC,
		"conv1: stride 3");
	check_layers("{ \"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2, \"pad\": 2 }" FC,
		"pool1: pad 2 is not smaller");
	check_layers("{ \"name\": \"a\", \"type\": \"flatten\" }, { \"name\": \"a\", \"type\": \"flatten\" "
		     "}, { \"name\": \"a\", \"type\": "
		     "\"flatten\" }" FC,
		"a: several layers have this name");
}

static void many_findings_are_counted(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	enum { COUNT = 150 };
	char text[16384];
	size_t used = (size_t)snprintf(text, sizeof text,
		"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"m\", " HEADER
		", \"input\": { \"channels\": 3, \"shape\": [8, 8] }, \"layers\": [ { \"type\": \"linear\", "
		"\"out\": 2 }");
	for (int i = 0; i < COUNT; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, ", { \"type\": \"flatten\", \"freeze\": true }");
	used += (size_t)snprintf(text + used, sizeof text - used, " ] }");
	assert_true(
		model_check(arena, json_parse(arena, text, used, "many.json", &error), &findings, &error));
	assert_int_equal(findings.count, 101);
	assert_string_equal(findings.warnings[100], "... and 50 more");
	assert_string_equal(findings.format, "paradl-model");
	paradl_arena_free(arena);
}

#define TIMES(header, samples)                                                                               \
	"{ \"format\": \"paradl-profile\", \"version\": 1, \"model\": \"ResNet-50\", " header                \
	"\"samples\": [ " samples " ] }"
#define DEVICE           "\"device\": \"V100-SXM2-16GB\", "
#define BATCH(n, layers) "{ \"batch\": " #n ", \"layers\": { " layers " } }"
#define LAYER(name)      "\"" name "\": { \"fw\": \"1.21 ms\", \"bw\": \"2.3 ms\", \"wu\": \"3 us\" }"

static void layer_times_are_read(void **state)
{
	(void)state;
	static const char text[] = TIMES(DEVICE "\"precision\": \"fp16\", ",
		BATCH(64, LAYER("conv1")) ", " BATCH(32,
			LAYER("res2/0/a") ", \"_note\": 1, \"conv1\": { \"fw\": \"41 us\", \"bw\": \"0 "
					  "s\" }"));
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct measured_layers measured;
	const struct json *const root = json_parse(arena, text, sizeof text - 1, "times.json", &error);
	if (!root || !measured_layers_read(arena, root, &measured, &error))
		fail_msg("%s: %s", error.pointer, error.message);
	assert_string_equal(measured.model, "ResNet-50");
	assert_int_equal(measured.precision, PARADL_FP16);
	assert_int_equal(measured.count, 2);
	assert_close(measured.batches[0].batch, 32, 0);
	assert_int_equal(measured.batches[0].count, 2);
	assert_close(measured_layer_find(&measured.batches[0], "conv1")->forward_s, 41e-6, 1e-15);
	assert_close(measured_layer_find(&measured.batches[0], "res2/0/a")->backward_s, 2.3e-3, 1e-15);
	assert_close(measured_layer_find(&measured.batches[1], "conv1")->update_s, 3e-6, 1e-15);
	assert_null(measured_layer_find(&measured.batches[1], "res2/0/a"));
	paradl_arena_free(arena);
}

static void layer_times_are_linted(void **state)
{
	(void)state;
	check(measured_layers_check, TIMES(DEVICE, BATCH(32, LAYER("a"))), NULL);
	check(measured_layers_check, TIMES("", BATCH(32, LAYER("a"))), "/device: not given");
	check(measured_layers_check,
		TIMES(DEVICE, BATCH(32, LAYER("a")) ", " BATCH(64, LAYER("a") ", " LAYER("b"))),
		"batch 64 has 2 layers, batch 32 has 1");
	check(measured_layers_check, TIMES(DEVICE, BATCH(32, "\"a\": { \"fw\": \"0 s\", \"bw\": \"1 s\" }")),
		"a takes no time");
}

static void bad_layer_times_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *pointer, *message;
	} cases[] = {
		{"[]", "", "object"},
		{"{ \"format\": \"paradl-model\" }", "/format", "layer times"},
		{"{ \"format\": \"paradl-profile\", \"version\": 7 }", "/version", "a newer paradl"},
		{TIMES(DEVICE, ""), "/samples", "at least one batch"},
		{TIMES(DEVICE, "{ \"batch\": 32 }"), "/samples/0", "layers"},
		{TIMES(DEVICE, BATCH(32, "")), "/samples/0/layers", "at least one layer"},
		{TIMES(DEVICE, BATCH(32, "\"_note\": \"none yet\"")), "/samples/0/layers",
			"at least one layer"},
		{TIMES(DEVICE, BATCH(0, LAYER("a"))), "/samples/0/batch", "from 1"},
		{TIMES(DEVICE, BATCH(2, LAYER("a")) ", " BATCH(2, LAYER("a"))), "/samples", "batch 2 twice"},
		{TIMES(DEVICE, BATCH(2, "\"a\": { \"fw\": \"1 ms\" }")), "/samples/0/layers/a", "bw"},
		{TIMES(DEVICE, BATCH(2, "\"a\": { \"fw\": 1.5, \"bw\": \"1 s\" }")), "/samples/0/layers/a/fw",
			"unit"},
		{TIMES(DEVICE, BATCH(2, "\"a\": { \"fwd\": \"1 s\" }")), "/samples/0/layers/a/fwd",
			"did you mean \"fw\""},
		{TIMES("\"devise\": \"x\", ", BATCH(2, LAYER("a"))), "/devise", "did you mean \"device\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct measured_layers measured;
		const struct json *const root =
			json_parse(arena, cases[i].text, strlen(cases[i].text), "times.json", &error);
		assert_non_null(root);
		if (measured_layers_read(arena, root, &measured, &error) ||
			strcmp(error.pointer, cases[i].pointer) != 0 ||
			!strstr(error.message, cases[i].message))
			fail_msg("%s: %s: %s", cases[i].text, error.pointer, error.message);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_are_linted),
		cmocka_unit_test(suspicious_layers_are_found),
		cmocka_unit_test(many_findings_are_counted),
		cmocka_unit_test(layer_times_are_read),
		cmocka_unit_test(layer_times_are_linted),
		cmocka_unit_test(bad_layer_times_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
