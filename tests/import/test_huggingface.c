/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.json of Hugging Face: parameters of published networks, defaults of keys that are left out, what is refused. */
#include <unistd.h>

#include "test.h"

#include "model/model.h"

struct imported {
	struct paradl_arena *arena;
	const char *text; /* NULL: refused, see error */
	const struct paradl_model *model;
	struct paradl_findings findings;
	struct paradl_error error;
};

static struct imported import_path(const char *path)
{
	struct imported imported = {.arena = paradl_arena_create()};
	imported.text = paradl_import(imported.arena, path, NULL, &imported.findings, &imported.error);
	if (!imported.text)
		return imported;
	struct paradl_error error = {0};
	const struct json *const root =
		json_parse(imported.arena, imported.text, strlen(imported.text), "imported", &error);
	imported.model = root ? model_build(imported.arena, root, NULL, &error) : NULL;
	if (!imported.model)
		fail_msg("%s: %s %s", path, error.pointer, error.message);
	return imported;
}

static struct imported import_text(const char *text)
{
	char path[] = "/tmp/paradl-config-XXXXXX";
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
	close(descriptor);
	const struct imported imported = import_path(path);
	unlink(path);
	return imported;
}

/* Of a file that must be accepted. */
static struct imported import_good(const char *text)
{
	const struct imported imported = import_text(text);
	if (!imported.model) {
		fail_msg("%s: %s", text, imported.error.message);
		abort();
	}
	return imported;
}

static bool says(const struct imported *imported, const char *part)
{
	for (size_t i = 0; i < imported->findings.count; i++)
		if (strstr(imported->findings.warnings[i], part))
			return true;
	return false;
}

/* As the networks are published, or as transformers counts them. */
static const struct {
	const char *name;
	double parameters;
} published[] = {
	{"gpt2", 124439808},
	{"gpt2-medium", 354823168},
	{"gpt2-large", 774030080},
	{"gpt2-xl", 1557611200},
	{"llama-2-7b", 6738415616},
	{"llama-2-13b", 13015864320},
	{"llama-2-70b", 68976648192},
	{"llama-3-8b", 8030261248},
	{"llama-3-70b", 70553706496},
	{"llama-3.1-405b", 405853388800},
	{"llama-3.2-1b", 1235814400},
	{"tinyllama-1.1b", 1100048384},
	{"mistral-7b", 7241732096},
	{"mixtral-8x7b", 46702792704},
	{"mixtral-8x22b", 140620634112},
	{"qwen2.5-0.5b", 494032768},
	{"qwen2.5-7b", 7615616512},
	{"qwen2.5-72b", 72706203648},
	{"qwen3-8b", 8190735360},
	{"qwen3-0.6b", 596049920},
	{"qwen3-30b-a3b", 30532122624},
	{"qwen3-235b-a22b", 235093634560},
	{"qwen1.5-moe-a2.7b", 14315784192},
	{"deepseek-v2-lite", 15706484224},
	{"deepseek-v2", 235741434880},
	{"deepseek-v3",
		671026404352}, /* without 58 x 256 numbers that balance the experts, which are no parameters */
	{"gemma-2b", 2506172416},
	{"phi-3-mini", 3821079552},
	{"pythia-160m", 162322944},
	{"pythia-1.4b", 1414647808},
	{"gpt-neox-20b", 20554567680},
	{"opt-125m", 125239296},
	{"opt-350m", 331196416},
	{"opt-6.7b", 6658473984},
	{"bloom-560m", 559214592},
	{"bloom-176b", 176247271424},
	{"falcon-7b", 6921720704},
	{"falcon-40b", 41303293952},
	{"phi-2", 2779683840},
	{"bert-base", 109482240},
	{"bert-large", 335141888},
	{"roberta-base", 124645632},
	{"vit-b-16", 86567656},
	{"vit-l-16", 304326632},
	{"vit-h-14", 632045800},
	{"wrapped", 8292166656},
};

static void parameters_are_the_published_ones(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
		char path[128];
		snprintf(path, sizeof path, "tests/data/huggingface/%s.json", published[i].name);
		const struct imported imported = import_path(path);
		if (!imported.model)
			fail_msg("%s: %s", path, imported.error.message);
		if (fabs(imported.model->weight_items + imported.model->frozen_items -
			    published[i].parameters) > 0.5)
			fail_msg("%s: %.0f parameters, published are %.0f", path,
				imported.model->weight_items, published[i].parameters);
		paradl_arena_free(imported.arena);
	}
}

#define WIDTHS                                                                                               \
	"\"hidden_size\": 64, \"intermediate_size\": 128, \"num_hidden_layers\": 4, "                        \
	"\"num_attention_heads\": 4, \"vocab_size\": 100"
#define KV                 ", \"num_key_value_heads\": 4"
#define CONFIG(type, more) "{ \"model_type\": \"" type "\", " WIDTHS more " }"

static const struct layer *first_of(const struct imported *imported, enum layer_class wanted)
{
	for (unsigned i = 0; i < imported->model->layer_count; i++)
		if (imported->model->layers[i].class_ == wanted)
			return &imported->model->layers[i];
	fail_msg("no %s", layer_class_names[wanted]);
	return imported->model->layers;
}

static void check_parameters(const char *text, double parameters)
{
	const struct imported imported = import_good(text);
	if (fabs(imported.model->weight_items + imported.model->frozen_items - parameters) > 0.5)
		fail_msg(
			"%s: %.0f parameters, expected %.0f", text, imported.model->weight_items, parameters);
	paradl_arena_free(imported.arena);
}

/* h 64, f 128, 4 layers, V 100: attention 4 h h, gated mlp 3 h f, two norms 2 h; a norm h; tables V h. */
static void keys_left_out_have_the_defaults_of_their_class(void **state)
{
	(void)state;
	const double block = 4 * 64 * 64 + 3 * 64 * 128 + 2 * 64, table = 100 * 64;
	const double llama = 4 * block + 64 + 2 * table;
	check_parameters(CONFIG("llama", ""), llama);
	check_parameters(CONFIG("llama", ", \"num_key_value_heads\": null"), llama);
	check_parameters(CONFIG("llama", ", \"tie_word_embeddings\": true"), llama - table);
	check_parameters(CONFIG("llama", ", \"num_key_value_heads\": 1"), llama - 4 * 2.0 * 64 * 48);
	check_parameters(CONFIG("llama", ", \"attention_bias\": true"), llama + 4 * 4.0 * 64);
	check_parameters(CONFIG("llama", ", \"mlp_bias\": true"), llama + 4 * (2.0 * 128 + 64));
	check_parameters(CONFIG("llama", ", \"head_dim\": 32"), llama + 4 * 4.0 * 64 * 64);
	check_parameters(CONFIG("qwen2", KV), llama + 4 * 3.0 * 64);
	check_parameters(CONFIG("qwen3", KV ", \"head_dim\": 16"), llama + 4 * 2.0 * 16);
	check_parameters(CONFIG("gemma", KV ", \"head_dim\": 16"), llama - table);
	check_parameters(CONFIG("bert", ""), 4 * (block - 64 * 128 + 4 * 64 + 128 + 64 + 2 * 64) + table +
						     (512 + 2) * 64 + 2 * 64 + 64 * 64 + 64);
}

/* Every second layer has experts, but not layer 3; E 3 of width 8, a shared one of 16 with its gate. */
static void layers_with_experts_are_those_that_the_keys_name(void **state)
{
	(void)state;
	const struct imported imported = import_good(CONFIG("qwen2_moe", KV
		", \"num_experts\": 3, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 8, "
		"\"shared_expert_intermediate_size\": 16, \"decoder_sparse_step\": 2, \"mlp_only_layers\": "
		"[3]"));
	const struct layer *const moe = first_of(&imported, LAYER_MOE);
	assert_int_equal(moe->count, 1);
	assert_int_equal(first_of(&imported, LAYER_MLP)->count, 3);
	assert_close(moe->weight_items, 64 * 3 + 3 * 3 * 64 * 8 + 3 * 64 * 16 + 64, 0);
	assert_int_equal(moe->work->top_k, 2);
	assert_string_equal(imported.model->names[1 + 6 + 4], "block1/0/moe");
	paradl_arena_free(imported.arena);
}

static void sequences_are_those_of_the_file_up_to_a_bound(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double sequence;
		bool warns;
	} cases[] = {
		{CONFIG("llama", ", \"max_position_embeddings\": 2048"), 2048, false},
		{CONFIG("llama", ", \"max_position_embeddings\": 131072"), 4096, true},
		{CONFIG("llama", ""), 4096, true},
		{CONFIG("opt", ", \"ffn_dim\": 128, \"max_position_embeddings\": 1024"), 1024, false},
		{CONFIG("roberta", ", \"max_position_embeddings\": 514, \"pad_token_id\": 1"), 512, false},
		{CONFIG("vit", ", \"image_size\": 32, \"patch_size\": 8, \"num_labels\": 10"), 17, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_good(cases[i].text);
		assert_close(imported.model->sequence, cases[i].sequence, 0);
		assert_int_equal(says(&imported, "how long sequences"), cases[i].warns);
		paradl_arena_free(imported.arena);
	}
}

static void names_and_precision_are_taken_along(void **state)
{
	(void)state;
	const struct imported imported = import_good(
		CONFIG("llama", ", \"_name_or_path\": \"somebody/Some-7B\", \"torch_dtype\": \"float16\""));
	assert_string_equal(imported.model->name, "Some-7B");
	assert_int_equal(imported.model->precision, PARADL_FP16_MIXED);
	assert_string_equal(imported.model->optimizer, "adamw");
	paradl_arena_free(imported.arena);
}

static void what_is_left_out_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *text, *warning;
	} cases[] = {
		{"{ \"model_type\": \"qwen3_vl\", \"text_config\": " CONFIG(
			 "qwen3", KV) ", \"vision_config\": { " WIDTHS ", "
				      "\"depth\": 2, \"out_hidden_size\": 64 } }",
			"vision_config: its"},
		{CONFIG("deepseek_v3", ", \"num_nextn_predict_layers\": 1"),
			"multi-token prediction are left out"},
		{CONFIG("llama", ", \"hidden_act\": \"mish\""), "\"mish\" is taken as gelu"},
		{CONFIG("bert", ""), "other heads are left out"},
		{CONFIG("vit", ""), "2 classes"},
		{CONFIG("t5", ", \"d_model\": 64, \"num_layers\": 4, \"num_heads\": 4, \"d_ff\": 128"),
			"512 tokens of source and 114 of target"},
		{CONFIG("whisper", ""), "3000 frames of sound, which become 1500 tokens"},
		{"{ \"model_type\": \"clip\", \"text_config\": {}, \"vision_config\": {} }",
			"an image and 77 tokens of text"},
		{CONFIG("qwen2_vl_text", KV), "has no head of its own"},
		{CONFIG("qwen2", KV ", \"use_sliding_window\": true"), "every layer gets the window"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_text(cases[i].text);
		if (!imported.model || !says(&imported, cases[i].warning))
			fail_msg("%s: no \"%s\" (%s)", cases[i].text, cases[i].warning,
				imported.error.message);
		paradl_arena_free(imported.arena);
	}
}

/* Whatever allocation is the one too many: the file is read or an error is set. */
static void little_memory_ends_with_an_error(void **state)
{
	(void)state;
	static const char path[] = "models--org--name/small.json", text[] = CONFIG("llama", "");
	unsigned refused = 0, read = 0;
	for (size_t limit = 1 << 10; limit < 1 << 15; limit += 8) {
		struct paradl_arena *const arena = arena_create_limited(limit);
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		const bool given = arena && paradl_file_give(arena, path, text, sizeof text - 1);
		const char *const model = given ? paradl_import(arena, path, NULL, &findings, &error) : NULL;
		assert_true(!given || (model == NULL) == (error.status != PARADL_OK));
		read += model != NULL;
		refused += !model;
		paradl_arena_free(arena);
	}
	assert_true(refused > 10 && read > 10);
}

static void other_files_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *pointer, *message;
	} cases[] = {
		{"{ }", "", "in no format"},
		{"{ \"format\": \"paradl-model\" }", "/format", "paradl's own"},
		{"{ \"model_type\": \"whisper\", \"use_weighted_layer_sum\": true }",
			"/use_weighted_layer_sum", "a sum of all layers"},
		{"{ \"model_type\": \"t5\", \"d_model\": 384 }", "", "needs num_decoder_layers"},
		{"{ \"model_type\": \"clip\", \"text_config\": {} }", "", "needs vision_config"},
		{"{ \"model_type\": \"wav2vec2\", \"hidden_size\": 384 }", "/model_type",
			"\"wav2vec2\" is not one"},
		{CONFIG("never-heard-of", ""), "/model_type", "is not one that import knows"},
		{CONFIG("never-heard-of", ", \"num_experts\": 8"), "/num_experts", "no plain transformer"},
		{CONFIG("llama", ", \"num_local_experts\": 8"), "/num_local_experts", "has no experts"},
		{"{ \"model_type\": \"both\", \"text_config\": " CONFIG(
			 "llama", "") ", \"audio_config\": {} }",
			"/audio_config", "does not read"},
		{CONFIG("nemotron_h", ", \"hybrid_override_pattern\": \"M-X*\""), "/hybrid_override_pattern",
			"layer 2 is \"X\""},
		{CONFIG("gpt_oss", ", \"layer_types\": [\"full_attention\"]"), "/layer_types",
			"is of 1 layers"},
		{CONFIG("gemma4_text", ", \"hidden_size_per_layer_input\": 0"), "", "needs layer_types"},
		{CONFIG("gemma4_text", ""), "", "embeddings of each layer"},
		{CONFIG("qwen2", ""), "", "kv_heads is 32"},
		{CONFIG("bart", ", \"tie_word_embeddings\": false"), "", "all their own"},
		{CONFIG("nemotron_h", ""), "", "needs layers_block_type"},
		{CONFIG("step3p7", ""), "", "has no vision_config"},
		{"{ \"model_type\": \"llama\" }", "", "needs num_hidden_layers"},
		{CONFIG("llama", ", \"num_key_value_heads\": 3"), "", "kv_heads"},
		{CONFIG("llama", ", \"num_key_value_heads\": \"two\""), "/num_key_value_heads", "number"},
		{CONFIG("llama", ", \"head_dim\": 1.5"), "/head_dim", "whole"},
		{CONFIG("qwen3_moe", KV ", \"mlp_only_layers\": [4]"), "/mlp_only_layers/0", "from 0 to 3"},
		{CONFIG("qwen3_moe", KV ", \"mlp_only_layers\": 4"), "/mlp_only_layers", "array"},
		{CONFIG("deepseek_v2", ", \"n_routed_experts\": 8, \"moe_layer_freq\": 2"), "/moe_layer_freq",
			"only 1 and a list"},
		{CONFIG("vit", ", \"patch_size\": 0"), "", "no image"},
		{"{ \"model_type\": \"gpt2\", \"n_embd\": 64, \"n_layer\": 2000000000, \"n_head\": 4, "
		 "\"vocab_size\": 100 }",
			"", "not 1 to 10000"},
		{"{ \"model_type\": ", "", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_text(cases[i].text);
		if (imported.text)
			fail_msg("accepted: %s", cases[i].text);
		if (!strstr(imported.error.message, cases[i].message) ||
			strcmp(imported.error.pointer, cases[i].pointer) != 0)
			fail_msg("%s: %s: %s", cases[i].text, imported.error.pointer, imported.error.message);
		paradl_arena_free(imported.arena);
	}
}

static struct imported import_as(const char *path, const struct paradl_import_options *options)
{
	struct imported imported = {.arena = paradl_arena_create()};
	struct paradl_error error = {0};
	imported.text = paradl_import(imported.arena, path, options, &imported.findings, &imported.error);
	const struct json *const root = imported.text ? json_parse(imported.arena, imported.text,
								strlen(imported.text), "imported", &error)
						      : NULL;
	imported.model = root ? model_build(imported.arena, root, NULL, &error) : NULL;
	return imported;
}

static void an_unknown_type_is_read_as_it_is_told(void **state)
{
	(void)state;
	static const char path[] = "tests/data/huggingface/unknown.json";
	struct imported imported = import_path(path);
	assert_null(imported.text);
	assert_non_null(strstr(imported.error.hint, "--assume llama"));
	paradl_arena_free(imported.arena);
	imported = import_as(path, &(struct paradl_import_options){.assume = "llama"});
	assert_non_null(imported.model);
	assert_close(imported.model->weight_items, 8030261248, 0);
	assert_true(says(&imported, "read like llama, as asked for"));
	paradl_arena_free(imported.arena);
	imported = import_as(path, &(struct paradl_import_options){.assume = "lama"});
	assert_null(imported.text);
	assert_non_null(strstr(imported.error.message, "no type lama"));
	paradl_arena_free(imported.arena);
}

/* Counted by the classes of transformers: see the head of the file. */
static void parameters_are_those_that_transformers_counts(void **state)
{
	(void)state;
	static char line[4096];
	unsigned count = 0;
	FILE *const file = fopen("tests/data/huggingface/counted.tsv", "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		if (line[0] == '#')
			continue;
		const double parameters = strtod(line, NULL);
		const char *const class = strchr(line, '\t'), *const text =
								      class ? strchr(class + 1, '\t') : NULL;
		assert_non_null(text);
		check_parameters(text, parameters);
		count++;
	}
	fclose(file);
	assert_true(count >= 160);
}

/* Peebles and Xie, 2023, Table 1: DiT-XL/2 takes 118.64 billion multiplications with additions for an image of 256. */
static void diffusion_takes_the_published_work(void **state)
{
	(void)state;
	const struct imported imported =
		import_good("{ \"_class_name\": \"Transformer2DModel\", \"norm_type\": "
			    "\"ada_norm_zero\", \"num_layers\": 28, \"out_channels\": 8 }");
	assert_close(imported.model->forward_flop, 2 * 118.64e9, 5e-4);
	assert_close(imported.model->further_tokens, 0, 0);
	paradl_arena_free(imported.arena);
	const struct imported other =
		import_text("{ \"_class_name\": \"Transformer2DModel\", \"norm_type\": \"layer_norm\" }");
	assert_null(other.text);
	assert_non_null(strstr(other.error.message, "ada_norm_zero"));
	paradl_arena_free(other.arena);
}

/* Every type of the rules is named in the manual page, and its rules are read. */
static void types_are_in_the_manual(void **state)
{
	(void)state;
	static const char *const types[] = {
#define FAMILY(types, ...) types,
#include "import/huggingface.def"
#undef FAMILY
	};
	static char manual[1 << 16];
	FILE *const file = fopen("man/paradl-import.1.scd", "r");
	assert_non_null(file);
	assert_true(fread(manual, 1, sizeof manual - 1, file) > 1000);
	fclose(file);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		char all[256], *rest = all;
		(void)snprintf(all, sizeof all, "%s", types[i]);
		for (const char *type; types[i][0] != '.' && (type = strtok_r(rest, " ", &rest));) {
			char quoted[80];
			(void)snprintf(quoted, sizeof quoted, "*%s*", type);
			if (!strstr(manual, quoted))
				fail_msg("paradl-import(1) does not name the type %s", type);
		}
	}
}

static void numbers_of_python_are_read(void **state)
{
	(void)state;
	check_parameters(
		CONFIG("llama", ", \"time_step_limit\": [0.0, Infinity], \"x\": -Infinity, \"y\": NaN"),
		4 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64 + 2 * 100 * 64);
	struct imported imported = import_text(CONFIG("llama", ", \"head_dim\": Infinity"));
	assert_null(imported.text);
	assert_string_equal(imported.error.pointer, "/head_dim");
	paradl_arena_free(imported.arena);
	imported = import_text(CONFIG("llama", ", \"note\": \"Infinity and NaN\", \"head_dim\": NaN"));
	assert_null(imported.text);
	assert_string_equal(imported.error.pointer, "/head_dim");
	paradl_arena_free(imported.arena);
	imported = import_text("{ \"format\": \"paradl-model\", \"version\": Infinity }");
	assert_null(imported.text);
	assert_non_null(strstr(imported.error.message, "found 'Infinity'"));
	paradl_arena_free(imported.arena);
}

/* A header of eight bytes of length and JSON; the weights themselves are not there. */
static const struct paradl_findings *compare(struct imported *imported, const char *header, size_t claimed)
{
	struct paradl_import_options options = {.weights = "/tmp/paradl-weights.safetensors"};
	FILE *const file = fopen(options.weights, "wb");
	assert_non_null(file);
	for (int i = 0; i < 8; i++)
		fputc((int)(claimed >> 8 * i & 0xff), file);
	fputs(header, file);
	assert_int_equal(fclose(file), 0);
	*imported = (struct imported){.arena = paradl_arena_create()};
	imported->text = paradl_import(imported->arena, "tests/data/huggingface/gpt2.json", &options,
		&imported->findings, &imported->error);
	unlink(options.weights);
	return imported->text ? &imported->findings : NULL;
}

static void weights_are_counted(void **state)
{
	(void)state;
	static const char same[] = "{\"__metadata__\": {\"format\": \"pt\"}, \"a\": {\"dtype\": \"F32\", "
				   "\"shape\": [124439, 1000], \"data_offsets\": [0, 1]}, \"b\": {\"dtype\": "
				   "\"F32\", \"shape\": [808]}}";
	static const char other[] = "{\"a\": {\"dtype\": \"F32\", \"shape\": [2, 124439808]}}";
	struct imported imported;
	const struct paradl_findings *findings = compare(&imported, same, sizeof same - 1);
	assert_non_null(findings);
	assert_non_null(findings->note);
	assert_non_null(strstr(findings->note, "124439808"));
	paradl_arena_free(imported.arena);
	findings = compare(&imported, other, sizeof other - 1);
	assert_non_null(findings);
	assert_true(says(&imported, "has 248879616 parameters, the model 124439808: +100 %"));
	paradl_arena_free(imported.arena);
	assert_null(compare(&imported, same, sizeof same + 100));
	assert_non_null(strstr(imported.error.message, "is no safetensors file"));
	paradl_arena_free(imported.arena);
	assert_null(compare(&imported, same, (size_t)1 << 50));
	paradl_arena_free(imported.arena);
	assert_null(compare(&imported, "{\"a\": 1}", 8));
	paradl_arena_free(imported.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_the_published_ones),
		cmocka_unit_test(parameters_are_those_that_transformers_counts),
		cmocka_unit_test(an_unknown_type_is_read_as_it_is_told),
		cmocka_unit_test(diffusion_takes_the_published_work),
		cmocka_unit_test(types_are_in_the_manual),
		cmocka_unit_test(numbers_of_python_are_read),
		cmocka_unit_test(keys_left_out_have_the_defaults_of_their_class),
		cmocka_unit_test(layers_with_experts_are_those_that_the_keys_name),
		cmocka_unit_test(sequences_are_those_of_the_file_up_to_a_bound),
		cmocka_unit_test(names_and_precision_are_taken_along),
		cmocka_unit_test(what_is_left_out_is_said),
		cmocka_unit_test(little_memory_ends_with_an_error),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(weights_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
