# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package answers what the command answers. PARADL is the command, SOURCE the project's folder."""
import csv
import json
import os
import pathlib
import pickle
import re
import subprocess
import time

import pytest

import paradl

SOURCE = pathlib.Path(os.environ["SOURCE"])
CASES = [
    (["advise", "llama3-70b", "--hw", "dgx-h100-superpod", "--gpus", "512"], lambda: paradl.advise("llama3-70b", hw="dgx-h100-superpod", gpus=512)),
    (["advise", "resnet50", "--hw", "abci"], lambda: paradl.advise("resnet50", hw="abci")),
    (["estimate", "gpt2-xl", "--hw", "aws-p5", "-s", "data=8", "--explain", "--set", "hw.levels.1.bandwidth=x2"],
     lambda: paradl.estimate("gpt2-xl", hw="aws-p5", strategy="data=8", explain=True, set={"hw.levels.1.bandwidth": "x2"})),
    (["search", "resnet50", "--hw", "abci", "--gpus", "16"], lambda: paradl.search("resnet50", hw="abci", gpus=16)),
    (["compare", "resnet50", "--hw", "abci", "--hw", "aws-p5", "--gpus", "64"], lambda: paradl.compare("resnet50", hw=["abci", "aws-p5"], gpus=64)),
    (["sweep", "resnet50", "--hw", "abci", "--vary", "gpus=4..16", "--vary", "batch=256,512"],
     lambda: paradl.sweep("resnet50", hw="abci", vary={"gpus": "4..16", "batch": [256, 512]})),
    (["collective", "allreduce", "--hw", "abci", "--ranks", "16"], lambda: paradl.collective("allreduce", hw="abci", ranks=16)),
    (["whatif", "resnet50", "--hw", "abci", "-s", "data=16"], lambda: paradl.whatif("resnet50", hw="abci", strategy="data=16")),
    (["list", "models"], lambda: paradl.shipped("models")),
]


def command(*words):
    """What the command says to people or programs."""
    environment = dict(os.environ, COLUMNS="100", LC_ALL="C.UTF-8")
    return subprocess.run([os.environ["PARADL"], *words], capture_output=True, text=True, env=environment).stdout


def same_parts(document):
    """All but where files lie and what was typed."""
    kept = {key: value for key, value in document.items() if key not in ("command", "inputs", "models")}
    return kept, [file["sha256"] for file in document.get("inputs", [])]


@pytest.mark.parametrize("words, ask", CASES, ids=lambda case: case[0] if isinstance(case, list) else "")
def test_numbers_are_the_commands(words, ask):
    document = json.loads(command(*words, "--json"))
    answer = ask()
    assert same_parts(document) == same_parts(answer.to_dict())


def test_text_and_tables_are_the_commands():
    words, ask = CASES[1]
    answer = ask()
    assert str(answer) == command(*words)
    assert answer.csv() == command(*words, "--csv")


def test_members_are_typed():
    answer = paradl.advise("resnet50", hw="abci", gpus=64)
    assert type(answer).__name__ == "Advise" and isinstance(answer, paradl.Answer)
    best = answer.results[0]
    assert isinstance(best, paradl.records.AdviseResult)
    assert isinstance(best.memory, paradl.records.AdviseResultMemory)
    assert best.strategy == best["strategy"] == "data=64"
    assert best.memory.weights_bytes == best.to_dict()["memory"]["weights_bytes"]
    assert "iteration_s" in dir(best) and "iteration_s" in paradl.records.AdviseResult.__annotations__
    with pytest.raises(AttributeError, match="did you mean 'iteration_s'"):
        best.iteration
    assert pickle.loads(pickle.dumps(answer)).results == answer.results
    assert [result.rank for result in answer.results[:2]] == [1, 2]


@pytest.mark.parametrize("name", ["advise", "collective", "compare", "diagnose", "estimate", "federate", "fit", "hide", "io", "search", "sweep",
                                  "validate", "whatif"])
def test_help_names_the_options(name):
    """Every option of the command is in the function's help, or has no meaning in a question."""
    named = re.findall(r"^    (\w+)=\S", getattr(paradl, name).__doc__, re.MULTILINE)
    assert len(named) == len(set(named)) and named
    for option in re.findall(r"^  (?:-\w, )?--([\w-]+)", subprocess.run([os.environ["PARADL"], name, "--help"], capture_output=True, text=True,
                                                                         check=True).stdout, re.MULTILINE):
        key = option.replace("-", "_")
        if key not in named:
            with pytest.raises(paradl.Error, match="has no meaning"):
                paradl.ask(name, **{key: True})


def test_every_member_has_its_class():
    """Each schema's classes name all members that the schema does."""
    for name, kind in paradl.records.DOCUMENTS.items():
        schema = json.loads((SOURCE / "schemas" / f"{name.replace('paradl-', '')}.schema.json").read_text())
        assert set(kind.__annotations__) == set(schema["properties"])
        title = kind.__name__
        for key, definition in schema.get("definitions", {}).items():
            record = getattr(paradl.records, title + "".join(part.capitalize() for part in key.split("_")))
            assert {member for member in definition.get("properties", {}) if member != "from"} == set(record.__annotations__), key


def test_errors_say_what_to_do():
    with pytest.raises(paradl.Error, match='did you mean "resnet50"') as caught:
        paradl.advise("resnet5", hw="abci")
    assert "paradl list models" in caught.value.hint
    with pytest.raises(paradl.Error, match="did you mean 'gpus'") as caught:
        paradl.advise("resnet50", hw="abci", gpu=4)
    assert (caught.value.pointer, caught.value.line) == ("/gpu", 1)
    with pytest.raises(paradl.Error, match="draws no picture"):
        paradl.sweep("resnet50", hw="abci", vary={"gpus": 4}).svg()
    with pytest.raises(TypeError, match="no value of a question"):
        paradl.advise(object(), hw="abci")
    plan = paradl.estimate("llama3-70b", hw="dgx-h100-superpod", strategy="data=8")
    assert not plan.results[0].feasible


def test_files_are_dicts():
    machine = json.loads((SOURCE / "hw-profiles" / "abci.json").read_text())
    model = json.loads((SOURCE / "models" / "resnet50.json").read_text())
    dataset = model.pop("dataset", None)
    answer = paradl.advise(dict(model, **({"dataset": dataset} if dataset else {})), hw=SOURCE / "hw-profiles" / "abci.json", gpus=64)
    assert answer.results == paradl.advise("resnet50", hw="abci", gpus=64).results
    assert machine["name"] == answer.hw.name


CONFIG = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
          "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000, "max_position_embeddings": 2048, "hidden_act": "silu",
          "tie_word_embeddings": False, "rms_norm_eps": 1e-05}


def test_configurations(tmp_path):
    """TinyLlama has 1,100,048,384 parameters, as its card says."""
    model = paradl.Model.from_config(CONFIG, name="TinyLlama")
    answer = paradl.advise(model, hw="dgx-h100-superpod", gpus=16)
    assert (answer.model.name, answer.model.parameters) == ("TinyLlama", 1100048384)
    folder = tmp_path / "TinyLlama"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    assert paradl.Model.from_config(folder).name == "TinyLlama"
    assert json.loads(command("advise", str(folder), "--hw", "dgx-h100-superpod", "--gpus", "16", "--json"))["results"] == answer.to_dict()["results"]
    model.save(tmp_path / "tiny.json")
    assert json.loads(command("advise", str(tmp_path / "tiny.json"), "--hw", "dgx-h100-superpod", "--gpus", "16", "--json"))["results"] == answer.to_dict()["results"]
    with pytest.raises(paradl.Error, match="model_type"):
        paradl.Model.from_config(dict(CONFIG, model_type="nothing_known", num_local_experts=8))


def test_notebooks(monkeypatch):
    answer = paradl.advise("resnet50", hw="abci", gpus=64)
    page = answer._repr_html_()
    assert page.startswith("<pre") and "data=32,spatial=2" in page
    assert "<table>" in answer.results._repr_html_() and "<td" in answer.results[0]._repr_html_()
    monkeypatch.setenv("PATH", "")
    assert answer._repr_svg_() is None and "<img" not in answer._repr_html_()


def test_pictures():
    answer = paradl.advise("resnet50", hw="abci", gpus=64)
    svg = answer._repr_svg_()
    if svg is None:
        pytest.skip("there is no gnuplot")
    assert "<svg" in svg and "</svg>" in svg and "data:image/svg+xml" in answer._repr_html_()
    assert answer.svg("memory") != svg
    with pytest.raises(paradl.Error, match="does not draw"):
        answer.svg("nothing")


def test_data_frames():
    pytest.importorskip("pandas")
    frame = CASES[5][1]().to_pandas()
    rows = list(csv.reader(command(*CASES[5][0], "--csv").splitlines()))
    assert list(frame.columns) == rows[0] and len(frame) == len(rows) - 1 == 6
    at = rows[0].index("samples_per_s")
    assert [value.hex() for value in frame["samples_per_s"]] == [float(row[at]).hex() for row in rows[1:]]
    answer = paradl.advise("resnet50", hw="abci", gpus=64)
    frame = answer.to_pandas()
    assert frame["memory.weights_bytes"][0] == answer.results[0].memory.weights_bytes and frame["strategy"][0] == "data=64"


def test_frames_of_collectives():
    pytest.importorskip("pandas")
    asked = ["collective", "allreduce", "--hw", "abci", "--ranks", "16", "--bytes", "1MB,4MB,16MB"]
    frame = paradl.collective("allreduce", hw="abci", ranks=16, bytes="1MB,4MB,16MB").to_pandas()
    rows = list(csv.DictReader(command(*asked, "--csv").splitlines()))
    assert len(frame) == len(rows) == 3 and list(frame["bytes"]) == [1e6, 4e6, 16e6]
    assert [value.hex() for value in frame["time_s"]] == [float(row["time_s"]).hex() for row in rows]
    assert not any(isinstance(value, list) for value in frame.iloc[0])


def test_layers_are_counted_as_list_does(tmp_path):
    config = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 128,
              "vocab_size": 100, "max_position_embeddings": 128}
    model = paradl.Model.from_config(config, name="four")
    model.save(tmp_path / "four.json")
    assert f"{len(command('list', str(tmp_path / 'four.json'), '--csv').splitlines()) - 1} layers" in repr(model)
    document = json.loads((pathlib.Path(__file__).parents[2] / "models" / "resnet50.json").read_text())
    assert f"{len(command('list', 'resnet50', '--csv').splitlines()) - 1} layers" in repr(paradl.Model(document))


def test_modules_of_torch():
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(16 * 32 * 32, 10))
    model = paradl.Model.from_torch(module, torch.zeros(8, 3, 32, 32), name="small")
    assert next(module.parameters()).device.type == "cpu" and module.training
    answer = paradl.advise(model, hw="abci", gpus=4)
    assert answer.model.parameters == sum(parameter.numel() for parameter in module.parameters())
    assert model.document["training"]["batch_per_gpu"] == 8


def test_a_hundred_questions_a_second():
    begin, count = time.process_time(), 0
    while time.process_time() - begin < 1:
        paradl.estimate("llama3-70b", hw="dgx-h100-superpod", strategy="data=8,tensor=8,pipeline=8")
        count += 1
    print(count, "questions a second")
    assert count >= 100
