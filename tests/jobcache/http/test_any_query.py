"""No query gives an error."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.jobcache.service import Service

SIGNS = st.text(
    st.sampled_from("\"'*^():{}[]+-~.,/\\&#!?<>=|%_$ \t\n\x00aRCc+# NEAR AND OR NOT データ后مह💥é"), max_size=60
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=200) | SIGNS, location=st.none() | st.text(max_size=60) | SIGNS)
def test_any_query_and_any_location_is_answered_with_a_page(
    cases_service: Service, query: str, location: str | None
) -> None:
    page = cases_service.page(query=query, location=location, limit=2)
    assert set(page) == {"roles", "total", "next_cursor", "corpus_version"}
    assert len(page["roles"]) == min(2, page["total"])
    if page["next_cursor"] is not None:
        following = cases_service.page(query=query, location=location, limit=2, cursor=page["next_cursor"])
        shown = {role["role"] for role in page["roles"]}
        assert not shown & {role["role"] for role in following["roles"]}


def test_operators_of_the_full_text_engine_are_mere_words(cases_service: Service) -> None:
    for query in (
        'python AND "developer',
        "title:python",
        "NEAR(python developer)",
        "python*",
        "-python",
        "^python",
        "a OR",
    ):
        assert cases_service.search(query=query).status_code == 200
