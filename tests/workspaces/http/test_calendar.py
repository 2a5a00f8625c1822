"""GET calendar.ics over HTTP: what is in it is tested with the exchange."""

from __future__ import annotations

from .conftest import Opened


def test_any_link_may_read_it_as_a_file_and_no_other_workspace_may(opened: Opened, stranger: Opened) -> None:
    answers = [api("GET", "calendar.ics") for api in (opened.owner, opened.edit, opened.view)]
    assert [(answer.status_code, answer.headers["Content-Type"]) for answer in answers] == [
        (200, "text/calendar; charset=utf-8")
    ] * 3
    assert all(answer.getvalue().startswith(b"BEGIN:VCALENDAR\r\n") for answer in answers)
    other = stranger.owner("GET", f"/api/v1/workspaces/{opened.owner.workspace}/calendar.ics")
    assert other.status_code == 404
