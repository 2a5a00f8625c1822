"""The database's two dialects of talking: writes that travel together, and transactions that begin with their work."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.factories import Writer, append, open_workspace, set_field
from workspaces import sql
from workspaces.clock import now
from workspaces.errors import LinkInvalid
from workspaces.models import Document, Link, Workspace

pytestmark = pytest.mark.django_db(transaction=True)

on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite is a function call away")
LABEL = "UPDATE workspaces_workspace SET label = %s WHERE id = %s"


def label(workspace: str) -> str:
    return Workspace.objects.get(id=workspace).label


@pytest.fixture
def owner() -> Writer:
    return open_workspace()


@pytest.fixture
def two(owner: Writer) -> tuple[str, str]:
    Workspace.objects.filter(id=owner.workspace).update(label="")
    other = open_workspace().workspace
    Workspace.objects.filter(id=other).update(label="")
    return owner.workspace, other


def test_gathered_writes_are_all_there_afterwards(two: tuple[str, str]) -> None:
    with transaction.atomic(), sql.gathered():
        for name, workspace in zip("ab", two, strict=True):
            assert sql.write(LABEL, [name, workspace], row=workspace, must=True)
    assert [label(workspace) for workspace in two] == ["a", "b"]


def test_a_second_write_of_a_row_sees_the_first(two: tuple[str, str]) -> None:
    with transaction.atomic(), sql.gathered():
        sql.write(LABEL, ["a", two[0]], row=two[0], must=True)
        sql.write("UPDATE workspaces_workspace SET label = label || 'b' WHERE id = %s", [two[0]], row=two[0])
        sql.write("UPDATE workspaces_workspace SET label = label || 'c' WHERE label = %s", ["ab"])
    assert label(two[0]) == "abc"


def test_what_is_read_sees_what_was_gathered(two: tuple[str, str]) -> None:
    with transaction.atomic(), sql.gathered():
        sql.write(LABEL, ["a", two[0]])
        assert sql.fetch_one("SELECT label FROM workspaces_workspace WHERE id = %s", [two[0]]) == ("a",)


def test_a_failure_inside_leaves_nothing(two: tuple[str, str]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic(), sql.gathered():
        sql.write(LABEL, ["a", two[0]])
        raise ZeroDivisionError
    assert label(two[0]) == ""


def test_a_row_that_is_missing_is_told_at_once_or_at_the_end_and_nothing_stands(two: tuple[str, str]) -> None:
    def attempt() -> None:
        with transaction.atomic(), sql.gathered():
            sql.write(LABEL, ["a", two[0]])
            if not sql.write(LABEL, ["b", "ws_none"], row="ws_none", must=True):
                raise sql.Overtaken

    with pytest.raises(sql.Overtaken):
        attempt()
    assert label(two[0]) == ""
    with transaction.atomic():
        sql.execute(LABEL, ["c", two[0]])
    assert label(two[0]) == "c"


def test_a_percent_sign_stays_one(two: tuple[str, str]) -> None:
    with transaction.atomic(), sql.gathered():
        sql.write(LABEL, ["100 %s $1", two[0]])
    found = sql.fetch_one("SELECT label FROM workspaces_workspace WHERE label LIKE '100 %%' AND id = %s", [two[0]])
    assert found == ("100 %s $1",)


def test_a_transaction_begins_with_its_work(two: tuple[str, str]) -> None:
    with transaction.atomic():
        changed, (rows, found) = sql.begin_with(
            (LABEL, ["a", two[0]]), ("SELECT label FROM workspaces_workspace WHERE id = %s", [two[0]])
        )
    assert (changed[0], rows if connection.vendor == "postgresql" else 1, found) == (1, 1, [("a",)])
    assert label(two[0]) == "a"


def test_a_transaction_that_fails_after_its_first_work_is_undone(two: tuple[str, str]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        sql.begin_with((LABEL, ["a", two[0]]))
        raise ZeroDivisionError
    assert label(two[0]) == ""
    assert connection.get_autocommit()


def test_a_savepoint_takes_back_only_its_own_writes(two: tuple[str, str]) -> None:
    with transaction.atomic():
        sql.begin_with((LABEL, ["a", two[0]]))
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            Workspace.objects.filter(id=two[1]).update(label="b")
            raise ZeroDivisionError
    assert [label(workspace) for workspace in two] == ["a", ""]


@on_postgresql
def test_a_commit_is_two_trips_however_much_it_writes(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    app = owner.new(title="A", texts={"notes": "one"})
    owner.commit(set_field(app, "title", "B"), set_field("profile", "name", "Grace"))  # both are warm then
    batch = (set_field(app, "title", "C"), append(app, "notes", " two"), set_field("profile", "name", "Ada"))
    clocks = {app: 2, "profile": 2}
    trips: list[str] = []
    real = sql._Gathering.send, sql.begin_with, sql._run

    def send(gathering: sql._Gathering, *, commit: bool = False) -> None:
        if gathering.writes or commit:
            trips.append("commit" if commit else "writes")
        real[0](gathering, commit=commit)

    def begin_with(*statements: Any) -> Any:
        trips.append("begin")
        return real[1](*statements)

    def run(*statement: Any) -> Any:
        trips.append("single")
        return real[2](*statement)

    monkeypatch.setattr(sql._Gathering, "send", send)
    monkeypatch.setattr(sql, "begin_with", begin_with)
    monkeypatch.setattr(sql, "_run", run)
    owner.commit(*batch, clocks=clocks)
    assert trips == ["begin", "commit"]


@on_postgresql
def test_a_link_that_was_revoked_while_a_commit_waited_for_the_workspace_is_refused(owner: Writer) -> None:
    outcome: list[object] = []

    def late() -> None:
        try:
            outcome.append(owner.commit(set_field("profile", "name", "Late"), clocks={"profile": 1}))
        except LinkInvalid as refusal:
            outcome.append(refusal)

    with transaction.atomic():
        sql.fetch_one("SELECT seq FROM workspaces_workspace WHERE id = %s FOR UPDATE", [owner.workspace])
        Link.objects.filter(id=owner.link).update(revoked_at=now())
        thread = threading.Thread(target=late)
        thread.start()
        # Not pg_stat_activity: it stays as it was first seen until the transaction ends.
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
        deadline = time.monotonic() + 20
        while sql.fetch_one(waiting, []) != (1,):
            assert time.monotonic() < deadline, "the commit does not wait"
            time.sleep(0.01)
    thread.join(20)
    assert [type(entry) for entry in outcome] == [LinkInvalid]
    assert Document.objects.get(workspace=owner.workspace, doc_id="profile").clock == 1


def test_inside_direct_everything_is_part_of_the_transaction_around_it(two: tuple[str, str]) -> None:
    with pytest.raises(LinkInvalid), transaction.atomic(), sql.direct():
        assert sql.write(LABEL, ["a", two[0]])
        with sql.direct():
            assert sql.fetch_one("SELECT label FROM workspaces_workspace WHERE id = %s", [two[0]]) == ("a",)
        raise LinkInvalid
    assert label(two[0]) == ""


def test_an_error_inside_direct_is_django_s_and_the_next_transaction_works(two: tuple[str, str]) -> None:
    with pytest.raises(ProgrammingError if sql.is_remote() else OperationalError):
        with transaction.atomic(), sql.direct():
            sql.execute("SELECT nothing FROM nowhere", [])
    with transaction.atomic(), sql.direct():
        assert sql.execute(LABEL, ["b", two[0]]) == 1
    assert label(two[0]) == "b"


def test_statements_inside_direct_are_seen_by_who_captures_queries(two: tuple[str, str]) -> None:
    with CaptureQueriesContext(connection) as captured, transaction.atomic(), sql.direct():
        sql.write(LABEL, ["a", two[0]])
    assert [query["sql"][:6] for query in captured.captured_queries if "label" in query["sql"]] == ["UPDATE"]
