/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges by what the measuring programs themselves saw, such as clocks held down or more ranks than processors, and
 * repeats their warnings when they began, such as of a library that does not know the processor.
 */
#include <string.h>

#include "base/quantity.h"
#include "fit/verdict/verdict.h"

static void judge_flag(struct calibration *calibration, const char *flag, const char *what, const char *check)
{
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < set->count; ++i)
		if (sample_flagged(&set->points[i], flag) && count++ == 0)
			first = &set->points[i];
	if (!first)
		return;
	const char *where = arena_printf(calibration->arena, "%s:%d", first->launch->file, first->line);
	const struct verdict_head head = {PARADL_SUSPECT, flag, where, check};
	verdict_say(calibration, &head, "%zu of %zu points were measured %s", count, set->count, what);
}

/* Returns the highest clock in MHz that a device says it has; 0: it does not say. */
static double most_clock_mhz(const struct sample_launch *launch)
{
	double megahertz = 0;
	const char *end;
	for (unsigned i = 0; i < launch->environment_count; ++i) {
		const struct sample_parameter *const value = &launch->environment[i];
		if (strcmp(value->name, "sm_clock_most") == 0 && value->text)
			decimal_read(value->text, 0, &megahertz, &end);
	}
	return megahertz;
}

/*
 * Judges whether clocks were set below the device's highest, by the highest clock of all points: during streams and
 * launches, which draw little power, the device runs at its highest clock unless it was set lower. Nothing is judged
 * here where points were flagged as throttled or at the power limit, which judge_flag does.
 */
static void judge_clocks(struct calibration *calibration)
{
	static const double set_share = 0.95;
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *fastest = NULL;
	for (size_t i = 0; i < set->count; ++i) {
		const struct sample_point *const point = &set->points[i];
		if (sample_flagged(point, "throttled") || sample_flagged(point, "power-cap"))
			return;
		if (point->clock_mhz > 0 && (!fastest || point->clock_mhz > fastest->clock_mhz))
			fastest = point;
	}
	if (!fastest)
		return;
	const double most = most_clock_mhz(fastest->launch);
	if (!(most > 0) || fastest->clock_mhz > set_share * most)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "clocks-locked", point_place(calibration, fastest),
		"nvidia-smi -q -d CLOCK; nvidia-smi -rgc takes limits off. Is that how jobs run?"};
	verdict_say(calibration, &head,
		"multiprocessors ran at %.0f MHz at most, where the device has %.0f MHz", fastest->clock_mhz,
		most);
}

/* Judges lost processes and ranks: each is a fault of the machine, although its point was measured after that. */
static void judge_lost(struct calibration *calibration)
{
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < set->count; ++i)
		if (set->points[i].again && count++ == 0)
			first = &set->points[i];
	if (!first)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "lost", point_place(calibration, first),
		"what ended the process: the log of the job, dmesg (memory, Xid errors of GPUs), the host "
		"that it ran on"};
	verdict_say(calibration, &head,
		"at %zu point%s a program or one of its ranks was lost, which then measured again; the first "
		"time: %s",
		count, count == 1 ? "" : "s", first->failed);
}

static void judge_oversubscribed(struct calibration *calibration)
{
	const struct sample_set *set = calibration->cells->set;
	for (size_t i = 0; i < set->launch_count; ++i) {
		const struct sample_launch *launch = set->launches[i];
		for (unsigned k = 0; k < launch->environment_count; ++k) {
			const struct sample_parameter *value = &launch->environment[k];
			if (strcmp(value->name, "oversubscribed") != 0 || !value->text ||
				!strcmp(value->text, "0"))
				continue;
			const struct verdict_head head = {PARADL_SUSPECT, "oversubscribed", launch->file,
				"as many ranks as cores; such times hold waiting for a processor, not for "
				"the network"};
			verdict_say(calibration, &head, "launch %s ran more ranks than there are processors",
				launch->id);
			return;
		}
	}
	judge_flag(
		calibration, "oversubscribed", "with more ranks than processors", "as many ranks as cores");
}

/*
 * Judges by the share of points during which other processes took the processor. Times of such points are those of
 * their least disturbed samples: as good as others where few points are disturbed, but where many are, no sample is
 * undisturbed.
 */
static void judge_contended(struct calibration *calibration)
{
	static const double few = 0.2;
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *first = NULL;
	size_t count = 0, measured = 0;
	for (size_t i = 0; i < set->count; ++i) {
		measured += set->points[i].count > 0;
		if (sample_flagged(&set->points[i], "contended") && count++ == 0)
			first = &set->points[i];
	}
	if (!first)
		return;
	const bool most = (double)count > few * (double)measured;
	const struct verdict_head head = {most ? PARADL_BAD : PARADL_SUSPECT, "contended",
		point_place(calibration, first),
		"what else ran: top, other users, other jobs; measure again when the machine is idle"};
	verdict_say(calibration, &head,
		"%zu of %zu points were measured while other processes took the processor", count, measured);
	if (most)
		verdict_refuses(calibration);
}

void judge_seen(struct calibration *calibration)
{
	judge_flag(calibration, "throttled", "while clocks were held down",
		"power limits, temperature and reasons of throttling: nvidia-smi -q -d "
		"PERFORMANCE,TEMPERATURE");
	judge_flag(calibration, "power-cap", "at the power limit",
		"nvidia-smi -q -d POWER: what takes long reaches the limit of most devices, what is short "
		"does not");
	judge_clocks(calibration);
	judge_flag(calibration, "stolen", "while the host gave the processor to other machines",
		"a machine of its own, or another hour");
	judge_lost(calibration);
	judge_contended(calibration);
	judge_oversubscribed(calibration);
}

/* Returns the warning of a launch; NULL: there was none. */
static const char *warning_of(const struct sample_launch *launch)
{
	for (unsigned i = 0; i < launch->environment_count; ++i)
		if (strcmp(launch->environment[i].name, "warning") == 0)
			return launch->environment[i].text;
	return NULL;
}

static bool is_repeated(const struct sample_set *set, size_t index)
{
	for (size_t i = 0; i < index; ++i) {
		const char *before = warning_of(set->launches[i]);
		if (before && strcmp(before, warning_of(set->launches[index])) == 0)
			return true;
	}
	return false;
}

void judge_warned(struct calibration *calibration)
{
	const struct sample_set *set = calibration->cells->set;
	for (size_t i = 0; i < set->launch_count; ++i) {
		const char *warning = warning_of(set->launches[i]);
		if (!warning || is_repeated(set, i))
			continue;
		const struct verdict_head head = {PARADL_SUSPECT, "warned", set->launches[i]->file,
			"mend it and calibrate again, or train with the same setting: numbers hold for that "
			"only"};
		verdict_say(calibration, &head, "%s: %s", set->launches[i]->program, warning);
	}
}
