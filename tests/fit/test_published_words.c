/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rows of published results say of how a program ran, and what they leave out. */
#include "test.h"

#include <math.h>
#include <unistd.h>

#include "paradl/fit.h"

static const char *const directories[] = {".", NULL};

static const char header[] =
	"id,set,kind,model,layers,hidden,heads,kv_heads,ffn,gated,experts,topk,moe_ffn,seq,vocab,gpus,gpu,"
	"gpus_per_node,net_gbps_per_gpu,tp,sp,pp,vpp,cp,ep,dp,zero,mbs,gbs,precision,recompute,attn,overlap,"
	"framework,graphs,iter_time_s,primary,complete,source,notes\n";

/* A network of 32 blocks on 8 H100. */
static const char network[] = "r,s,llama,m,32,4096,32,8,14336,1,,,,8192,128256,8,H100-80G,8,400";

struct run {
	struct paradl_arena *arena;
	struct paradl_validation validation;
};

static struct run run_rows(const char *rows)
{
	struct run run = {.arena = paradl_arena_create()};
	const struct paradl_lookup lookup = {.directories = directories};
	struct paradl_error error = {0};
	char path[] = "/tmp/paradl-words-XXXXXX";
	FILE *const file = fdopen(mkstemp(path), "w");
	assert_non_null(file);
	assert_true(fputs(header, file) >= 0 && fputs(rows, file) >= 0);
	assert_int_equal(fclose(file), 0);
	const bool read = paradl_validate(run.arena, path, &lookup, &run.validation, &error);
	unlink(path);
	if (!read)
		fail_msg("%s", error.message);
	return run;
}

static const struct paradl_measured_row *one(
	struct run *run, const char *plan, const char *words, const char *notes)
{
	char row[1024];
	snprintf(row, sizeof row, "%s,%s,%s,1.5,iter_time_s,yes,me,\"%s\"\n", network, plan, words, notes);
	*run = run_rows(row);
	return run->validation.rows;
}

static const char plain[] = "1,n,1,1,1,1,8,1,1,128";

static void words_choose_options_of_the_program(void **state)
{
	(void)state;
	static const struct {
		const char *words, *framework, *unread;
	} cases[] = {
		{"bf16,none,TE fused,TP and DP overlap,NeMo 24.07,none", "nemo-2024", NULL},
		{"bf16,none,TE fused,,NeMo 23.x,", "nemo-2023+flash", NULL},
		{"bf16,none,no-flash,no overlap,NeMo 24.07,",
			"nemo-2024+no-flash+no-overlap-data+no-overlap-tensor", NULL},
		{"bf16,none,,\"TP userbuffers, DP grad-reduce overlap\",Megatron-LM,full iteration",
			"megatron-2021+overlap-tensor+overlap-data+graphs", NULL},
		{"bf16,none,sdpa-flash,\"torch.compile, async TP\",torchtitan (PyTorch FSDP2),",
			"torchtitan+compile+overlap-tensor", NULL},
		{"bf16,none,,EP all-to-all hidden,Megatron-Bridge/NeMo 26.06,none",
			"nemo-bridge+overlap-experts", NULL},
		{"bf16,none,cuDNN,,PyTorch FSDP,eager", "fsdp+no-portable", NULL},
		/* Programs of a family that have no profile of their own */
		{"bf16,none,,,PyTorch FSDP,", "fsdp", NULL},
		{"bf16,none,,,NeMo AutoModel 25.11,", "fsdp", NULL},
		{"bf16,none,,,MegaScale baseline,", "megatron", NULL},
		{"bf16,none,,,PAX,", "xla", NULL},
		{"bf16,none,,,a program,", "nccl", NULL},
		/* Words that nothing is known of */
		{"bf16,none,,\"DP overlap (all), warp drive; no TP\",Megatron-LM,",
			"megatron-2021+overlap-data", "overlap \"warp drive\" not understood"},
		{"bf16,none,,torch.compile,Megatron-LM,", "megatron-2021",
			"overlap \"torch.compile\" no option of megatron-2021"},
		{"fp8-rowwise,none,,,NeMo 24.07,", "nemo-2024",
			"precision \"fp8-rowwise\" taken as fp8-mixed"},
		{"bf16,now and then,,,NeMo 24.07,", "nemo-2024", "recompute \"now and then\" not understood"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct run run;
		const struct paradl_measured_row *const row = one(&run, plain, cases[i].words, "");
		if (row->skipped)
			fail_msg("%s: %s", cases[i].words, row->skipped);
		assert_string_equal(row->framework, cases[i].framework);
		assert_int_equal(row->unread == NULL, cases[i].unread == NULL);
		if (cases[i].unread)
			assert_string_equal(row->unread, cases[i].unread);
		assert_int_equal(run.validation.word_count, cases[i].unread != NULL);
		paradl_arena_free(run.arena);
	}
}

/* Fused attention turned on where the profile has none is faster, and so is overlap. */
static void options_change_the_projection(void **state)
{
	(void)state;
	static const char *const words[] = {"bf16,none,no-flash,no overlap,NeMo 23.x,",
		"bf16,none,TE,no overlap,NeMo 23.x,", "bf16,none,TE,TP and DP overlap,NeMo 23.x,"};
	double before = 1e300;
	for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
		struct run run;
		const struct paradl_measured_row *const row = one(&run, "4,y,1,1,1,1,2,1,1,8", words[i], "");
		assert_null(row->skipped);
		assert_true(row->projected.total_s < before);
		before = row->projected.total_s;
		paradl_arena_free(run.arena);
	}
}

/* Each word that was not understood, and options that are not printed, widen what is claimed: squares add up. */
static void what_is_open_widens_the_likely_error(void **state)
{
	(void)state;
	static const struct {
		const char *plan, *words;
		unsigned open;
	} cases[] = {
		{plain, "bf16,none,TE,,NeMo 25.09,", 0},
		{plain, "bf16,none,TE,warp drive,NeMo 25.09,", 1},
		{plain, "bf16,,TE,\"warp drive, flux\",NeMo 25.09,", 3},
	};
	double claimed = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct run run;
		const struct paradl_measured_row *const row = one(&run, cases[i].plan, cases[i].words, "");
		claimed = i ? claimed : row->error_share;
		/* what is searched makes a plan whose step consists of nearly the same */
		assert_close(row->error_share, sqrt(claimed * claimed + 0.01 * cases[i].open),
			cases[i].open == 3 ? 1e-5 : 1e-12);
		const double inside =
			fabs(row->measured.total_s / row->projected.total_s - 1) <= row->error_share;
		assert_close(run.validation.by_set->inside, inside, 0);
		paradl_arena_free(run.arena);
	}
	assert_true(claimed > 0);
}

static void words_of_notes_are_counted(void **state)
{
	(void)state;
	struct run run;
	const struct paradl_measured_row *row =
		one(&run, plain, "fp8,none,TE,,NeMo 24.07,", "power limited H100");
	assert_string_equal(row->unread, "notes \"power limit\" not modelled");
	assert_int_equal(run.validation.word_count, 1);
	assert_string_equal(run.validation.words[0].column, "notes");
	assert_int_equal(run.validation.words[0].rows, 1);
	paradl_arena_free(run.arena);
}

/* What a plan of a row without a micro-batch, chunks or recomputation is. */
static void blanks_are_searched(void **state)
{
	(void)state;
	struct run run;
	const struct paradl_measured_row *row;
	/* Complete: nothing is searched. */
	row = one(&run, "1,n,4,1,1,1,2,1,1,128", "bf16,none,TE,,NeMo 25.09,", "");
	assert_null(row->incomplete);
	assert_string_equal(row->strategy, "pipeline=4,data=2,micro=1,schedule=1f1b,zero=1,recompute=none");
	assert_close(run.validation.summary.incomplete_mape, -1, 0);
	const double printed_s = row->projected.total_s;
	paradl_arena_free(run.arena);
	/* Two micro-batches of each stage: chunks shorten the bubble. */
	row = one(&run, "1,n,4,,1,1,2,1,1,16", "bf16,none,TE,,NeMo 25.09,", "");
	assert_string_equal(row->incomplete, "vpp");
	assert_non_null(strstr(row->strategy, "schedule=interleaved:"));
	paradl_arena_free(run.arena);
	/* Recomputation only where the memory asks for it. */
	row = one(&run, "1,n,4,1,1,1,2,1,1,128", "bf16,,TE,,NeMo 25.09,", "");
	assert_string_equal(row->incomplete, "recompute");
	assert_non_null(strstr(row->strategy, "recompute=none"));
	assert_close(row->projected.total_s, printed_s, 1e-12);
	assert_int_equal(run.validation.summary.incomplete, 1);
	assert_true(run.validation.summary.incomplete_mape >= 0);
	assert_close(run.validation.summary.complete_mape, -1, 0);
	paradl_arena_free(run.arena);
	row = one(&run, "1,n,1,1,1,1,8,1,4,32", "bf16,,TE,,NeMo 25.09,", "");
	assert_non_null(strstr(row->strategy, "recompute=full"));
	paradl_arena_free(run.arena);
	row = one(&run, "1,n,4,,1,1,2,1,,128", "bf16,,TE,,NeMo 25.09,", "");
	assert_string_equal(row->incomplete, "vpp, mbs, recompute");
	assert_true(row->projected.total_s <= printed_s);
	paradl_arena_free(run.arena);
	/* Sharding is what is usual with the program. */
	row = one(&run, "1,n,1,1,1,1,8,,1,128", "bf16,none,,,PyTorch FSDP,", "");
	assert_string_equal(row->strategy, "data=8,micro=1,zero=3,recompute=none");
	paradl_arena_free(run.arena);
	row = one(&run, "1,n,1,1,1,1,8,,1,128", "bf16,none,,,Megatron-LM,", "");
	assert_string_equal(row->strategy, "data=8,micro=1,recompute=none");
	paradl_arena_free(run.arena);
	/* What is known of a program is no search, but is not printed, either. */
	row = one(&run, "1,n,4,,1,1,2,1,1,128", "bf16,none,TE,,NeMo 24.07,", "");
	assert_string_equal(row->incomplete, "vpp");
	assert_non_null(strstr(row->strategy, "schedule=interleaved:8"));
	paradl_arena_free(run.arena);
}

static void experts_fold_over_context(void **state)
{
	(void)state;
	struct run run =
		run_rows("r,s,moe,m,8,2048,32,4,6144,1,128,8,768,4096,151936,16,H100-80G,8,400,1,n,1,1,4,"
			 "8,4,1,1,64,bf16,none,TE,,NeMo 25.09,,1.5,iter_time_s,yes,me,\n");
	const struct paradl_measured_row *const row = run.validation.rows;
	assert_null(row->skipped);
	assert_string_equal(row->strategy, "expert=4,context=4,micro=1,zero=1,recompute=none");
	assert_non_null(strstr(row->unread, "ep \"over the context axis\""));
	paradl_arena_free(run.arena);
}

static void skipped_rows_are_told_apart(void **state)
{
	(void)state;
	char rows[2048];
	snprintf(rows, sizeof rows,
		"%s,%s,bf16,none,TE,,NeMo 24.07,,12.9,iter_time_s,yes,me,\n"
		"q,s,llama,m,32,4096,32,8,14336,1,,,,8192,128256,8,no device,8,400,%s,bf16,none,TE,,NeMo "
		"24.07,,12.9,iter_time_s,yes,me,\n",
		network, plain, plain);
	struct run run = run_rows(rows);
	const struct paradl_score *const set = run.validation.by_set;
	assert_int_equal(set->skipped, 1);
	assert_close(set->mape, (set->projected_mape + 100) / 2, 1e-9);
	assert_close(set->projected_mape, set->complete_mape, 0);
	paradl_arena_free(run.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_choose_options_of_the_program),
		cmocka_unit_test(options_change_the_projection),
		cmocka_unit_test(what_is_open_widens_the_likely_error),
		cmocka_unit_test(words_of_notes_are_counted),
		cmocka_unit_test(blanks_are_searched),
		cmocka_unit_test(experts_fold_over_context),
		cmocka_unit_test(skipped_rows_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
