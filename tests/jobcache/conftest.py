"""Services that several tests share; each test that changes one starts its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobcache.service import CASES, Service, run, serve


@pytest.fixture(scope="session")
def cases_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with the 120 ads of the cases and nothing else."""
    data = tmp_path_factory.mktemp("jobcache-cases")
    loaded = run(data, "load_ads", str(CASES / "ads.jsonl"))
    assert (loaded.returncode, loaded.stdout) == (0, "120 added, 0 changed, 0 seen again\n"), loaded.stderr
    with serve(data) as service:
        yield service


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the packaged corpus, to be copied, never changed."""
    folder = tmp_path_factory.mktemp("jobcache-loaded") / "jobcache"
    done = run(folder, "load_corpus")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with empty tables, to be copied, never changed."""
    folder = tmp_path_factory.mktemp("jobcache-migrated") / "jobcache"
    done = run(folder, "migrate", "--verbosity", "0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture(scope="session")
def corpus_service(loaded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with the packaged corpus."""
    folder = tmp_path_factory.mktemp("jobcache-corpus") / "jobcache"
    shutil.copytree(loaded, folder)
    with serve(folder) as service:
        yield service


@pytest.fixture
def corpus_data(loaded: Path, data: Path) -> Path:
    """A data folder of this test's own with the packaged corpus."""
    shutil.copytree(loaded, data)
    return data


@pytest.fixture
def empty_data(migrated: Path, data: Path) -> Path:
    """A data folder of this test's own with empty tables."""
    shutil.copytree(migrated, data)
    return data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """An empty data folder."""
    return tmp_path / "jobcache"
