"""Dates, addresses and HTML as resumes have them, one at a time."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.hypothesis_profiles  # noqa: F401  how much is tried
from workspaces.documents.values import ValueType, check_value
from workspaces.exchange.resume_dates import ends_before_start, read_date
from workspaces.exchange.resume_html import is_html, to_markdown, to_plain
from workspaces.exchange.resume_urls import read_url

DATES: list[tuple[object, str | None, str | None]] = [
    ("2021", "2021", None), ("2021-05", "2021-05", None), ("2021-05-04", "2021-05-04", None), (" 2021 ", "2021", None),
    ("0021", "0021", None), ("2024-02-29", "2024-02-29", None),
    # Years and months in other orders.
    ("2016/03", "2016-03", "date"), ("2016.3", "2016-03", "date"), ("2016-3-7", "2016-03-07", "date"),
    ("07/2013", "2013-07", "date"), ("01.2020", "2020-01", "date"), ("2021–05", "2021-05", "date"),
    ("20210504", "2021-05-04", "date"), ("202105", "2021-05", "date"), ("２０２１", "2021", "date"),
    ("2020年1月", "2020-01", "date"), ("2020年1月5日", "2020-01-05", "date"), ("2020년 3월", "2020-03", "date"),
    # With a time: the day as it is written.
    ("2013-07-15T00:00:00Z", "2013-07-15", "date"), ("2013-07-15T23:30:00-05:00", "2013-07-15", "date"),
    ("2013-07-15 10:00", "2013-07-15", "date"), ("Thu May 14 2014 00:00:00 GMT+0000 (UTC)", "2014-05-14", "date"),
    ("Wed, 14 May 2014 10:00:00 +0000", "2014-05-14", "date"),
    # Months by name.
    ("May 2014", "2014-05", "date"), ("Jan 2020", "2020-01", "date"), ("Sept. 2019", "2019-09", "date"),
    ("2020-Jan", "2020-01", "date"), ("14-May-2014", "2014-05-14", "date"), ("May 14th, 2014", "2014-05-14", "date"),
    ("3rd of May 2014", "2014-05-03", "date"), ("14. Mai 2014", "2014-05-14", "date"), ("März 2020", "2020-03", "date"),
    ("1er janvier 2020", "2020-01-01", "date"), ("AOÛT 2018", "2018-08", "date"), ("mayo de 2014", "2014-05", "date"),
    ("1º de maio de 2020", "2020-05-01", "date"), ("mei 2020", "2020-05", "date"), ("May '14", "2014-05", "date"),
    ("May '98", "1998-05", "date"),
    # Days in numbers.
    ("1.2.2020", "2020-02-01", "date"), ("15/07/2013", "2013-07-15", "date"), ("07/15/2013", "2013-07-15", "date"),
    ("03/03/2021", "2021-03-03", "date"), ("05/04/2021", "2021", "date"), ("05-04-2021", "2021", "date"),
    # The year is certain, the rest is not.
    ("Q1 2020", "2020", "date"), ("2020 H2", "2020", "date"), ("Summer 2019", "2019", "date"),
    ("ca. 2015", "2015", "date"), ("Early 2020", "2020", "date"), ("Frühjahr 2018", "2018", "date"),
    # No dates.
    ("2021-13", None, "invalid_date"), ("2021-02-30", None, "invalid_date"), ("2021-05-00", None, "invalid_date"),
    ("31.02.2020", None, "invalid_date"), ("29/02/2021", None, "invalid_date"), ("Feb 30, 2020", None, "invalid_date"),
    ("13/13/2020", None, "invalid_date"), ("0000", None, "invalid_date"), ("May 14", None, "invalid_date"),
    ("05/21", None, "invalid_date"), ("2019-2021", None, "invalid_date"), ("2015 or 2016", None, "invalid_date"),
    ("May 2014 – June 2015", None, "invalid_date"), ("December", None, "invalid_date"), ("soon", None, "invalid_date"),
    ("N/A", None, "invalid_date"), ("x" * 10_000, None, "invalid_date"),
    # Still going on.
    ("Present", None, "present"), ("present.", None, "present"), ("(current)", None, "present"),
    ("heute", None, "present"), ("bis heute", None, "present"), ("aktuell", None, "present"),
    ("Actualidad", None, "present"), ("présent", None, "present"), ("aujourd'hui", None, "present"),
    ("atual", None, "present"), ("in corso", None, "present"), ("heden", None, "present"), ("至今", None, "present"),
    # Numbers.
    (2021, "2021", "type"), (2021.0, "2021", "type"), (20210504, "2021-05-04", "date"), (202105, "2021-05", "date"),
    (1577836800, "2020-01-01", "date"), (1577836800000, "2020-01-01", "date"), (2021.5, None, "invalid_date"),
    (0, None, "invalid_date"), (-2021, None, "invalid_date"), (10**300, None, "invalid_date"),
]  # fmt: skip


@pytest.mark.parametrize(("given_", "value", "code"), DATES)
def test_a_date_is_kept_as_far_as_it_is_certain(given_: object, value: str | None, code: str | None) -> None:
    assert read_date(given_, end=True)[:2] == (value, code)


def test_only_an_end_can_be_the_present() -> None:
    assert read_date("Present", end=False)[:2] == (None, "invalid_date")


@given(st.text(max_size=30) | st.integers() | st.floats() | st.from_regex(r"\A[\w ./-]{1,20}\Z"))
def test_whatever_is_read_is_a_date_that_a_profile_takes(value: str | float) -> None:
    found = read_date(value, end=True)
    assert found.value is None or check_value(found.value, ValueType("partial_date")) == found.value
    assert (found.value is None) <= (found.code is not None)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_day_is_read_from_every_clear_way_to_write_it(day: date) -> None:
    months = "January February March April May June July August September October November December".split()
    month = months[day.month - 1]
    for text in (
        f"{day:%Y/%m/%d}", f"{day.year:04}.{day.month}.{day.day}", f"{day.day}.{day.month}.{day.year:04}",
        f"{day.day} {month} {day.year:04}", f"{month} {day.day}, {day.year:04}",
        f"{month[:3].upper()} {day.day} {day.year:04}",
    ):  # fmt: skip
        assert read_date(text, end=False)[:2] == (day.isoformat(), "date"), text


def test_within_one_year_a_year_alone_is_in_order() -> None:
    assert not ends_before_start("2021-05", "2021")
    assert not ends_before_start("2021", "2021-01-01")
    assert not ends_before_start(None, "2021")
    assert ends_before_start("2021-05", "2021-04-30")
    assert ends_before_start("2021", "2020-12")


URLS = [
    ("https://ada.example/a?b#c", "https://ada.example/a?b#c", None),
    ("HTTP://Ada.Example", "HTTP://Ada.Example", None),
    ("mailto:ada@ada.example", "mailto:ada@ada.example", None),
    ("www.ada.example/work", "https://www.ada.example/work", "url"),
    ("ada.example", "https://ada.example", "url"),
    ("ada.example:8080/a", "https://ada.example:8080/a", "url"),
    ("//ada.example/a", "https://ada.example/a", "url"),
    ("localhost:3000", "https://localhost:3000", "url"),
    ("münchen.example", "https://münchen.example", "url"),
    ("ada@ada.example", "mailto:ada@ada.example", "url"),
    ("https://ada.example/my resume", "https://ada.example/my%20resume", "url"),
    ("javascript:alert(1)", None, "url_scheme"),
    ("JavaScript:alert(1)", None, "url_scheme"),
    ("javascript:ada.example/x", None, "url_scheme"),
    ("data:text/html,<script>alert(1)</script>", None, "url_scheme"),
    ("ftp://ada.example", None, "url_scheme"),
    ("file:///etc/passwd", None, "url_scheme"),
    ("tel:+44123", None, "url_scheme"),
    ("javascript&colon;alert(1)", None, "url"),
    ("@ada", None, "url"),
    ("ada", None, "url"),
    ("me.jpg", None, "url"),
    ("/me.jpg", None, "url"),
    ("https://", None, "url"),
    ("https:///x", None, "url"),
    ("mailto:ada", None, "url"),
    ("https://[::1", None, "url"),
    ("https://ada.example:99999", None, "url"),
]


@pytest.mark.parametrize(("text", "url", "code"), URLS)
def test_an_address_is_completed_or_left_out(text: str, url: str | None, code: str | None) -> None:
    assert read_url(text)[:2] == (url, code)


@given(st.text(max_size=40) | st.from_regex(r"\A[a-z:/.@%#?\[\] ]{1,30}\Z"))
def test_whatever_is_read_is_an_address_that_a_profile_takes(text: str) -> None:
    found = read_url(text.strip())
    assert found.url is None or check_value(found.url, ValueType("url")) is not None


HTML = [
    ("<p>A <b>b</b> c.</p><ul><li>x</li><li>y</li></ul>", "A **b** c.\n\n- x\n- y", "A b c. x y"),
    ("<p>Forms &amp; more</p>", "Forms & more", "Forms & more"),
    ("<li>by 40&nbsp;%</li>", "by 40 %", "by 40 %"),
    ("a<br>b<br/>c", "a\nb\nc", "a b c"),
    ("<h2>T</h2><p>x</p>", "## T\n\nx", "T x"),
    ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c", "a b c"),
    ("<ol start='3'><li>a</li><li>b</li></ol>", "3. a\n4. b", "a b"),
    ("<ul><li><p>a</p></li></ul><p>z</p>", "- a\n\nz", "a z"),
    ('See <a href="https://x.example/a(b)">my page</a>.', "See [my page](https://x.example/a%28b%29).", "See my page."),
    ("<a href='https://x.example'>https://x.example</a>", "https://x.example", "https://x.example"),
    ("<a href='javascript:alert(1)'>x</a>", "x", "x"),
    ("<b>a<br>b</b> c", "**a**\n**b** c", "a b c"),
    ("<p><strong>Lead </strong>dev</p>", "**Lead** dev", "Lead dev"),
    ("<b></b>x<i> </i>", "x", "x"),
    ("<b><p>a</p></b>", "**a**", "a"),
    ("<blockquote>q</blockquote>r", "> q\n\nr", "q r"),
    ("<pre>a\n  b</pre>", "a\n  b", "a b"),
    ("<code>x &lt; y</code>", "`x < y`", "x < y"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc", "a | b c"),
    ("one\ntwo <b>x</b>", "one\ntwo **x**", "one two x"),
    ("AT&amp;T", "AT&T", "AT&T"),
    ("&lt;p&gt;twice&lt;/p&gt;", "twice", "twice"),
    ("&lt;script&gt;alert(1)&lt;/script&gt;hi", "hi", "hi"),
    ("<script>alert(1)</script>", "", ""),
    ("<style>p{}</style><!-- c -->t", "t", "t"),
    ("<img src=x onerror=alert(1) alt='me'>", "me", "me"),
    ("<svg/onload=alert(1)>", "", ""),
]


@pytest.mark.parametrize(("markup", "markdown", "plain"), HTML)
def test_html_becomes_markdown_or_words(markup: str, markdown: str, plain: str) -> None:
    assert is_html(markup)
    assert (to_markdown(markup), to_plain(markup)) == (markdown, plain)


@pytest.mark.parametrize(
    "words",
    ["5 < 7 steps", "a<b && c>d", "AT&T", "R&D; done", "the <canvas> element", "vector<int>", "<3", "x &notanentity; y",
     "List<String>", "-> <-"],
)  # fmt: skip
def test_words_that_look_like_html_stay(words: str) -> None:
    assert not is_html(words)
    assert to_markdown(words) == words


@given(st.text(alphabet="<>/&;#x'\"= \nabpliu!-", max_size=80))
def test_no_markup_makes_the_reader_fail(text: str) -> None:
    to_markdown(text)
    assert "\n" not in to_plain("<p>" + text)


@pytest.mark.parametrize(
    "piece", ["<b>", "<ul><li>", "<div>", "<a href=x>", "<!--", "<table>", "&lt;", "<p ", "</p><p>"]
)
def test_deep_or_broken_markup_costs_no_more_than_its_length(piece: str) -> None:
    def cost(times: int) -> float:
        begun = time.process_time()
        to_markdown(piece * times)
        return time.process_time() - begun

    # Sixteen times the length: a square would be 256 times the time.
    assert cost(16_000) < 100 * max(cost(1_000), 0.001)
