"""Countries and larger cities by name, for search filters and profile fields. Folded names, ISO 3166-1 codes."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

_COUNTRY_NAMES = {
    "DE": "germany deutschland", "GB": "united-kingdom uk great-britain britain england scotland wales northern-ireland u.k.",
    "IE": "ireland", "FR": "france", "ES": "spain", "PT": "portugal", "IT": "italy", "CH": "switzerland schweiz suisse", "AT": "austria",
    "NL": "netherlands the-netherlands holland", "BE": "belgium", "LU": "luxembourg", "DK": "denmark", "SE": "sweden", "NO": "norway",
    "FI": "finland", "IS": "iceland", "PL": "poland", "CZ": "czechia czech-republic", "SK": "slovakia", "HU": "hungary", "RO": "romania",
    "BG": "bulgaria", "GR": "greece", "HR": "croatia", "SI": "slovenia", "RS": "serbia", "EE": "estonia", "LV": "latvia", "LT": "lithuania",
    "MT": "malta", "CY": "cyprus", "UA": "ukraine", "TR": "turkey turkiye", "IL": "israel", "US": "united-states usa us u.s. america u.s.a.",
    "CA": "canada", "MX": "mexico", "BR": "brazil", "AR": "argentina", "CL": "chile", "CO": "colombia", "AU": "australia",
    "NZ": "new-zealand", "JP": "japan", "CN": "china", "IN": "india", "SG": "singapore", "HK": "hong-kong", "KR": "south-korea korea",
    "TW": "taiwan", "TH": "thailand", "VN": "vietnam", "MY": "malaysia", "ID": "indonesia", "PH": "philippines", "ZA": "south-africa",
    "EG": "egypt", "MA": "morocco", "KE": "kenya", "NG": "nigeria", "AE": "uae united-arab-emirates", "SA": "saudi-arabia", "LI": "liechtenstein",
}  # fmt: skip
COUNTRIES = {name.replace("-", " "): code for code, names in _COUNTRY_NAMES.items() for name in names.split()}
CITIES = frozenset(
    """london bristol bath cardiff manchester leeds birmingham edinburgh glasgow cambridge oxford plymouth liverpool sheffield nottingham
    newcastle brighton reading southampton exeter york belfast dublin cork berlin munich muenchen munchen hamburg cologne koeln koln
    frankfurt stuttgart duesseldorf dusseldorf leipzig dresden hannover nuremberg nuernberg nurnberg bremen essen dortmund bonn karlsruhe
    mannheim freiburg zurich zuerich geneva basel bern berne lausanne lucerne luzern zug winterthur vienna wien graz linz salzburg paris
    lyon marseille toulouse nantes bordeaux lille strasbourg nice montpellier rennes grenoble madrid barcelona valencia seville malaga
    bilbao lisbon porto rome milan turin bologna florence naples amsterdam rotterdam utrecht eindhoven brussels antwerp ghent
    luxembourg copenhagen aarhus stockholm gothenburg malmo oslo bergen helsinki tampere reykjavik warsaw krakow wroclaw gdansk prague brno
    bratislava budapest bucharest sofia athens zagreb ljubljana belgrade tallinn riga vilnius kyiv istanbul seattle boston chicago austin
    denver atlanta toronto montreal vancouver ottawa sydney melbourne brisbane auckland tokyo osaka singapore bangalore bengaluru mumbai
    delhi hyderabad pune dubai""".split()
) | {
    "new york",
    "san francisco",
    "los angeles",
    "hong kong",
    "tel aviv",
    "the hague",
    "milton keynes",
    "cape town",
    "mexico city",
}

_COUNTRY = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, COUNTRIES), key=lambda n: -len(n))) + r")(?![\w-])"
)
_CITY = re.compile(r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, CITIES), key=lambda n: -len(n))) + r")(?![\w-])")


def read_country(text: str) -> str | None:
    """The code of a country named alone, or a code itself in capital letters."""
    word = text.strip(" .,!?")
    return COUNTRIES.get(word.removeprefix("the "))


def find_country(text: str) -> tuple[str, int, int] | None:
    for match in _COUNTRY.finditer(text):
        # "us" and "in" are words as well: "us" counts only after "in the".
        if match.group() == "us" and not re.search(r"\b(?:the|in|usa?,) $", text[: match.start()]):
            continue
        return COUNTRIES[match.group()], match.start(), match.end()
    return None


def find_city(text: str) -> tuple[int, int] | None:
    found = None
    for match in _CITY.finditer(text):
        found = match.span()
    return found
