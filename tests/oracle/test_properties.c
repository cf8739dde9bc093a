/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every plan of every network: random plans of shipped models under shipped frameworks. */
#include "oracle/shipped.h"

struct subject {
	struct paradl_oracle *oracle;
	const char *model, *framework;
	bool ideal;
};

static void subject_begin(
	struct subject *subject, struct setup *setup, unsigned index, const struct paradl_machine *machine)
{
	subject->model = shipped_models[index % SHIPPED_MODELS];
	subject->framework = shipped_frameworks[index / SHIPPED_MODELS % SHIPPED_FRAMEWORKS];
	subject->ideal = index / SHIPPED_MODELS == SHIPPED_FRAMEWORKS;
	subject->oracle = setup_oracle(setup, shipped_model(setup, subject->model), machine,
		shipped_framework(setup, subject->framework), subject->ideal);
}

enum { SUBJECTS = SHIPPED_MODELS * (SHIPPED_FRAMEWORKS + 1) }; /* the last ones are ideal */

static void fail_for(const struct subject *subject, const struct paradl_plan *plan, const char *what)
{
	char text[128];
	paradl_plan_format(plan, text, sizeof text);
	fail_msg("%s on %s%s, %s, micro %g, batch %g: %s", subject->model, subject->framework,
		subject->ideal ? " (ideal)" : "", text, plan->micro, plan->batch, what);
}

static void one_device_says_nothing(void **state)
{
	struct setup *const setup = *state;
	for (unsigned i = 0; i < SUBJECTS; ++i) {
		struct subject subject;
		subject_begin(&subject, setup, i, shipped_machine(setup, 1, 1));
		const struct paradl_plan plan = setup_plan("serial", 32);
		const struct paradl_estimate got = setup_estimate(subject.oracle, &plan);
		assert_true(
			got.communication_s <= 0 && got.waiting_s <= 0 && got.phase_s[PARADL_BUBBLE] <= 0);
		assert_close(got.iteration_s, got.compute_s, 1e-12);
		assert_close(got.iteration_quiet_s, got.compute_s, 1e-12);
		assert_int_equal(got.devices, 1);
		assert_false(got.uneven);
	}
}

static void assert_same(const struct paradl_estimate *one, const struct paradl_estimate *two)
{
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
		assert_close(one->phase_s[i], two->phase_s[i], 0);
	assert_close(one->iteration_s, two->iteration_s, 0);
	assert_close(one->iteration_quiet_s, two->iteration_quiet_s, 0);
	assert_close(one->memory_bytes, two->memory_bytes, 0);
	assert_close(one->energy_joule_per_epoch, two->energy_joule_per_epoch, 0);
}

/* Where axes that are not cut stand in the order, and whether they are written at all. */
static void axes_of_degree_one_do_not_matter(void **state)
{
	struct setup *const setup = *state;
	static const char *const same[][3] = {
		{"data=16", "filter=1,data=16,spatial=1x1", "data=16,pipeline=1,channel=1"},
		{"data=4,filter=4", "spatial=1,data=4,channel=1,filter=4",
			"pipeline=1,data=4,spatial=1,filter=4"},
		{"data=4,spatial=2x2", "data=4,filter=1,spatial=2x2",
			"channel=1,pipeline=1,data=4,spatial=2x2x1"},
		{"pipeline=4", "data=1,pipeline=4,filter=1", "filter=1,channel=1,pipeline=4"}};
	unsigned ran = 0;
	for (unsigned i = 0; i < SUBJECTS; ++i) {
		struct subject subject;
		subject_begin(&subject, setup, i, shipped_machine(setup, 1, 1));
		for (unsigned k = 0; k < 4; ++k) {
			struct paradl_estimate estimates[3];
			bool runs[3];
			for (unsigned m = 0; m < 3; ++m) {
				const struct paradl_plan plan = setup_plan(same[k][m], 256);
				runs[m] = paradl_estimate(subject.oracle, &plan, &estimates[m], NULL);
				assert_int_equal(runs[m], runs[0]);
				if (runs[m])
					assert_same(&estimates[m], &estimates[0]);
			}
			ran += runs[0];
		}
	}
	assert_true(ran > 3 * SUBJECTS); /* volumes of one row at the end cannot be cut spatially */
}

static bool sane(double value)
{
	return isfinite(value) && value >= 0;
}

static const char *insane(const struct paradl_estimate *got)
{
	double sum = 0, known = got->memory.weights_bytes + got->memory.gradients_bytes +
				got->memory.optimizer_bytes + got->memory.activations_bytes +
				got->memory.workspace_bytes + got->memory.fragmentation_bytes;
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i) {
		if (!sane(got->phase_s[i]))
			return paradl_phase_name((enum paradl_phase)i);
		sum += got->phase_s[i];
	}
	if (!sane(got->compute_s) || !sane(got->communication_s) || !sane(got->exposed_communication_s) ||
		!sane(got->waiting_s) || !sane(got->iteration_s) || !sane(got->iteration_quiet_s) ||
		!sane(got->epoch_s))
		return "a time";
	if (!sane(got->memory_bytes) || !sane(got->memory.activations_bytes) || !sane(got->samples_per_s) ||
		!sane(got->flop_per_s_per_device) || !isfinite(got->energy_joule_per_epoch) ||
		!isfinite(got->cost_per_epoch))
		return "memory, a rate or energy";
	if (!(got->mfu >= 0 && got->mfu <= 1) ||
		!(got->limited_by.share >= 0 && got->limited_by.share <= 1 + 1e-9))
		return "a share";
	const double hidden = got->communication_s - got->exposed_communication_s;
	if (fabs(sum - hidden - got->iteration_s) > 1e-9 * got->iteration_s ||
		hidden < -1e-9 * got->iteration_s)
		return "the phases do not add up";
	if (fabs(known - got->memory_bytes) > 1e-9 * known || got->iteration_quiet_s > got->iteration_s)
		return "memory or quiet";
	if (!got->limited_by.text || !got->limited_by.improve)
		return "a text is missing";
	const bool waits = strstr(got->limited_by.text, "waiting for the slowest") != NULL;
	return waits && got->limited_by.share * got->iteration_s > got->exposed_communication_s * (1 + 1e-9)
		       ? "it is limited by waiting that compute hides"
		       : NULL;
}

/* Mostly small, some of a few thousand devices; a few, whose schedules take long to tell, of 30,000. */
static unsigned most_devices(unsigned trial)
{
	if (trial % 50 == 1)
		return 30000;
	return trial % 2 ? 3000 : 1024;
}

/* Up to 30,000 devices and 10^9 samples: finite, not negative, and the parts make the whole. */
static void estimates_are_sane(void **state)
{
	struct setup *const setup = *state;
	const unsigned cases = takes_all() ? 1500 : 300;
	struct random random = {71};
	unsigned ran = 0;
	for (unsigned i = 0; i < SUBJECTS; ++i) {
		struct subject subject;
		subject_begin(&subject, setup, i, shipped_machine(setup, 1, 1));
		for (unsigned k = 0; k < cases; ++k) {
			struct paradl_plan plan = shipped_plan(&random, most_devices(k));
			if (k % 3 == 0)
				plan.batch = random_between(&random, 1, 1000000000);
			struct paradl_estimate estimate;
			struct paradl_error error = {0};
			if (!paradl_estimate(subject.oracle, &plan, &estimate, &error)) {
				assert_int_equal(error.status, PARADL_INFEASIBLE);
				assert_true(*error.message && *error.hint);
				continue;
			}
			const char *const what = insane(&estimate);
			if (what)
				fail_for(&subject, &plan, what);
			ran++;
		}
	}
	assert_true(3 * ran > SUBJECTS * cases);
}

/* Faster links or shorter latencies never make a plan slower; nor does a larger batch make an iteration faster. */
static void faster_networks_are_not_slower(void **state)
{
	struct setup *const setup = *state;
	struct random random = {72};
	for (unsigned i = 0; i < SUBJECTS; ++i) {
		struct subject subjects[4];
		subject_begin(&subjects[0], setup, i, shipped_machine(setup, 1, 1));
		subject_begin(&subjects[1], setup, i, shipped_machine(setup, 1, 2));
		subject_begin(&subjects[2], setup, i, shipped_machine(setup, 0.5, 1));
		subject_begin(&subjects[3], setup, i, shipped_machine(setup, 0.1, 10));
		for (unsigned k = 0; k < (takes_all() ? 400 : 100); ++k) {
			struct paradl_plan plan = shipped_plan(&random, 1024);
			struct paradl_estimate usual, other;
			plan.degree[PARADL_PIPELINE] = 1; /* their cuts follow their times */
			if (!paradl_estimate(subjects[0].oracle, &plan, &usual, NULL))
				continue;
			for (unsigned m = 1; m < 4; ++m) {
				other = setup_estimate(subjects[m].oracle, &plan);
				if (other.iteration_s > usual.iteration_s * (1 + 1e-12))
					fail_for(&subjects[m], &plan, "a faster network is slower");
			}
			if (plan.degree[PARADL_SPATIAL] > 1)
				continue; /* messages through the host: a size that is slower than larger ones was measured */
			plan.micro = 0;
			usual = setup_estimate(subjects[0].oracle, &plan);
			plan.batch += random_between(&random, 1, 500);
			other = setup_estimate(subjects[0].oracle, &plan);
			if (other.iteration_s < usual.iteration_s * (1 - 1e-12) ||
				other.memory_bytes < usual.memory_bytes * (1 - 1e-12))
				fail_for(&subjects[0], &plan, "a larger batch takes less time or memory");
		}
	}
}

/* ceil(batch / data) samples on the fullest replica: the batch that fills every replica so takes as long. */
static void the_fullest_replica_counts(void **state)
{
	struct setup *const setup = *state;
	struct random random = {73};
	for (unsigned i = 0; i < SHIPPED_MODELS * SHIPPED_FRAMEWORKS; ++i) {
		struct subject subject;
		subject_begin(&subject, setup, i, shipped_machine(setup, 1, 1));
		for (unsigned k = 0; k < 50; ++k) {
			const unsigned data = random_between(&random, 2, 40),
				       batch = random_between(&random, data, 2000);
			const unsigned fullest = (batch + data - 1) / data;
			struct paradl_plan plan = setup_plan("serial", batch);
			plan.degree[PARADL_DATA] = data;
			const struct paradl_estimate got = setup_estimate(subject.oracle, &plan);
			plan.batch = fullest * data;
			const struct paradl_estimate full = setup_estimate(subject.oracle, &plan);
			assert_close(got.iteration_s, full.iteration_s, 1e-12);
			assert_close(got.memory_bytes, full.memory_bytes, 1e-12);
			assert_close(got.local_batch, fullest, 0);
			assert_int_equal(got.uneven, fullest * data != batch);
			assert_false(full.uneven);
			assert_close(got.samples_per_s, batch / got.iteration_s, 1e-12);
		}
	}
}

/* More replicas of one batch: less memory each, down to a sample. */
static void replicas_hold_less(void **state)
{
	struct setup *const setup = *state;
	for (unsigned i = 0; i < SUBJECTS; ++i) {
		struct subject subject;
		double before = HUGE_VAL;
		subject_begin(&subject, setup, i, shipped_machine(setup, 1, 1));
		for (unsigned p = 2; p <= 1024; p *= 2) {
			struct paradl_plan plan = setup_plan("serial", 1024);
			plan.degree[PARADL_DATA] = p;
			const struct paradl_estimate got = setup_estimate(subject.oracle, &plan);
			assert_true(got.memory_bytes < before && got.memory.activations_bytes > 0);
			before = got.memory_bytes;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(one_device_says_nothing),
		setup_test(axes_of_degree_one_do_not_matter),
		setup_test(estimates_are_sane),
		setup_test(faster_networks_are_not_slower),
		setup_test(the_fullest_replica_counts),
		setup_test(replicas_hold_less),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
