"""What may leave for the public job corpus, and what may not, in every disguise that is worth the trouble."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.tools.private_query import holds_secret, is_private
from workspaces import facade

NAMES = frozenset(
    {"tamsin oakvale", "björn müller-łukasz", "rose baker", "recruiting team", "li wu", "王小明", "o'brien", "max"}
)
SECRET = "cvl_" + "aB3-_xY9" * 5 + "q7Z"

PRIVATE = [
    # a whole name counts also where it is a common word
    "max",
    "max 40 hours",
    # names: whole, parts, spacing, case, punctuation, accents, look-alikes, invisible, digits for letters
    "Tamsin Oakvale",
    "python jobs for oakvale",
    "OAKVALE engineer",
    "tamsin",
    "Oakvale, T.",
    "Oakvale's next job",
    "t a m s i n o a k v a l e",
    "T.A.M.S.I.N python",
    "tam sin oak vale",
    "tam-sin developer",
    "tamsinoakvale",
    "developer_tamsin_oakvale",
    "tamsin2026 developer",
    "Tаmsin developer",  # Cyrillic а
    "oаkvаle",  # Cyrillic а twice
    "ＴＡＭＳＩＮ",  # full width
    "Ｏａｋｖａｌｅ jobs",
    "t\u200bamsin developer",  # zero width space
    "oak\u00advale",  # soft hyphen
    "ta\u0301msin",  # combining accent
    "Tàmsïn Öakvale",
    "t4ms1n developer",
    "0akva1e",
    "𝕥𝕒𝕞𝕤𝕚𝕟 developer",
    "Oakvale Tamsin",
    "muller",
    "Mueller developer",
    "müller java",
    "lukasz",
    "Rose Baker",
    "baker rose jobs",
    "r o s e b a k e r",
    "Li Wu",
    "王小明 工程师",
    "jobs like o'brien has",
    # links and secrets
    SECRET,
    f"python {SECRET}",
    SECRET[4:],
    "cvh_0123456789abcdef",
    "jcl_abcdefghijk",
    "c v l _ a B 3 x Y 9 q q",
    "CVL_AB3XY9QQQQ",
    "ｃｖｌ＿aB3xY9qq12",
    # ids of ours
    "ws_01M8QAZRHR9KP0PTGM7WWR2HPT",
    "application:01M8QAZRHR9KP0PTGM7WWR2HPT",
    "APPLICATION:01m8qazrhr9kp0ptgm7wwr2hpt",
    "01M8QAZRHR9KP0PTGM7WWR2HPT",
    "01M8 QAZR HR9K P0PT GM7W WR2H PT",
    "rcp_01M8QAZRHR9KP0PTGM7WWR2HPT python",
    "thr_01M8QAZRHR9KP0PTGM7WWR2HPT",
    "con_01M8QAZRHR9KP0PTGM7WWR2HPT",
    "itm_01M8QAZRHR9KP0PTGM7WWR2HPT",
    # e-mail
    "tamsin@oakvale.example",
    "someone@example.com python",
    "someone @ example . com",
    "someone＠example.com",
    "someone (at) example.com",
    "someone [at] example [dot] com",
    "someone at example dot com",
    "mailto:x@example.com",
    "first.last+tag@mail.example.co.uk",
    # phone numbers
    "+41 44 668 18 00",
    "0041446681800",
    "044 668 18 00",
    "call 079/123 45 67",
    "(555) 123-4567",
    "555-123-4567",
    "5551234567",
    "+1.555.123.4567",
    "٠٤٤ ٦٦٨ ١٨ ٠٠",  # Arabic-Indic digits
    "０４４ ６６８ １８ ００",
]

PUBLIC = [
    "python developer zurich",
    "senior backend engineer (m/w/d)",
    "C++ developer 80000-100000 CHF",
    "C# .NET 8",
    "node.js react @angular/core",
    "baker",
    "night baker in Bern",
    "rose grower",
    "recruiting team lead",
    "talent acquisition manager",
    "maximum flexibility",
    "entry level 2024 2025 2026",
    "40 hours, 80-100%",
    "salary 120000",
    "90k-110k",
    "24/7 support engineer",
    "Softwareentwickler München",
    "ingénieur logiciel à Genève",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "développeur full-stack télétravail",
    "ISO 27001 auditor",
    "SAP S/4HANA consultant",
    "level 2 technician",
    "3 days a week",
    "data engineer 2026",
    "oak furniture maker",
    "vale of glamorgan driver",
    "sinter engineer tamper",
    "work at booking.com",
    "li-ion battery engineer",
    "工程师 上海",
    "機械学習エンジニア",
    "инженер программист",
    "1,500 employees",
    "postcode 8005",
    "postdoc 01.01.2027",
    "start 2027-01-15",
    "EUR 50.000 - 60.000",
]


@pytest.mark.parametrize("query", PRIVATE)
def test_private_words_are_found(query: str) -> None:
    assert is_private([query], names=NAMES)


@pytest.mark.parametrize("query", PUBLIC)
def test_public_words_pass(query: str) -> None:
    assert not is_private([query], names=NAMES)


def test_a_name_split_over_two_arguments_is_found_in_both_together() -> None:
    assert is_private(["engineer t a m", "s i n", "engineer t a m s i n"], names=NAMES)


@pytest.mark.parametrize("prefix", ["ws", "lnk", "con", "thr", "trn", "tev", "evt", "op", "rcp", "tcl", "itm"])
def test_every_id_that_we_mint_is_found(prefix: str) -> None:
    made = facade.new_id(prefix)
    for query in (made, made.lower(), f"job {made}", made.replace("_", " "), made.replace("_", " _ ")):
        assert is_private([query], names=()), query


def test_opaque_cursors_pass_unless_they_hold_a_secret() -> None:
    assert not holds_secret("eyJvIjoxMCwiayI6IjAwMDAifQ")
    assert holds_secret("tamsin@oakvale.example")
    assert holds_secret(f"x {SECRET}")


@given(st.text(max_size=200), st.frozensets(st.text(max_size=40), max_size=5))
def test_any_text_and_any_names_give_an_answer(query: str, names: frozenset[str]) -> None:
    assert is_private([query], names=names) in (True, False)


@settings(max_examples=40)
@given(st.sampled_from(["tamsin oakvale", "rose baker", "björn müller-łukasz"]), st.data())
def test_a_whole_name_is_found_whatever_stands_between_its_letters(name: str, data: st.DataObject) -> None:
    separators = st.sampled_from(["", " ", "\u200b", ".", "-", "  ", "_", "\u00ad", "/"])
    written = "".join(
        (letter.upper() if data.draw(st.booleans()) else letter) + data.draw(separators) for letter in name
    )
    assert is_private([f"job {written}"], names=NAMES)
