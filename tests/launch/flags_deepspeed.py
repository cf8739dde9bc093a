#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations as DeepSpeed's own class reads them: flags_deepspeed.py PARADL. Skipped (77) without PyTorch and deepspeed."""
import json
import sys

from networks import NETWORKS, launch_of

PLANS = ["data=8", "data=8,zero=1", "data=8,zero=2,offload=optimizer", "data=8,zero=3,recompute=full"]


class Ranks:
    """Eight replicas, as the configuration asks for them."""

    def get_data_parallel_world_size(self):
        return 8

    def get_sequence_parallel_world_size(self):
        return 1


def main():
    try:
        from deepspeed import comm
        from deepspeed.runtime.config import DeepSpeedConfig
    except ImportError as error:
        print(error)
        return 77
    comm.get_rank = lambda *_: 0  # of a group that is not started: only its size counts
    wrong = refused = 0
    for name in NETWORKS:
        for plan in PLANS:
            launch, _, _ = launch_of(sys.argv[1], name, "deepspeed", plan)
            said = json.loads("\n".join(launch["lines"]))
            config = DeepSpeedConfig(said, mpu=Ranks())
            zero = config.zero_config
            same = (config.train_batch_size == said["train_batch_size"] and zero.stage == said["zero_optimization"]["stage"] and
                    (zero.offload_optimizer is not None) == ("offload=optimizer" in plan) and
                    set(said["zero_optimization"]) <= set(type(zero).model_fields))
            if not same:
                print(f"{name} {plan}: {said}")
            wrong += not same
        refused += any("--flags megatron" in text or "every block" in text for text in launch["cannot"])
    print(f"{len(NETWORKS) * len(PLANS)} configurations, {wrong} wrong; {refused} networks that it cannot build")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
