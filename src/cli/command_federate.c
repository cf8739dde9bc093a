/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/question.h"
#include "paradl/study.h"

#define FEDERATE(...) ROW("federate", __VA_ARGS__)
#define RATE(name_, field)                                                                                   \
	FEDERATE(name_, OPTION_QUANTITY, field, "RATE"), .dimension = DIMENSION_BYTES_PER_S, .group = "Links"

static const char *exchange_name(size_t index)
{
	return index < PARADL_EXCHANGE_COUNT ? paradl_exchange_route_name((enum paradl_exchange_route)index)
					     : NULL;
}

static const struct option_row rows[] = {
	{FEDERATE("clients", OPTION_TEXT, federate.clients, "SPEC"), .completes = "file", .group = "Clients",
		.help = "how many clients, or FILE.json of groups of them; paradl-clients(5)"},
	{FEDERATE("samples-per-client", OPTION_COUNT, federate.client_samples, "N"), .min = 1, .max = 1e15,
		.group = "Clients", .help = "samples of each (default the data set shared out)"},
	{FEDERATE("participants", OPTION_COUNT, federate.participants, "K"), .min = 1, .max = 1e9,
		.group = "Clients", .help = "clients of each round, drawn at random (default all)"},
	{FEDERATE("scheme", OPTION_TEXT, federate.scheme, "LIST"), .group = "Round",
		.help = "schemes: fedavg, fedprox, cadis, ... (default all); model-exchange:H, "
			"splitfed:LAYER, feddct:S, too; the first is shown in depth, the others beside it"},
	{FEDERATE("local-epochs", OPTION_COUNT, federate.local_epochs, "E"), .initial = "1", .min = 1,
		.max = 1e6, .group = "Round", .help = "passes over its samples in a round"},
	{FEDERATE("local-batch", OPTION_COUNT, federate.local_batch, "N"), .formerly = "batch", .min = 1,
		.max = 1e9, .group = "Round", .help = "samples of a client's step (default the model's)"},
	{FEDERATE("exchange", OPTION_CHOICE, federate.exchange, "WAY"), .choice = exchange_name,
		.initial = "peers", .group = "Round", .help = "how models of model-exchange travel"},
	{FEDERATE("rounds", OPTION_COUNT, federate.rounds, "R"), .min = 1, .max = 1e12, .group = "Round",
		.help = "rounds of the whole training; its time and traffic are shown; never predicted"},
	{FEDERATE("deadline", OPTION_QUANTITY, deadline_s, "TIME"), .dimension = DIMENSION_TIME,
		.group = "Round", .help = "say how many rounds fit: '12 h', '7 d'"},
	{RATE("up", federate.up), .initial = "20 Mb/s", .help = "upload rate of each client"},
	{RATE("down", federate.down), .initial = "100 Mb/s", .help = "download rate of each client"},
	{RATE("lan", federate.lan), .initial = "1 Gb/s",
		.help = "rate of each client to others of its cluster"},
	{RATE("server", federate.server), .initial = "10 Gb/s",
		.help = "rate of the server each way, for all clients together"},
	{FEDERATE("server-devices", OPTION_COUNT, federate.server_devices, "N"), .min = 1, .max = 1e9,
		.group = "Links",
		.help = "devices that train the server's part; splitfed: of HW; without it one for each "
			"client"},
};

const struct option_table arguments_federate = {rows, sizeof rows / sizeof rows[0], NULL};

static bool is_file(const char *text)
{
	const size_t length = strlen(text);
	return strchr(text, '/') || (length > 5 && strcmp(text + length - 5, ".json") == 0);
}

/*
 * Reads --clients. A number makes one group with the values of the options; a file has groups, and takes from the
 * options what it does not give.
 */
static bool read_clients(struct session *session, struct report_head *head, struct paradl_clients *clients)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_client_group *const group = arena_alloc(session->arena, 1, sizeof *group);
	if (!arguments->federate.clients)
		return session_missing(session, "federate needs --clients N, or --clients FILE.json");
	if (!group)
		return out_of_memory(&session->error);
	*group = (struct paradl_client_group){.name = "all",
		.samples = arguments->federate.client_samples,
		.up_bytes_per_s = arguments->federate.up,
		.down_bytes_per_s = arguments->federate.down,
		.lan_bytes_per_s = arguments->federate.lan};
	*clients = (struct paradl_clients){.name = "", .groups = group, .count = 1};
	if (is_file(arguments->federate.clients))
		return paradl_clients_load(session->arena,
			       &(struct paradl_source){.path = arguments->federate.clients}, group, clients,
			       &session->error) &&
		       question_input(session, head, arguments->federate.clients);
	if (option_count_parse(
		    arguments->federate.clients, strlen(arguments->federate.clients), &group->count) &&
		group->count >= 1)
		return true;
	session_usage(session, "--clients %s is no number of clients", arguments->federate.clients);
	error_hint(&session->error, "write a number, or the name of a file that ends in .json");
	return false;
}

static bool read_federation(
	struct session *session, struct report_head *head, struct paradl_federation *federation)
{
	const struct arguments *const arguments = &session->arguments;
	*federation = (struct paradl_federation){
		.batch = arguments->federate.local_batch,
		.epochs = arguments->federate.local_epochs,
		.participants = arguments->federate.participants,
		.server_bytes_per_s = arguments->federate.server,
		.server_devices = arguments->federate.server_devices,
		.rounds = arguments->federate.rounds,
		.deadline_s = arguments->deadline_s,
		.exchange = (enum paradl_exchange_route)arguments->federate.exchange,
	};
	if (!(arguments->federate.server > 0))
		return session_usage(session, "--server 0 moves nothing: the server has a rate above 0");
	return read_clients(session, head, &federation->clients);
}

/*
 * Returns the schemes to compute as a comma list: a single scheme of --scheme is shown beside all others, while a
 * list of several is taken alone. NULL: none was asked for, or out of memory.
 */
static const char *schemes_asked(struct session *session)
{
	const char *const asked = session->arguments.federate.scheme;
	const char *text = asked;
	if (!asked || strchr(asked, ','))
		return asked;
	for (size_t i = 0; text && paradl_scheme(i).name; i++) {
		const char *const name = paradl_scheme(i).name;
		if (strncmp(asked, name, strlen(name)) != 0)
			text = arena_printf(session->arena, "%s,%s", text, name);
	}
	return text;
}

/* Returns the class of a round in the ranking: 0 fits into memory, 1 does not, 2 is impossible and comes last. */
static int class_of(const struct paradl_round *round)
{
	return !round->possible ? 2 : !round->fits;
}

static const size_t *rank(struct session *session, const struct paradl_federated *federated)
{
	size_t *const ranked = arena_alloc(session->arena, federated->count + 1, sizeof *ranked);
	for (size_t i = 0; ranked && i < federated->count; i++) {
		const struct paradl_round *const round = &federated->rounds[i];
		size_t place = i;
		for (; place > 0; place--) {
			const struct paradl_round *const before = &federated->rounds[ranked[place - 1]];
			if (class_of(before) < class_of(round) ||
				(class_of(before) == class_of(round) && before->round_s <= round->round_s))
				break;
			ranked[place] = ranked[place - 1];
		}
		ranked[place] = i;
	}
	if (!ranked)
		out_of_memory(&session->error);
	return ranked;
}

static bool assume(struct session *session, struct report_head *head, const struct paradl_federated *answer)
{
	const char *const text[] = {
		"clients and server start together; what they send is fp32, not compressed; no failures",
		"a scheme's rounds are not worth the same: how many reach an accuracy is not predicted",
		answer->participants < answer->clients
			? "a round is the mean over draws of participants, the server's load that of the "
			  "mean draw"
			: NULL,
	};
	head->assumptions.count = 0; /* assumptions about training on many devices do not apply here */
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (text[i] && !question_assume(session, head, text[i]))
			return false;
	return question_assumed_numbers(session, head, &head->machine);
}

static bool all_fit(const struct paradl_federated *federated)
{
	return federated->rounds[0].possible && federated->rounds[0].fits;
}

static enum exit_status run(struct session *session)
{
	struct question question;
	struct paradl_federation federation;
	struct paradl_federated federated;
	struct document document;
	struct report_federate report = {
		.head = &question.head, .federation = &federation, .federated = &federated};
	if (!question_load(session, &question) || !read_federation(session, &question.head, &federation) ||
		!paradl_federate(question.oracle, &federation, schemes_asked(session), session->arena,
			&federated, &session->error) ||
		!assume(session, &question.head, &federated))
		return session_fail(session);
	report.ranked = rank(session, &federated);
	if (!report.ranked)
		return session_fail(session);
	question_finish(session, &question);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->federate(&document.sink, &report);
	return document_end(session, &document, all_fit(&federated) ? EXIT_ANSWER : EXIT_NO);
}

const struct command command_federate = {
	.name = "federate",
	.summary = "project a round of federated learning: time, traffic, memory",
	.synopsis = "MODEL --hw HW --clients SPEC [--scheme LIST] [options]",
	.details = "HW is what a client has. A round is what the server sends, what the clients train,\n"
		   "what they send back; its end is the last client's. Schemes divide the network,\n"
		   "move models between clients or leave a part to the server.",
	OPERAND_MODEL,
	.usual = "hw clients samples-per-client participants scheme local-epochs local-batch rounds up down "
		 "precision output",
	.examples = {"paradl federate wrn-16-8 --hw abci --clients 20",
		"paradl federate wrn-16-8 --hw abci --clients 20 --scheme fedavg --rounds 100"},
	.most_operands = 1,
	.run = run,
};
