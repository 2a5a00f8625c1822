"""Months and "until now" in the languages that resumes are often written in. Folded: lower case, no accents, no dots.

Above: `resume_dates`. Below: nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping


def folded(text: str) -> str:
    """Lower case without accents, so that `Août`, `AOUT` and `août` are one word."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c))


# One row a month: full names, usual short forms.
_ROWS = (
    # en de fr es it pt nl sv da no pl cs fi tr
    "january jan januar jaenner janner janvier janv enero ene gennaio gen janeiro januari styczen stycznia sty leden "
    "ledna tammikuu tammikuuta ocak oca",
    "february feb februar fevrier fevr fev febrero febbraio fevereiro februari luty lutego lut unor unora helmikuu "
    "helmikuuta subat sub",
    "march mar marz maerz mrz mars marzo marco maart mrt marts marzec marca brezen brezna maaliskuu maaliskuuta mart",
    "april apr avril avr abril abr aprile kwiecien kwietnia kwi duben dubna huhtikuu huhtikuuta nisan nis",
    "may mai mayo maggio mag maio mei maj maja kveten kvetna toukokuu toukokuuta mayis",
    "june jun juni juin junio giugno giu junho czerwiec czerwca cze cerven cervna kesakuu kesakuuta haziran haz",
    "july jul juli juillet juil julio luglio lug julho lipiec lipca lip cervenec cervence heinakuu heinakuuta temmuz "
    "tem",
    "august aug aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna elokuu elokuuta agustos agu",
    "september sept sep septembre septiembre set settembre setembro wrzesien wrzesnia wrz zari syyskuu syyskuuta eylul "
    "eyl",
    "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz rijen rijna lokakuu "
    "lokakuuta ekim eki",
    "november nov novembre noviembre novembro listopad listopada lis listopadu marraskuu marraskuuta kasim kas",
    "december dec dezember dez decembre diciembre dic dicembre dezembro desember des grudzien grudnia gru prosinec "
    "prosince joulukuu joulukuuta aralik ara",
)
MONTHS: Mapping[str, int] = {name: number for number, row in enumerate(_ROWS, 1) for name in row.split()}

# Words that may stand around a date without changing it.
FILLERS = frozenset(
    "of the de del di do da den der am le el il on in since from ab seit depuis desde dal vom van den a "
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche "
    "lunes martes miercoles jueves viernes sabado domingo".split()
)

PRESENT = frozenset(
    folded(word)
    for word in (
        "present", "the present", "to present", "until present", "till present", "presently", "current", "currently",
        "now", "until now", "till now", "today", "to date", "till date", "ongoing", "on-going", "still", "in progress",
        "to-date", "still working", "no end date", "continuing",
        "heute", "bis heute", "aktuell", "derzeit", "gegenwärtig", "gegenwart", "laufend", "jetzt", "bis jetzt",
        "zurzeit", "andauernd",
        "présent", "à présent", "aujourd'hui", "jusqu'à aujourd'hui", "actuel", "actuellement", "en cours", "à ce jour",
        "maintenant", "ce jour",
        "actualidad", "la actualidad", "en la actualidad", "hasta la actualidad", "actual", "actualmente", "presente",
        "hasta el presente", "hoy", "en curso", "hasta la fecha", "a la fecha", "hasta hoy", "ahora",
        "oggi", "ad oggi", "attuale", "attualmente", "in corso",
        "atual", "atualmente", "o momento", "até o momento", "até hoje", "hoje", "em andamento", "em curso",
        "atualidade",
        "heden", "tot heden", "nu", "momenteel", "huidig",
        "nuvarande", "pågående", "idag", "i dag", "nuværende", "nåværende", "nå", "pågår",
        "obecnie", "do teraz", "w trakcie", "současnost", "dosud", "nyt", "nykyinen", "edelleen", "halen", "günümüz",
        "devam ediyor", "настоящее время", "по настоящее время", "н.в.", "сейчас", "現在", "现在", "至今", "현재",
        "∞", "…",
    )
)  # fmt: skip

# Parts of a year: the year is certain, the month is not.
PARTS_OF_YEAR = frozenset(
    "spring summer autumn fall winter fruhling fruhjahr sommer herbst printemps ete automne hiver primavera verano "
    "otono invierno estate autunno inverno early mid late end beginning begin start anfang mitte ende debut fin ca "
    "circa about approx approximately around vers etwa um year jahr annee ano anno class".split()
)
