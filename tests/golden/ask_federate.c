/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Federated rounds: clients that train by themselves and send weights to a server. */
#include "golden/golden.h"
#include "paradl/study.h"

#include <stdio.h>

enum { QUESTIONS_EACH = 5, GROUPS_MOST = 3 };

struct inquiry {
	struct paradl_client_group groups[GROUPS_MOST];
	struct paradl_federation federation;
	const char *schemes;
	char words[512];
};

static void group_draw(struct draw *draw, struct paradl_client_group *group, unsigned index)
{
	static const char *const names[GROUPS_MOST] = {"phones", "laptops", "servers"};
	static const char *const devices[] = {"laptop-gpu-6gb", "t4-16gb", "a100-sxm4-40gb", "rtx-4090-24gb"};
	*group = (struct paradl_client_group){.name = names[index]};
	group->count = draw_between(draw, 1, 40);
	if (draw_chance(draw, 40))
		group->samples = draw_between(draw, 100, 5000);
	if (draw_chance(draw, 40))
		group->device = DRAW_FROM(draw, devices);
	if (draw_chance(draw, 30))
		group->speed = draw_real(draw, 0.1, 2);
	if (draw_chance(draw, 20))
		group->sample_s = draw_real(draw, 1e-4, 1e-2);
	group->up_bytes_per_s = draw_real(draw, 1e6, 2e7);
	group->down_bytes_per_s = draw_real(draw, 1e6, 1e8);
	group->lan_bytes_per_s = draw_real(draw, 1e7, 1e9);
	if (draw_chance(draw, 20))
		group->memory_bytes = 1e9 * draw_between(draw, 1, 16);
}

static void inquiry_draw(struct draw *draw, struct inquiry *inquiry)
{
	static const char *const schemes[] = {NULL, "fedavg", "fedavg,feddct:2", "feddct:4,cadis,fedprox",
		"model-exchange:2,fedavg", "splitfed,fedavg", "model-exchange"};
	struct paradl_federation *const federation = &inquiry->federation;
	const unsigned groups = draw_between(draw, 1, GROUPS_MOST);
	*inquiry = (struct inquiry){.schemes = DRAW_FROM(draw, schemes)};
	for (unsigned i = 0; i < groups; ++i)
		group_draw(draw, &inquiry->groups[i], i);
	federation->clients = (struct paradl_clients){.name = "", .groups = inquiry->groups, .count = groups};
	if (draw_chance(draw, 70))
		federation->batch = draw_between(draw, 1, 64);
	if (draw_chance(draw, 50))
		federation->epochs = draw_between(draw, 1, 5);
	if (draw_chance(draw, 40))
		federation->participants = draw_between(draw, 1, (unsigned)inquiry->groups[0].count);
	if (draw_chance(draw, 60))
		federation->server_bytes_per_s = draw_real(draw, 1e7, 1e9);
	if (draw_chance(draw, 30))
		federation->server_devices = draw_between(draw, 1, 8);
	if (draw_chance(draw, 30))
		federation->rounds = draw_between(draw, 1, 500);
	if (draw_chance(draw, 30))
		federation->deadline_s = 3600.0 * draw_between(draw, 1, 100);
	federation->exchange = (enum paradl_exchange_route)draw_between(draw, 0, PARADL_EXCHANGE_COUNT - 1);
	snprintf(inquiry->words, sizeof inquiry->words,
		"%s groups=%u count=%g samples=%g device=%s up=%.0f batch=%g epochs=%g participants=%g "
		"server=%.0f",
		inquiry->schemes ? inquiry->schemes : "all", groups, inquiry->groups[0].count,
		inquiry->groups[0].samples, inquiry->groups[0].device ? inquiry->groups[0].device : "its",
		inquiry->groups[0].up_bytes_per_s, federation->batch, federation->epochs,
		federation->participants, federation->server_bytes_per_s);
}

static void tell_client(struct text *text, const struct paradl_round_client *client)
{
	text_word(text, "group", client->group);
	NUMBER(text, client, count);
	NUMBER(text, client, round_s);
	for (unsigned i = 0; i < PARADL_LEG_COUNT; ++i)
		text_number(text, paradl_round_leg_name((enum paradl_round_leg)i), client->leg_s[i]);
	NUMBER(text, client, down_bytes);
	NUMBER(text, client, up_bytes);
	NUMBER(text, client, lan_bytes);
	NUMBER(text, client, memory_bytes);
	NUMBER(text, client, capacity_bytes);
	NUMBER(text, client, fits);
	NUMBER(text, client, joule);
}

static void tell_round(struct text *text, const struct paradl_round *round, size_t index)
{
	text_prefix(text, "round[%zu].", index);
	text_word(text, "scheme", round->scheme);
	NUMBER(text, round, possible);
	text_word(text, "reason", round->possible ? NULL : round->reason);
	if (!round->possible)
		return;
	NUMBER(text, round, participants);
	NUMBER(text, round, clusters);
	NUMBER(text, round, parameters);
	NUMBER(text, round, round_s);
	NUMBER(text, round, longest_s);
	for (unsigned i = 0; i < PARADL_LEG_COUNT; ++i)
		text_number(text, paradl_round_leg_name((enum paradl_round_leg)i), round->leg_s[i]);
	NUMBER(text, round, binding);
	text_word(text, "slowest", round->slowest);
	NUMBER(text, round, server_out_bytes);
	NUMBER(text, round, server_in_bytes);
	NUMBER(text, round, peer_bytes);
	NUMBER(text, round, lan_bytes);
	NUMBER(text, round, server_flop);
	NUMBER(text, round, joule);
	NUMBER(text, round, fits);
	NUMBER(text, round, total_s);
	NUMBER(text, round, total_bytes);
	NUMBER(text, round, total_joule);
	NUMBER(text, round, rounds_in_deadline);
	for (size_t i = 0; i < round->client_count; ++i) {
		text_prefix(text, "round[%zu].client[%zu].", index, i);
		tell_client(text, &round->clients[i]);
	}
}

static void tell_federated(struct text *text, const struct paradl_federated *federated)
{
	NUMBER(text, federated, parameters);
	NUMBER(text, federated, activation_bytes);
	NUMBER(text, federated, batch);
	NUMBER(text, federated, epochs);
	NUMBER(text, federated, clients);
	NUMBER(text, federated, participants);
	NUMBER(text, federated, fewest_parts);
	for (size_t i = 0; i < federated->count; ++i)
		tell_round(text, &federated->rounds[i], i);
	for (size_t i = 0; i < federated->division_count; ++i) {
		const struct paradl_division *const division = &federated->divisions[i];
		text_prefix(text, "division[%zu].", i);
		NUMBER(text, division, parts);
		NUMBER(text, division, share);
		NUMBER(text, division, parameters);
		NUMBER(text, division, memory_bytes);
		NUMBER(text, division, server_bytes);
		NUMBER(text, division, lan_bytes);
		NUMBER(text, division, fits);
	}
	text_prefix_end(text);
}

void ask_federate(const struct asking *asking, unsigned questions)
{
	const unsigned subjects = (questions + QUESTIONS_EACH - 1) / QUESTIONS_EACH;
	for (unsigned s = 0; s < subjects; ++s) {
		struct subject subject;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		subject_begin(&subject, asking, &draw, s,
			draw_chance(&draw, 80) ? NETWORK_IMAGES : NETWORK_SMALL, SUBJECT_SMALL_MACHINE);
		for (unsigned q = 0; q < QUESTIONS_EACH && asking->text->questions < questions; ++q) {
			struct inquiry inquiry;
			struct paradl_federated federated;
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			inquiry_draw(&draw, &inquiry);
			subject_question(&subject, asking, inquiry.words);
			if (subject.oracle &&
				paradl_federate(subject.oracle, &inquiry.federation, inquiry.schemes,
					subject.arena, &federated, &subject.error)) {
				++asking->text->answered;
				tell_federated(asking->text, &federated);
			} else {
				text_refusal(asking->text, "refused", &subject.error);
			}
		}
		paradl_arena_free(subject.arena);
	}
}
