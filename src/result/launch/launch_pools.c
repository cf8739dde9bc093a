/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells engines a plan some of whose GPUs read prompts for the others: a script with a role for each kind of server,
 * and one for what joins both. Flags of a server are those of its plan alone; each of the replicas along data is a
 * server of its own. How servers are joined is as the documents of vLLM 0.11 (NixlConnector and its proxy), SGLang 0.5
 * (--disaggregation-mode and its router) and TensorRT-LLM 1.0 (trtllm-serve disaggregated) have it.
 */
#include <math.h>
#include <string.h>

#include "result/launch/launch.h"

enum { READS, ANSWERS, ROLES };
enum { PORTS = 50 }; /* servers of one kind on a host, at most: their ports follow one another */
static const char script[] = "pools.sh";

static const char *const vllm_exports[] = {"export VLLM_NIXL_SIDE_CHANNEL_HOST=$(hostname -i)",
	"export VLLM_NIXL_SIDE_CHANNEL_PORT=$((5600 + 16 * (port - 8100)))", NULL};
static const char *const vllm_flags[] = {
	"--kv-transfer-config '{\"kv_connector\": \"NixlConnector\", \"kv_role\": \"kv_both\"}'", NULL};
static const char *const none[] = {NULL};
static const char *const vllm_router[] = {
	"# PROXY: tests/v1/kv_connector/nixl_integration/toy_proxy_server.py of vLLM's sources",
	"exec python3 \"${PROXY:?must name the proxy}\" --port \"${PORT:-8000}\" \\",
	"    --prefiller-hosts $(part \"$PREFILL\" 1) --prefiller-ports $(part \"$PREFILL\" 2) \\",
	"    --decoder-hosts $(part \"$DECODE\" 1) --decoder-ports $(part \"$DECODE\" 2)", NULL};
const struct launch_pools vllm_pools = {
	vllm_exports, 8100, {vllm_flags, vllm_flags}, {none, none}, vllm_router};

static const char *const sglang_reads[] = {"--disaggregation-mode prefill",
	"--disaggregation-transfer-backend nixl", "--disaggregation-bootstrap-port $((8998 + server))", NULL};
static const char *const sglang_answers[] = {
	"--disaggregation-mode decode", "--disaggregation-transfer-backend nixl", NULL};
static const char *const sglang_router[] = {
	"exec python3 -m sglang_router.launch_router --pd-disaggregation --port \"${PORT:-8000}\" \\",
	"    $(for at in $PREFILL; do echo \"--prefill http://$at $((8998 + ${at##*:} - 30000))\"; done) \\",
	"    $(for at in $DECODE; do echo \"--decode http://$at\"; done)", NULL};
const struct launch_pools sglang_pools = {
	none, 30000, {sglang_reads, sglang_answers}, {none, none}, sglang_router};

static const char *const trtllm_reads[] = {
	"disable_overlap_scheduler: true", "cache_transceiver_config:", "  backend: DEFAULT", NULL};
static const char *const trtllm_router[] = {"list() { for at in $1; do echo \"    - $at\"; done; }",
	"cat > trtllm_router.yaml << END", "hostname: 0.0.0.0", "port: ${PORT:-8000}", "backend: pytorch",
	"context_servers:", "  num_instances: $(echo $PREFILL | wc -w)", "  urls:", "$(list \"$PREFILL\")",
	"generation_servers:", "  num_instances: $(echo $DECODE | wc -w)", "  urls:", "$(list \"$DECODE\")",
	"END", "exec trtllm-serve disaggregated -c trtllm_router.yaml", NULL};
const struct launch_pools trtllm_pools = {
	none, 8100, {none, none}, {trtllm_reads, trtllm_reads + 1}, trtllm_router};

#define LINE(...) launch_add(launch, &launch->file, __VA_ARGS__)

/* Servers of one kind. */
struct servers {
	struct paradl_estimate estimate; /* of one of them */
	unsigned count, devices;         /* devices of each */
};

/* Fills a server that reads prompts; false: its plan is no plan. */
static bool reader_fill(const struct paradl_estimate *estimate, struct servers *servers)
{
	const struct paradl_inference *const served = &estimate->inference;
	struct paradl_estimate *const one = &servers->estimate;
	struct paradl_error error;
	*one = *estimate;
	if (!paradl_plan_parse(served->prefill, &one->plan, &error))
		return false;
	servers->count = one->plan.degree[PARADL_DATA];
	servers->devices = served->prefill_devices / servers->count;
	one->local_batch = served->prefill_prompts;
	one->inference.largest_batch = served->prefill_prompts * one->plan.degree[PARADL_EXPERT];
	one->memory = (struct paradl_memory){.weights_bytes = served->prefill_weights_bytes};
	one->memory_bytes = served->prefill_weights_bytes + served->prefill_working_bytes;
	return true;
}

static void answerer_fill(const struct paradl_estimate *estimate, struct servers *servers)
{
	servers->estimate = *estimate;
	servers->count = estimate->plan.degree[PARADL_DATA];
	servers->devices = (estimate->devices - estimate->inference.prefill_devices) / servers->count;
	servers->estimate.inference.largest_batch /= servers->count;
}

/* Adds lines of the script that start a server, from the lists that its program filled. */
static void server_tell(struct launch *launch, const struct launch_pools *pools, unsigned role,
	const struct launch *told, const struct servers *servers, bool shares)
{
	const unsigned each = servers->devices;
	if (shares)
		LINE("    export CUDA_VISIBLE_DEVICES=$(seq -s , $((first + %u * server)) $((first + %u * "
		     "server + %u)))",
			each, each, each - 1);
	for (const char *const *line = pools->exports; *line; ++line)
		LINE("    %s", *line);
	if (told->file.count > 0) {
		LINE("    cat > %s << END", told->file_name);
		for (size_t i = 0; i < told->file.count; ++i)
			LINE("%s", told->file.items[i]);
		for (const char *const *line = pools->file[role]; *line; ++line)
			LINE("%s", *line);
		LINE("END");
	}
	LINE("    exec \\");
	for (size_t i = 0; i < told->command.count; ++i)
		LINE("        %s \\", told->command.items[i]);
	for (size_t i = 0; i < told->flags.count; ++i)
		LINE("        %s \\", told->flags.items[i]);
	for (const char *const *flag = pools->flags[role]; *flag; ++flag)
		LINE("        %s \\", *flag);
	LINE("        --host 0.0.0.0 --port $port");
	LINE("    ;;");
}

/* Tells one server to its program, in lists of its own; moves what cannot be to the launch. */
static void server_ask(
	struct launch *launch, const struct report_head *head, struct servers *servers, struct launch *told)
{
	struct paradl_estimate *const one = &servers->estimate;
	one->inference.prefill = NULL;
	one->plan.degree[PARADL_DATA] = 1;
	one->devices = servers->devices;
	one->plan.batch = one->local_batch * one->plan.degree[PARADL_EXPERT];
	*told = (struct launch){.file_name = ""};
	const struct launch_job job = launch_job_of(head, one);
	head->launcher->tell(told, &job);
	for (size_t i = 0; i < told->cannot.count; ++i)
		launch_add(launch, &launch->cannot, "%s", told->cannot.items[i]);
	launch->is_cut = launch->is_cut || told->is_cut;
}

static void head_tell(struct launch *launch, const struct servers servers[ROLES])
{
	launch->file_name = script;
	launch_add(launch, &launch->command, "sh");
	launch_add(launch, &launch->command, "%s", script);
	LINE("# %s ROLE [SERVER]: prefill, decode or router; SERVER: its number on its host, from 0.",
		script);
	LINE("# %u server%s read%s prompts, on %u GPUs each; %u answer%s, on %u GPUs each.",
		servers[READS].count, servers[READS].count > 1 ? "s" : "",
		servers[READS].count > 1 ? "" : "s", servers[READS].devices, servers[ANSWERS].count,
		servers[ANSWERS].count > 1 ? "" : "s", servers[ANSWERS].devices);
	LINE("# FIRST_GPU: where servers of this role begin on the host. PREFILL, DECODE: host:port of all "
	     "servers.");
	LINE("set -eu");
	LINE("role=${1:?prefill, decode or router} server=${2:-0} first=${FIRST_GPU:-0}");
	LINE("part() { for at in $1; do echo \"$at\" | cut -d : -f \"$2\"; done; }");
	LINE("case $role in");
}

void launch_pools_fill(
	struct launch *launch, const struct report_head *head, const struct paradl_estimate *estimate)
{
	static const char *const roles[ROLES] = {"prefill", "decode"};
	const struct launch_pools *const pools = head->launcher->pools;
	struct servers servers[ROLES];
	struct launch told;
	if (!pools || !reader_fill(estimate, &servers[READS])) {
		launch_add(launch, &launch->cannot,
			"%s has no servers that read prompts for others; nearest: without "
			"--prefill",
			head->launcher->name);
		return;
	}
	answerer_fill(estimate, &servers[ANSWERS]);
	head_tell(launch, servers);
	for (unsigned role = READS; role < ROLES; ++role) {
		server_ask(launch, head, &servers[role], &told);
		if (told.command.count == 0) {
			launch->command.count = launch->file.count = 0;
			return;
		}
		LINE("%s)", roles[role]);
		LINE("    : \"${MODEL:?must name the checkpoint}\"");
		LINE("    port=$((%u + server))", pools->port + role * PORTS);
		server_tell(launch, pools, role, &told, &servers[role],
			servers[role].devices < head->machine.devices_per_host);
	}
	LINE("router)");
	LINE("    : \"${PREFILL:?host:port of each server that reads}\" \"${DECODE:?host:port of each that "
	     "answers}\"");
	for (const char *const *line = pools->router; *line; ++line)
		LINE("%s", *line);
	LINE("    ;;");
	LINE("esac");
}
