"""The words that turn numbers and dates into claims: months, numerals, currencies, things that are counted, labels.

English, as the answers are; another language adds its words here. Pure data and lookups.
"""

from __future__ import annotations

from typing import Final

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"),
            ("november", "nov"), ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip

WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"), ("tuesday", "tue", "tues"), ("wednesday", "wed"), ("thursday", "thu", "thur", "thurs"),
            ("friday", "fri"), ("saturday", "sat"), ("sunday", "sun"),
        )
    )
    for name in names
}  # fmt: skip

NUMERALS: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100, "dozen": 12}

SYMBOLS: Final = {
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP"}),
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₹": frozenset({"INR"}),
    "zł": frozenset({"PLN"}),
}
CURRENCY_WORDS: Final = {
    "euro": frozenset({"EUR"}), "euros": frozenset({"EUR"}), "dollar": SYMBOLS["$"], "dollars": SYMBOLS["$"],
    "pounds": frozenset({"GBP"}), "francs": frozenset({"CHF"}), "fr": frozenset({"CHF"}), "lpa": frozenset({"INR"}),
}  # fmt: skip
CURRENCIES: Final = frozenset(
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MXN MYR NGN NOK NZD"
    " PHP PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".split()
)

PERIODS: Final = {
    "hour": "hour", "hourly": "hour", "h": "hour", "hr": "hour", "day": "day", "daily": "day", "month": "month",
    "monthly": "month", "year": "year", "yearly": "year", "annum": "year", "annually": "year", "annual": "year",
    "pa": "year", "yr": "year",
}  # fmt: skip

DURATIONS: Final = {
    "minute": "minute", "minutes": "minute", "hour": "hour", "hours": "hour", "day": "day", "days": "day",
    "week": "week", "weeks": "week", "month": "month", "months": "month", "year": "year", "years": "year",
}  # fmt: skip

# What a count counts: the noun in an answer → the names under which the results hold such things.
COUNTED: Final = {
    noun: things
    for nouns, things in (
        ("application applications card cards", frozenset({"application"})),
        ("job jobs role roles ad ads posting postings opening openings match matches result results hit hits position"
         " positions vacancy vacancies", frozenset({"role", "application", "total"})),
        ("note notes", frozenset({"note"})),
        ("letter letters", frozenset({"letter"})),
        ("task tasks todo todos", frozenset({"tasks"})),
        ("document documents item items record records thing things entry entries action actions step steps",
         frozenset({"document", "application", "note", "letter", "tasks", "checklist", "interviews", "dated",
                    "total"})),
        ("interview", frozenset({"interviews", "interviewing"})),
        ("interviews", frozenset({"interviews"})),
        ("contact contacts", frozenset({"contacts"})),
        ("offer offers", frozenset({"offer"})),
        ("rejection rejections", frozenset({"rejected"})),
        ("checklist", frozenset({"checklist"})),
        ("search searches", frozenset({"saved_searches"})),
        ("skill skills", frozenset({"skills"})),
        ("language languages", frozenset({"languages"})),
        ("project projects", frozenset({"projects"})),
        ("certificate certificates", frozenset({"certificates"})),
        ("deadline deadlines", frozenset({"deadline", "due"})),
        ("operation operations change changes", frozenset({"operations"})),
        ("receipt receipts", frozenset({"receipts"})),
    )
    for noun in nouns.split()
}  # fmt: skip

# A label in an answer → the fields it speaks of. A date or number beside it must come from one of them.
LABELS: Final = {
    label: fields
    for labels, fields in (
        ("deadline|closes|closing|apply by", frozenset({"deadline", "valid_through"})),
        ("due|overdue", frozenset({"deadline", "due", "next_step_on", "valid_through"})),
        ("applied|submitted|sent", frozenset({"applied_on"})),
        ("next step|follow up|follow-up|next action", frozenset({"next_step_on", "next_step", "due"})),
        ("interview|interviews|interviewed|call|meeting", frozenset({"starts_at", "ends_at", "next_step_on"})),
        ("posted|published", frozenset({"posted_on"})),
        ("available|availability", frozenset({"available_from"})),
        ("expires|expire|valid until|valid through|undo until", frozenset({"expires_at", "valid_through"})),
        ("checked|fetched|last seen|seen on", frozenset({"checked_at", "fetched_at"})),
        ("changed|edited|updated", frozenset({"at", "created_at"})),
        ("weekly goal|goal", frozenset({"weekly_goal"})),
    )
    for label in labels.split("|")
}  # fmt: skip
LABELLED_FIELDS: Final = frozenset().union(*LABELS.values())

CHOICES: Final = {
    "stage": "saved preparing applied screening interviewing offer accepted rejected withdrawn".split(),
    "tier": "dream target safe".split(),
    "work_mode": "remote hybrid onsite".split(),
    "status": "draft final".split(),
    "state": "active archived".split(),
    "outcome": "pending passed failed cancelled".split(),
    "done": "open done".split(),
    "freshness": "fresh stale expired".split(),
}
CHOICE_WORDS: Final = {word: field for field, words in CHOICES.items() for word in words} | {
    "on-site": "work_mode", "drafts": "status", "offers": "stage", "overdue": "when", "unfinished": "done",
    "finished": "done", "completed": "done",
}  # fmt: skip
CHOICE_SYNONYMS: Final = {
    "on-site": "onsite", "drafts": "draft", "offers": "offer", "unfinished": "open", "finished": "done",
    "completed": "done",
}  # fmt: skip
