/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prompts on their way to an engine (symbols of serving.c). With each step of t seconds e answers end (Poisson). The
 * next prompts of their clients come after h, exponential, so that a prompt on its way at the start of a step of T
 * seconds comes in it with probability 1 - exp(-T / h). While prompts are read many others come, but while they are
 * read alone no answer ends: prompts come in waves. A wave is J quiet steps, in the last of which m0 come, and a busy
 * time in which the m - m0 that come until it is over are read as well.
 *     J       sum over j of exp(-e j + (e / p - r) (1 - exp(-j t / h))), p = 1 - exp(-t / h), if r are left on their way
 *             at its start; where t is short 1F1(1; q + 1; q - r) / e steps, q = e h / t
 *     m       e J / (1 - u), where u answers end for each prompt that is read (0 if read alone)
 *     r       u h / s + (e J - m0) / (exp(m s / h) - 1), where a prompt is read in s
 * Each of J and m follows from the other. Conservation of N (N - 1) and N V, of N prompts on their way and V seconds of
 * reading that are left, then says exactly what a prompt takes from the end of an answer until it is read, h included:
 *     A       ((m0 / m) (e s + t (1 - u)) / p + s max(e, u) / 2) / (1 - u)
 * It is what a queue of Poisson arrivals has (Pollaczek and Khinchine) for long h, and e + f prompts for short h. A step
 * that reads several gives none its token before the last: half of the others of a step are more to wait for.
 *     A prompt that takes several steps beside others is read in s = P + t / k, and u = e / k. Where a step has room for
 * several, y of them make it t + y P long; conservation of N (N - 1) gives, with N at the start of a step,
 *     A       N (t + e P) / e + P (e + C / (2 e)), where y varies by C more than e
 * N and C are found from waves as above whose busy times are followed step by step, and from small disturbances of
 * the mean: with E = exp(-t / h - e (1 - exp(-P / h))) and g = e E (1 - exp(-P / h)) / (1 - E),
 *     C       2 g^2 e / ((1 - g) (1 + E + 2 g))
 * Each leaves out what the other has; the larger holds. Both need answers that end independently; requests that began
 * together, and are apart by a share of their length only, have that share of what both add to the plain mean.
 */
#include "oracle/serving_arrivals.h"

#include <math.h>

enum { TERMS = 4000, ROUNDS = 40, STAGES = 8, WAVES = 6, WAVE_STEPS = 60 };
static const double exact = 1e-6, seldom = 1e-3;
static const double short_step = 0.3; /* steps over h from which on J is a sum of steps */
static const double fullest =
	0.98; /* share of time that is taken at most: on the way to a solution there may be more */
static const double few_ends = 2; /* answers that end with a step from which on hardly any step is quiet */

double arrivals_away_s(double step_s, double host_s)
{
	return host_s > 0 && step_s > 0 ? step_s / -expm1(-step_s / host_s) : step_s;
}

/* Steps without prompts on average, until some are there at the end of one; and these. */
struct quiet {
	double steps, first;
};

/* Returns quiet steps at whose start `left` prompts are on their way; `ratio` is t / h. */
static struct quiet quiet_of(double ends, double ratio, double left)
{
	const double comes = -expm1(-ratio), more = ends / comes - left;
	struct quiet quiet = {0, 0};
	if (ratio < short_step) {
		double term = 1, sum = 1;
		for (unsigned n = 1; fabs(term) > exact * fabs(sum) && n < TERMS; ++n) {
			term *= more / (ends / ratio + n);
			sum += term;
		}
		const double come = ends / sum; /* prompts that come in a step, as if as many in each */
		quiet.steps = 1 / -expm1(-come);
		quiet.first = come * quiet.steps;
		return quiet;
	}
	double stays = 1, lasts = 1, j = 0;
	while (stays > exact) {
		lasts = exp(-ends * j + more * (1 - stays));
		quiet.steps += lasts;
		quiet.first += lasts * (ends * (1 - stays) + comes * left * stays);
		stays *= 1 - comes;
		++j;
	}
	lasts = exp(-ends * j + more) /
		-expm1(-ends); /* of all others: the same number of prompts is on its way */
	quiet.steps += lasts;
	quiet.first += lasts * ends;
	return quiet;
}

/* A wave of prompts that are read one after the other, each in service_s, while `load` answers end. */
struct wave {
	double service_s, load;
	double prompts;     /* m */
	struct quiet quiet; /* J and m0 */
};

/* Fills the quiet time of a wave of so many prompts; returns how many more it brings. */
static double wave_brings(const struct arrivals *arrivals, double prompts, struct wave *wave)
{
	const double host_s = arrivals->host_s, ended = prompts * (1 - wave->load);
	const double left = fmax(0, ended - 1) / expm1(prompts * wave->service_s / host_s);
	wave->quiet = quiet_of(arrivals->ends, arrivals->step_s / host_s,
		wave->load * host_s / wave->service_s + (isfinite(left) ? left : 0));
	return arrivals->ends * wave->quiet.steps - ended;
}

/*
 * Finds how many prompts a wave has by false position, where the end that stays twice counts half (Illinois): the more
 * it has, the fewer it leaves, and the longer is it quiet.
 */
static void wave_solve(const struct arrivals *arrivals, struct wave *wave)
{
	const double queue = 1 + arrivals->ends * wave->service_s / arrivals->step_s; /* m, if h is long */
	double low = 1, high = 3 * (queue / (1 - wave->load) + arrivals->ends);
	double above = wave_brings(arrivals, low, wave), below = wave_brings(arrivals, high, wave);
	wave->prompts = above > 0 ? high : low;
	for (unsigned i = 0; i < ROUNDS && above > 0 && below < 0; ++i) {
		const double before = wave->prompts;
		wave->prompts = high - below * (high - low) / (below - above);
		const double brings = wave_brings(arrivals, wave->prompts, wave);
		*(brings > 0 ? &low : &high) = wave->prompts;
		*(brings > 0 ? &above : &below) = brings;
		*(brings > 0 ? &below : &above) /= 2;
		if (fabs(wave->prompts - before) <= exact * before)
			break;
	}
}

/*
 * Fills how many prompts a step of a wave reads, and returns how many others a prompt shares its step with: those that
 * come while the step before takes its time.
 */
static double wave_stages(const struct arrivals *arrivals, const struct wave *wave, struct meeting *meeting)
{
	const double room = fmax(1, arrivals->room), first = fmin(wave->quiet.first, wave->prompts);
	double left = wave->prompts - first, now = first, stages = 1,
	       others = first * fmin(room - 1, 2 * (first - 1));
	double away = left > 0 ? left / -expm1(-wave->prompts * wave->service_s / arrivals->host_s) : 0;
	for (unsigned i = 1; i <= STAGES && left > 0.01 * wave->prompts; ++i) {
		now = i < STAGES ? fmin(left, away * -expm1(-now * wave->service_s / arrivals->host_s))
				 : left;
		away -= now;
		left -= now;
		others += now * fmin(room - 1, now);
		stages += now > room ? now / room : -expm1(-now);
	}
	meeting->together = wave->prompts / stages;
	return others / wave->prompts;
}

/* Fills a meeting of prompts of which one is read after the other. */
static void in_turn(const struct arrivals *arrivals, double service_s, double load, struct meeting *meeting)
{
	const double ends = arrivals->ends, step_s = arrivals->step_s, host_s = arrivals->host_s;
	struct wave wave = {.service_s = service_s, .load = fmin(fullest, load)};
	wave_solve(arrivals, &wave);
	const double found = fmin(1, wave.quiet.first / wave.prompts), used = 1 - wave.load;
	meeting->steps = found / -expm1(-step_s / host_s);
	meeting->rest_s = found * (arrivals_away_s(step_s, host_s) - host_s);
	const double starts_s = (meeting->steps * (ends * service_s + step_s * used) +
					service_s * fmax(ends, wave.load) / 2) /
				used;
	const double wait_s = fmax(0, starts_s - host_s - meeting->rest_s);
	const double others = wave_stages(arrivals, &wave, meeting);
	meeting->prompts = wave.prompts;
	meeting->waits = others / 2 + (arrivals->prompt_s > 0 ? wait_s / arrivals->prompt_s : 0);
}

/* Fills a meeting of prompts whose answers ended in one step, where nothing else counts. */
static bool at_once(const struct arrivals *arrivals, struct meeting *meeting)
{
	const double ends = arrivals->ends, all = 1 + ends;
	if (arrivals->host_s > 0 && arrivals->step_s > 0 && ends > 0)
		return false;
	*meeting = (struct meeting){.prompts = all,
		.together = all,
		.waits = (all + fmin(all, fmax(1, arrivals->room))) / 2 - 1,
		.rest_s = arrivals->host_s > 0 ? fmax(0, arrivals_away_s(arrivals->step_s, arrivals->host_s) -
								 arrivals->host_s)
					       : 0,
		.steps = 1};
	return true;
}

void arrivals_alone(const struct arrivals *arrivals, struct meeting *meeting)
{
	if (!at_once(arrivals, meeting))
		in_turn(arrivals, arrivals->prompt_s, 0, meeting);
}

/* Prompts on their way, and how much more those of a step vary than by themselves: N and C. */
struct state {
	double away, varies;
};

/* Sums over the steps of a wave. */
struct sums {
	double steps, away, prompts, squares, left;
};

/* Adds the steps of a busy time, on average, which begins with `first` prompts, and `away` that are on their way. */
static void busy_add(const struct arrivals *arrivals, double first, double away, struct sums *sums)
{
	double now = first, square = first * (2 * first - 1), share = 1;
	for (unsigned i = 0; i < WAVE_STEPS && share > seldom; ++i) {
		const double step_s = arrivals->step_s + now * arrivals->prompt_s;
		const double come = away * -expm1(-step_s / arrivals->host_s), any = -expm1(-come);
		sums->steps += share;
		sums->away += share * away;
		sums->prompts += share * now;
		sums->squares += share * square;
		away += arrivals->ends - come;
		sums->left += share * (1 - any) * away;
		share *= any;
		now = come / any;
		square = (come * come + come) / any;
	}
	sums->left /= fmax(seldom, 1 - share);
}

/* Returns N and C of waves. */
static struct state waves_of(const struct arrivals *arrivals)
{
	const double ends = arrivals->ends, ratio = arrivals->step_s / arrivals->host_s,
		     comes = -expm1(-ratio);
	struct sums sums = {.left = ends / comes};
	for (unsigned i = 0; i < WAVES; ++i) {
		const struct quiet quiet = quiet_of(ends, ratio, sums.left);
		const double away = sums.left + ends * quiet.steps - quiet.first;
		sums = (struct sums){.steps = quiet.steps, .away = quiet.first / comes};
		busy_add(arrivals, quiet.first, away, &sums);
	}
	return (struct state){sums.away / sums.steps, sums.squares / sums.steps - ends * ends - ends};
}

/* Returns N and C of small disturbances of the mean. */
static struct state disturbed_of(const struct arrivals *arrivals)
{
	const double ends = arrivals->ends, more = -expm1(-arrivals->prompt_s / arrivals->host_s);
	const double stays = exp(-arrivals->step_s / arrivals->host_s - ends * more);
	const double away = ends / (1 - stays), gain = away * stays * more;
	const double varies = 2 * gain * gain * ends / ((1 - gain) * (1 + stays + 2 * gain));
	return (struct state){away + stays * more * varies * (1 + away * more) / (2 * (1 - stays)), varies};
}

void arrivals_beside(const struct arrivals *arrivals, struct meeting *meeting)
{
	const double ends = arrivals->ends, step_s = arrivals->step_s, prompt_s = arrivals->prompt_s;
	if (at_once(arrivals, meeting))
		return;
	if (arrivals->room < 1) {
		in_turn(arrivals, prompt_s + step_s / arrivals->room, ends / arrivals->room, meeting);
		return;
	}
	const double mean_s = step_s + ends * prompt_s,
		     plain = arrivals_away_s(mean_s, arrivals->host_s) * ends / mean_s;
	struct state state = disturbed_of(arrivals);
	if (ends < few_ends) {
		const struct state waves = waves_of(arrivals);
		state = (struct state){fmax(state.away, waves.away), fmax(state.varies, waves.varies)};
	}
	state.away = plain + arrivals->parted * (state.away - plain);
	state.varies *= arrivals->parted;
	const double all = 1 + ends + state.varies / ends;
	*meeting = (struct meeting){.prompts = 1 + ends,
		.together = all,
		.waits = (all + fmin(all, arrivals->room)) / 2 - 1,
		.rest_s = fmax(
			0, (mean_s * state.away - prompt_s * state.varies / 2) / ends - arrivals->host_s),
		.steps = 1};
}

double arrivals_at_once_s(double clients, double together, double prompt_s, double host_s, double reads_s)
{
	const double load = host_s > 0 ? clients * prompt_s / host_s : HUGE_VAL;
	if (!isfinite(load))
		return (clients + together) / 2 * prompt_s - reads_s;
	if (!(load > 1))
		return 0;
	double lasts = load;
	for (unsigned i = 0; i < ROUNDS; ++i)
		lasts = -load * expm1(-lasts);
	const double wait_s = host_s * lasts * (1 - 1 / load - lasts / (2 * load));
	const double others = fmin(together, clients - 1); /* the first is read alone */
	return wait_s + lasts / load * (others * prompt_s / 2 - reads_s);
}

struct balanced arrivals_balanced(double joined, double rate, double longest_s)
{
	const double most = rate * longest_s; /* prompts that come in that time, on average */
	double share = exp(-most), fewer = share,
	       waits = 0; /* Poisson: shares of exactly, and of at most k of these */
	if (!(most > 0))
		return (struct balanced){1, 0};
	for (unsigned k = 1; k < joined; ++k) {
		waits += 1 - fewer; /* the k-th comes in time, after 1 / rate on average */
		share *= most / k;
		fewer += share;
	}
	const double others = fmin(waits, joined - 1);
	return (struct balanced){1 + others, others / rate * (1 + others / 2) / (1 + others)};
}
