# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs of real MPI libraries, where they run."""

import functools
import subprocess

from harness import *

STARTERS = {
    "mpich": ("mpiexec.hydra", "-disable-auto-cleanup", "-n", "3"),
    "openmpi": ("mpiexec.openmpi", "--bind-to", "none", "-np", "3"),
}
# More ranks than processors: of Open MPI 4, of 5.
STARTING = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
ENVIRONMENT = {**STARTING, "OMP_NUM_THREADS": "2", "OMPI_MCA_mpi_yield_when_idle": "1"}


@functools.cache
def trouble(mpi):
    """Why programs of an MPI cannot be run on this machine; "": they can."""
    argv = [need(STARTERS[mpi][0]), *STARTERS[mpi][1:], testprog(f"mpi_job-{mpi}-gcc-O0"), "nothing"]
    try:
        run = subprocess.run(argv, env={**os.environ, **ENVIRONMENT}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return "it does not end"
    said = " ".join(run.stderr.split())
    return "" if run.returncode == 0 else f"status {run.returncode}: {said[:200]}"


def starter_with_table(mpi):
    """What starts three ranks, and tells of them by MPIR."""
    if trouble(mpi):
        skip(f"{mpi} does not run here: {trouble(mpi)}")
    if mpi == "openmpi" and release_of("mpiexec.openmpi") >= 5:
        skip("since release 5 Open MPI has no MPIR")
    if mpi == "openmpi":
        return STARTERS[mpi]
    hydra = os.path.join(TESTPROGS, "..", "fetched", "hydra", "mpiexec.hydra")
    if not os.path.exists(hydra):
        skip("Debian's MPICH is stripped of MPIR's symbols: scripts/build-hydra builds one that has them")
    return hydra, *STARTERS[mpi][1:]


def launch(mpi, program, *arguments):
    if trouble(mpi):
        skip(f"{mpi} does not run here: {trouble(mpi)}")
    return Program([need(STARTERS[mpi][0]), *STARTERS[mpi][1:], testprog(program), *arguments], env=ENVIRONMENT)
