"""The recipes for SLURM and Kubernetes in docs/cluster.md, checked without a cluster."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from cluster_processes import content
from column_pairs import write_pairs
from command import treescore_inside
from integrations.needed import needed
from test_docs import ROOT, blocks


def recipe(word: str) -> str:
    """The block of the page with this word."""
    (text,) = (block.text for block in blocks(ROOT / "docs" / "cluster.md") if word in block.text)
    return text


def test_the_batch_job_is_a_sound_script(tmp_path: Path) -> None:
    program = shutil.which("shellcheck") or shutil.which("shellcheck", path=str(Path(sys.executable).parent))
    if program is None:
        message = "THE SLURM SCRIPT IS NOT CHECKED: there is no shellcheck; make test-company installs it"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    script = tmp_path / "job.sh"
    script.write_text(recipe("#SBATCH"))
    done = subprocess.run([program, str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_batch_job_runs_again(tmp_path: Path) -> None:
    """With a program in place of srun that starts a single worker, and the scheduler file of an earlier job."""
    write_pairs(tmp_path / "pairs", files=1, rows=20, group=20)
    (tmp_path / "dask.json").write_text('{"address": "tcp://127.0.0.1:9"}')
    (tmp_path / "srun").write_text('#!/bin/sh\nexec "$@"\n')
    (tmp_path / "srun").chmod(0o755)
    (tmp_path / "job.sh").write_text(recipe("#SBATCH").replace("--nworkers 16", "--nworkers 1"))
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "SCRATCH": str(tmp_path)}
    with (tmp_path / "log").open("wb") as log:
        job = subprocess.Popen(
            ["bash", "job.sh"], cwd=tmp_path, env=env, stdout=log, stderr=log, start_new_session=True
        )
        try:
            assert job.wait(120) == 0, (tmp_path / "log").read_text()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)  # scheduler and worker, as SLURM does
    treescore_inside(tmp_path, "columns", str(tmp_path / "pairs"), "--workers", "0", "-o", "single")
    assert content(tmp_path / "pairs.scores") == content(tmp_path / "single")


def test_slurm_gets_what_the_recipe_says() -> None:
    jobqueue = needed("dask_jobqueue")
    settings = recipe("SLURMCluster").partition("cluster = SLURMCluster(")[2].partition(")")[0]
    options = eval(f"dict({settings})")
    script = jobqueue.slurm.SLURMJob("tcp://10.0.0.1:8786", name="treescore", **options).job_script()
    for line in ("#SBATCH -p cpu", "#SBATCH --cpus-per-task=16", "#SBATCH --mem=30G", "#SBATCH -t 04:00:00"):
        assert line in script.splitlines()
    assert {"--nworkers 16", "--nthreads 1"} <= set(re.findall(r"--n\w+ \d+", script))


def test_kubernetes_takes_the_pods_of_the_recipe() -> None:
    validate = needed("kubernetes_validate").validate
    needed("dask_kubernetes.operator")
    names: dict[str, Any] = {}
    exec(recipe("KubeCluster").partition("cluster = KubeCluster(")[0], names)
    spec = names["spec"]
    assert (spec["apiVersion"], spec["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    for role in ("worker", "scheduler"):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": role}, "spec": spec["spec"][role]["spec"]}
        validate(pod, "1.30", strict=True)
    pod = spec["spec"]["worker"]["spec"]
    mounted = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}
