# SPDX-License-Identifier: GPL-3.0-or-later
"""What checks of launches share: the networks, and how a program would be told to start them."""
import json
import shlex
import subprocess

NETWORKS = ["llama2-7b", "llama3-8b", "llama3-70b", "llama3-405b", "gpt2-xl", "gpt3-175b", "megatron-22b", "mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3"]


def launch_of(paradl, name, program, plan="data=8", precision="bf16-mixed", framework="nccl"):
    """The document's launch of a plan on GPUs that it surely fits on, its flags as words, and the network's parameters."""
    run = subprocess.run([paradl, "estimate", name, "--hw", "dgx-h100-superpod", "-s", plan, "--flags", program, "--framework", framework, "--set", "device.memory=x1000",
                          "--precision", precision, "--json"], capture_output=True, text=True)
    document = json.loads(run.stdout)
    result = document["results"][0] if document["results"] else {"launch": {"command": [], "flags": [], "cannot": document["infeasible"]}}
    launch = result["launch"] | {"stage_blocks": result.get("stage_blocks", [])}
    return launch, shlex.split(" ".join(launch["flags"])), document["model"]["parameters"]


def options_of(words):
    """Values by the names of flags; True where there is none."""
    found, last = {}, ""
    for word in words:
        if word.startswith("--"):
            last = word[2:]
        found[last] = True if word.startswith("--") else word
    return found
