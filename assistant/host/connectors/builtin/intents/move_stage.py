"""An application changes its stage: told to ("move X to offer") or reported ("X turned me down")."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

from datetime import date, timedelta

from assistant.host.connectors.builtin.changes import move_stage, set_field
from assistant.host.connectors.builtin.dates import find_date, say_date
from assistant.host.connectors.builtin.outcome import AlreadySo, AskBack, Change
from assistant.host.connectors.builtin.say import listed
from assistant.host.connectors.builtin.targets import applications
from assistant.host.connectors.builtin.vocabulary import OPEN_STAGES, STAGE, STAGE_WORDS, read_stage
from assistant.host.connectors.builtin.workspace import Document

from .base import DET, TARGET, Intent, Request, pattern

_MOVE = (
    r"(?:move|moving|put|putting|shift|shifting|drag|push|bump|advance|promote|change|update|set|switch|mark|marking|transfer|bring|return|take|flag|progress|"
    r"place|reset|demote|advance|pull|get|classify|label|tag|file|list|record|register|log|relocate|slide|step)"
)
_INTO = r"(?:back )?(?:to|into|in|as|over to|on to|onto|on|under|at|up to|down to|being|=|->)(?: be)?"
_STAGE_END = rf"{DET}(?P<stage>{STAGE})(?: (?:stage|column|phase|list|pile|status|round|state|section|step|again|now))*"
_WHEN = r"(?P<when>(?:,? (?:today|yesterday|just now|this (?:morning|afternoon|week)|on .{3,25}|last .{3,12}|(?:a|two|three|[0-9]+) days? ago|a week ago|earlier|tonight|already|finally|sadly|unfortunately))*)"
_I = r"(?:i|we)(?:'ve| have|'m| am)?(?: (?:just|finally|already|also|now|sadly|unfortunately|happily|officially|decided to|have|today))*"
_THEY = r"(?: (?:just|finally|already|also|now|sadly|unfortunately|officially|apparently|kindly|happily|has|have|had|today))*"
_ME = r"(?: me| us)"
_ROUND = r"(?:an? |the |another |my |to )*(?:first|second|third|final|next|follow-up|last|1st|2nd|3rd|job|video|phone|technical|onsite|panel|face to face|in-person)?(?: round)?(?: of)? ?"
_OFFER_WORD = r"(?:(?:an|the|a|their|my) )?(?:(?:job|formal|written|verbal|good|great|firm) )?(?:offer|contract|job|position|role)"
_MOVED_AHEAD = r"(?:move|advance|promote|push|bump|progress|take|bring|shift)"

PATTERNS = (
    # Told to.
    pattern(rf"{_MOVE} (?P<field>the )?(?:stage|status|state|column|phase) (?:of|for|on) {DET}{TARGET} {_INTO} {_STAGE_END}", 3),
    pattern(rf"{_MOVE} {DET}{TARGET}(?:'s?)? (?:stage|status|column|phase) {_INTO} {_STAGE_END}", 3),
    pattern(rf"{_MOVE} {DET}{TARGET} {_INTO} {_STAGE_END}{_WHEN}", 3),
    pattern(rf"{_MOVE} {DET}{TARGET}(?:,)? (?P<stage>rejected|accepted|withdrawn|applied|saved|interviewing|screening)", 2),
    pattern(rf"{DET}(?:stage|status) (?:of|for|at) {TARGET}(?: is| is now|:| =| should be| to)+ {_STAGE_END}", 3),
    pattern(rf"{DET}{TARGET}(?:'s)? (?:stage|status)(?: is| is now|:| =| should be| to| changed to)+ {_STAGE_END}", 3, asserts=True),
    pattern(rf"{DET}{TARGET} (?:goes|should (?:be|go)|belongs|can go|needs to (?:be|go)|moves|moved|has moved|is moving|progressed|went|gone|has gone|have gone|has been moved|was moved|got|advanced|must go|moved me|(?:has |have )?moved me on|put me|has put me)(?: back| on| up| now)* {_INTO} {_STAGE_END}{_WHEN}", 2, asserts=True),
    pattern(rf"{DET}{TARGET} (?:is|are)(?: now| currently| back)* (?:at|in|on) {_STAGE_END}{_WHEN}", 2, asserts=True),
    pattern(rf"{DET}{TARGET} (?:is|are|was)(?: now| currently| back| already)* (?P<stage>interviewing|screening|applied|rejected|withdrawn|accepted|saved|preparing)(?: now)?{_WHEN}", 2, asserts=True),
    pattern(rf"{DET}{TARGET} (?:has )?reached {_STAGE_END}", 2, asserts=True),
    pattern(rf"(?:(?:i )?(?:heard (?:back )?from|news from|update (?:on|from)|a reply from|reply from|an answer from|answer from) )?{DET}{TARGET} ?(?:->|=>|:|=) ?(?:i'm |i was |i am )?(?P<stage>{STAGE})(?: stage)?{_WHEN}", 2),
    pattern(rf"(?P<stage>interviewing|screening)(?: now)? (?:with|at|for) {TARGET}{_WHEN}", 2, asserts=True),
    pattern(rf"{_MOVED_AHEAD} {DET}{TARGET} (?:forward|ahead|along|on|up|one (?:stage|step|column)(?: (?:forward|ahead|on|up))?|to the next (?:stage|step|column|phase)|a (?:stage|step)(?: forward| ahead)?)", 3, note="next"),
    pattern(rf"advance {DET}{TARGET}", 1, note="next"),
    pattern(rf"(?:move|put|push|take|bring|shift|set) {DET}{TARGET} (?:back(?:wards?)?(?: (?:one|a) (?:stage|step|column))|(?:one|a) (?:stage|step|column) back|to the previous (?:stage|step|column|phase))", 3, note="previous"),
    # Rejected.
    pattern(rf"{_I} (?:got|was|been|were|get)(?: just| been)* (?:rejected|turned down|declined|refused|dropped|dumped|ghosted|knocked back|passed over|denied|let down|cut) (?:by|from|at|for|with) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"(?:got |been |was )?(?:rejected|turned down|refused|declined) (?:by|from|at) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"{DET}{TARGET}{_THEY} (?:rejected|declined|refused|turned down|turned|dropped|ditched|passed on|said no to|decided against|knocked back|ghosted|dumped|denied|cut|let){_ME}(?: down)?(?: after .*| for .*)?{_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"{DET}{TARGET}{_THEY} (?:turned me down|let me down|sent me a (?:rejection|no)\b.*|(?:sent|wrote|emailed) (?:me )?a rejection.*|said no|passed|went with (?:someone|somebody|another|other).*|chose (?:someone|somebody|another|a different).*|picked (?:someone|somebody|another).*|hired (?:someone|somebody|another).*|filled the (?:role|position|job).*|gave (?:it|the job) to .*){_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"{DET}{TARGET} (?:decided|chose|chosen|opted)(?: not to| against).*", 3, note="rejected"),
    pattern(rf"{DET}{TARGET} (?:doesn't|does not|don't|do not|didn't|did not|won't|will not|isn't|is not|aren't|are not) (?:want|take|hire|interested|moving|proceed|continu\w+|going|pursue|invit\w+|go)\b.*(?:me|forward|on|ahead|further|interested|with my application)?", 3, note="rejected"),
    pattern(rf"(?:i |we )?(?:just )?(?:got|received|had|have|there(?:'s| is)|another|it's|it is)?(?: an?| the)? ?(?:rejection|rejection (?:letter|email|e-mail|mail|call)|a no|no) (?:from|by|at) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"{_I}? ?(?:didn't|did not|haven't|have not) (?:get|gotten|got|land) (?:the )?(?:job|role|position|offer)?(?: at| from| with)? ?{DET}{TARGET}", 3, note="rejected"),
    pattern(rf"no luck (?:with|at) {DET}{TARGET}", 3, note="rejected"),
    pattern(rf"{DET}{TARGET} (?:fell through|is off|is dead|didn't work out|did not work out|is over)", 2, note="rejected"),
    pattern(rf"they(?:'ve| have)? (?:just |finally |sadly )*(?:rejected|turned) (?:me|us)(?: down)? (?:at|for|from) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"(?:my |the |our )?(?:job )?(?:application|candidacy) (?:to|at|for|with) {DET}{TARGET}{_THEY} (?:was|is|got|has been|been|went)(?: just| sadly)* (?:rejected|declined|refused|turned down|unsuccessful|denied|nowhere|passed over){_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"{_I} (?:no longer|not) in the running (?:at|for|with) {DET}{TARGET}", 3, note="rejected"),
    pattern(rf"(?:my |the )?{TARGET} application (?:was|is|got|has been|just got)(?: sadly| just)* (?:rejected|declined|refused|turned down|unsuccessful|denied){_WHEN}", 3, asserts=True, note="rejected"),
    pattern(rf"they(?:'ve)?{_THEY} (?:rejected me|turned me down|said no|declined me|declined|passed on me|went with (?:someone|somebody|another).*|ghosted me|don't want me){_WHEN}", 2, asserts=True, note="rejected"),
    pattern(rf"they(?:'ve)?{_THEY} (?:offered{_ME} {_OFFER_WORD}|made{_ME} {_OFFER_WORD}|gave{_ME} {_OFFER_WORD}|want to hire{_ME}|want{_ME}|sent{_ME} {_OFFER_WORD})(?: (?:at|with|from|for) {DET}{TARGET})?{_WHEN}", 2, asserts=True, note="offer"),
    pattern(rf"they(?:'ve|'d)?{_THEY} (?:invited{_ME} to {_ROUND}interviews?|want to interview{_ME}|like to interview{_ME}|want an interview|asked{_ME} (?:in |to come )?for {_ROUND}interview|asked for an interview)(?: (?:at|with|from|for) {DET}{TARGET})?{_WHEN}", 2, asserts=True, note="interviewing"),
    pattern(rf"(?:{_I} (?:taking|accepting|accepted|accept|took|take|said yes to)|i'll (?:take|accept)) (?:it|the job|the offer|their offer){_WHEN}", 2, asserts=True, note="accepted"),
    pattern(rf"(?:it(?:'s| is)|they(?:'re| are)|that(?:'s| is))? ?(?:now |so )?back (?:to|in|at) {_STAGE_END}", 2, asserts=True),
    pattern(rf"(?:i'd like|i would like|i want|have|get|i need) {DET}{TARGET} (?:to be )?(?:moved|put|set|shifted|marked|changed|updated|switched|dragged|placed|filed) {_INTO} {_STAGE_END}", 3),
    pattern(rf"{DET}{TARGET}(?: job| role| position)? (?:went|has gone|was given|has been given|goes) to (?:someone|somebody|another|an internal|a different)[^\n]*", 3, asserts=True, note="rejected"),
    pattern(rf"(?:it(?:'s| is| was) )?(?:a no|a rejection|a pass) (?:from|at|by) {DET}{TARGET}", 3, asserts=True, note="rejected"),
    pattern(rf"{DET}{TARGET} (?:aren't|are not|isn't|is not|won't be|will not be) (?:taking|hiring|considering|choosing|offering){_ME}[^\n]{{0,40}}", 3, note="rejected"),
    # Applied.
    pattern(rf"{_I} (?:applied|sent (?:off |in |out )?(?:my |the |an )?(?:application|cv|resume|papers|documents)|submitted(?: (?:my|the|an) (?:application|cv|resume))?|handed in my application|filed my application)(?: (?:to|at|for|with|in at))+ {DET}{TARGET}{_WHEN}", 2, asserts=True, note="applied"),
    pattern(rf"(?:just |finally |already )?(?:applied|application sent|sent (?:my |the )?application|submitted (?:my |the )?application)(?: (?:to|at|for|with))+ {DET}{TARGET}{_WHEN}", 2, asserts=True, note="applied"),
    pattern(rf"{_I} (?:sent|submitted|finished|handed in|completed|filed) (?:my |the )?{DET}{TARGET} application{_WHEN}", 3, asserts=True, note="applied"),
    pattern(rf"(?:my |the )?application (?:to|at|for|with) {DET}{TARGET} (?:is|has been|was|went)(?: now| just| finally)* (?:out|in|sent|submitted|off|done|gone|away|finished)(?: out| off)?{_WHEN}", 3, asserts=True, note="applied"),
    pattern(rf"(?:my |the )?{TARGET} application (?:is|has been|was|went|got)(?: now| just| finally)* (?:out|in|sent|submitted|handed in|filed|off|away)(?: out| off)?{_WHEN}", 3, asserts=True, note="applied"),
    pattern(rf"{_I} sent {DET}{TARGET} my (?:application|cv|resume){_WHEN}", 3, asserts=True, note="applied"),
    pattern(rf"(?P<when>today|yesterday|this morning|this afternoon|last (?:night|week|[a-z]+day)|on [^\n,]{{3,25}}?),? {_I} (?:applied|sent (?:off )?(?:my|the|an) application)(?: (?:to|at|for|with))+ {DET}{TARGET}", 3, asserts=True, note="applied"),
    pattern(rf"{_I} applied (?P<when>today|yesterday|this morning|this afternoon|last (?:night|week|[a-z]+day)|on [^\n]{{3,25}}?)(?: (?:to|at|for|with))+ {DET}{TARGET}", 3, asserts=True, note="applied"),
    pattern(rf"(?:my |the )?(?:cv|resume|papers|documents) (?:is|are|has been|have been|was|were|went)(?: now| just| finally)* (?:sent|submitted|off|out)(?: off| out)? to {DET}{TARGET}{_WHEN}", 3, asserts=True, note="applied"),
    pattern(rf"sent(?: off| in| out)? (?:my|the) {TARGET} application(?: off| in| out)?{_WHEN}", 3, asserts=True, note="applied"),
    # Withdrawn.
    pattern(rf"(?:withdraw|withdrawing|pull|pulling|cancel|retract|take back|drop|rescind|abandon)(?: (?:my|the|our))? ?(?:job )?(?:application|candidacy|candidature)s?(?: (?:at|to|for|from|with|of))? {DET}{TARGET}{_WHEN}", 3, note="withdrawn"),
    pattern(rf"(?:withdraw|withdrawing|pull out|pulling out|back out|step back|bow out|drop out)(?: (?:from|of|at))* {DET}{TARGET}{_WHEN}", 3, note="withdrawn"),
    pattern(rf"(?:withdraw|drop|abandon|forget|retract) {DET}{TARGET}(?: application| job| role)?", 2, note="withdrawn"),
    pattern(rf"(?:withdraw|pull|take) (?:me|my name|us) (?:out |off |away )?(?:of|from)(?: the (?:running|process|race) (?:at|for|with))? {DET}{TARGET}", 3, note="withdrawn"),
    pattern(rf"{_I} (?:withdrew|withdraw|pull out|back out|drop out|step back|bow out|pulled out|backed out|withdrawing|pulling out|dropped out|withdrawn|bowed out|stepped back|quit|cancelled|canceled|retracted)(?: my application| the application| my candidacy)?(?: (?:from|of|at|to|for|with))* {DET}{TARGET}{_WHEN}", 3, asserts=True, note="withdrawn"),
    pattern(rf"(?:i'm|i am|we're) (?:no longer|not) interested (?:in|anymore in|any more in) {DET}{TARGET}(?: any ?more| any longer)?", 3, note="withdrawn"),
    pattern(rf"(?:i (?:don't|do not) want|i've lost interest in|i gave up on|i am done with|i'm done with) {DET}{TARGET}(?: any ?more| any longer)", 3, note="withdrawn"),
    pattern(rf"{_I}? ?(?:turned down|declined|said no to|rejected|refused) (?:the )?(?:job )?offer (?:from|at|by|of) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="withdrawn"),
    pattern(rf"{_I} (?:turned down|declined|said no to) {DET}{TARGET}(?:'s)?(?: (?:job )?offer)?{_WHEN}", 3, asserts=True, note="withdrawn"),
    pattern(rf"{_I} (?:(?:have |has )?decided |chosen |chose |opted )?(?:not (?:to|going to)|against|won't|will not|not)(?: be)? ?(?:go(?:ing)? (?:ahead|forward|further|on|for)|proceed(?:ing)?|continu(?:e|ing)|pursu(?:e|ing)|apply(?:ing)? (?:to|at|for)|mov(?:e|ing) (?:ahead|forward)|tak(?:e|ing) (?:it|things) (?:any )?further)(?: (?:with|at|in|on))* {DET}{TARGET}(?: any ?more| any further| after all)?", 3, note="withdrawn"),
    pattern(rf"{_I} (?:turned|turn|turning) {DET}{TARGET}(?:'s?)?(?: job)?(?: offer)? down{_WHEN}", 3, asserts=True, note="withdrawn"),
    pattern(rf"(?:i'm|i am|i) (?:withdrawing|withdraw|pulling out|backing out|dropping out|out)(?: of (?:it|this|the process))?{_WHEN}", 2, asserts=True, note="withdrawn"),
    pattern(rf"(?:the )?offer (?:from|of|by|at) {DET}{TARGET}(?: was| has been| is| got)+ (?:declined|turned down|refused)(?: by me)?{_WHEN}", 3, asserts=True, note="withdrawn"),
    pattern(rf"(?:i'm|i am) out of (?:the |my )?{TARGET} (?:process|race|running){_WHEN}", 3, asserts=True, note="withdrawn"),
    # Accepted.
    pattern(rf"{DET}{TARGET}(?:'s?)? (?:job )?offer(?: was| has been| is| got| now| been)+ (?:accepted|signed)(?: by me)?{_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"(?:the |my )?(?:job )?(?:offer|contract) (?:from|of|by|at|with) {DET}{TARGET}(?: was| has been| is| got| now| been)+ (?:accepted|signed)(?: by me)?{_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"(?:{_I} )?(?:accepted|accept|took|take|taking|signed|sign|accepting|said yes to|agreed to)(?: on)? {_OFFER_WORD} (?:from|at|by|with|of|for) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"(?:{_I} )?(?:accepted|accept|took|take|signed|said yes to) {DET}{TARGET}(?:'s?)? (?:offer|contract|job offer){_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"{_I} (?:accepted|said yes to|signed with|signed for|joined|joining|going to work (?:for|at)|starting at|taking the job at|start at|going with|will join) {DET}{TARGET}{_WHEN}", 2, asserts=True, note="accepted"),
    pattern(rf"{_I} (?:got|landed|scored|was given|secured) (?:the|that|a|my) {TARGET} (?:job|role|position|gig){_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"{_I} (?:got|landed|scored|was given|secured) (?:the|a) (?:job|role|position) (?:at|with|from|of|as|in) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"{_I} (?:got|was|been) hired (?:by|at) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="accepted"),
    pattern(rf"{DET}{TARGET}{_THEY} hired{_ME}{_WHEN}", 3, asserts=True, note="accepted"),
    # Offer.
    pattern(rf"{DET}{TARGET}{_THEY} (?:made|put|sent|gave|extended|presented|came (?:back )?with|came through with)(?:{_ME})? {_OFFER_WORD}(?: to me| on the table| in front of me)?{_WHEN}", 3, asserts=True, note="offer"),
    pattern(rf"{DET}{TARGET}{_THEY} (?:offered|are offering|is offering|offer|wants to (?:hire|offer)|want to hire|would like to hire){_ME}(?: {_OFFER_WORD})?{_WHEN}", 3, asserts=True, note="offer"),
    pattern(rf"{_I} (?:got|received|have|had|was given|was offered|been offered|am offered|landed)(?: made)? (?:(?:an|the|a) )?(?:(?:job|formal|written|verbal|great|good) )*(?:offer|job|position|role|contract) (?:from|by|at|with) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="offer"),
    pattern(rf"(?:there(?:'s| is) )?(?:an |a |the )?(?:job )?offer (?:from|by|at) {DET}{TARGET}(?: (?:came|arrived|is here|just|has|is|in))*{_WHEN}", 2, asserts=True, note="offer"),
    pattern(rf"got an? (?:job )?offer (?:from|at|by) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="offer"),
    # Interviewing.
    pattern(rf"{DET}{TARGET}{_THEY} (?:invited|asked|called|wants?|would like|wanted|are inviting|is inviting|invites|invite|requested|selected|shortlisted|needs?){_ME}(?: back| in| over| round| along)*(?: (?:to|for|in for|to come in for|to come for|to attend|to do|to have|to join|at))+ {_ROUND}(?:interviews?|interviewing|talk|talks)(?: with .*)?{_WHEN}", 3, asserts=True, note="interviewing"),
    pattern(rf"{DET}{TARGET}{_THEY} (?:wants?|would like|wanted|are going|is going|is willing|will|plan|plans|asked)(?: to)? interview{_ME}{_WHEN}", 3, asserts=True, note="interviewing"),
    pattern(rf"{_I} (?:got|was|am|been|were)(?: just)? (?:invited|asked|called|selected|shortlisted)(?: (?:to|for|in|back|by))+ {_ROUND}interviews? (?:by|at|with|from|for) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="interviewing"),
    pattern(rf"{_I} (?:got|received|have|landed|secured|had|scored)(?: an?| the| my)? {_ROUND}(?:interview|invitation|invite|interview (?:invitation|invite|offer))(?: (?:to|for) (?:an )?interview)? (?:with|at|from|by|for) {DET}{TARGET}", 2, asserts=True, note="interviewing"),
    pattern(rf"(?:got (?:an )?)?(?:interview invitation|interview invite|invitation to interview|invited to (?:an )?interview) (?:from|at|by|with) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="interviewing"),
    pattern(rf"{_I} (?:interviewing|in interviews) (?:with|at) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="interviewing"),
    pattern(rf"{_I} (?:made it|through|got through|advanced|moved on|moved|progressed|got)(?: on)? (?:to|into) {_ROUND}(?:the )?(?:interview (?:stage|phase|round|process)|interviews?|interviewing|round|stage) (?:at|with|for) {DET}{TARGET}{_WHEN}", 3, asserts=True, note="interviewing"),
    pattern(rf"{_I}(?: (?:now|currently|still))* (?:at|in|on) {_STAGE_END} (?:at|with|for) {DET}{TARGET}{_WHEN}", 3, asserts=True),
    pattern(rf"{DET}{TARGET}{_THEY} (?:wants?|would like|asked|'d like) to (?:meet|interview){_ME}{_WHEN}", 3, asserts=True, note="interviewing"),
    # Screening.
    pattern(rf"{DET}{TARGET}{_THEY} (?:invited|asked|wants?|would like|called|scheduled|set up)(?:{_ME})?(?: (?:to|for|in for|to do|to have))* (?:an? |the )?(?:phone |telephone |initial |first |recruiter |hr )*(?:screening|screen|screening call|phone screen|intro call)(?: call| interview)?{_WHEN}", 3, asserts=True, note="screening"),
    pattern(rf"{_I} (?:got|have|had|received|did|finished|completed) (?:an? |the |my )?(?:phone |recruiter |hr |initial |first |intro )*(?:screening|screen|screening call|phone screen|screening interview|recruiter call|hr call|intro call) (?:with|at|from) {DET}{TARGET}{_WHEN}", 2, asserts=True, note="screening"),
    # Preparing.
    pattern(rf"(?:i'm |i am |i've |i )?(?:started|start|begin|began|starting|now)? ?(?:preparing|to prepare|drafting)(?: for)? {DET}(?P<target>[^\n,.;]{{1,80}}?)(?: application| again)*{_WHEN}", 2, note="preparing"),
    pattern(rf"(?:i'm|i am|i've started|i have started|started|start|begin|i began|i'm now|i am now) (?:preparing|working on|writing|drafting|to prepare|on)(?: for)? (?:my |the |an )?(?:application (?:for|to|at) {DET}{TARGET}|(?P<other>[^\n]{{1,80}}?) application){_WHEN}", 3, note="preparing"),
)  # fmt: skip

_RELATIVE = {"next": 1, "previous": -1}


def plan(request: Request) -> Change:
    guess = request.guess
    stage = guess.note if guess.note in STAGE_WORDS else read_stage(guess.plain("stage"))
    documents = applications(request, guess.slot("target") or guess.slot("other"))
    moved = [(document, stage or _beside(document, guess.note)) for document in documents]
    operations, lines = [], []
    for document, to in moved:
        was = document.get("stage")
        if (
            to == "applied"
            and guess.note == "applied"
            and was not in ("saved", "preparing")
            and _day(request) < request.today
        ):
            # Told when, not that: the application has moved on since.
            operations.append(set_field(document, "applied_on", _day(request).isoformat()))
            lines.append(f"Set the applied on date of {document.link} to {say_date(_day(request))}; it stays in {was}.")
            continue
        if was == to:
            if len(moved) == 1:
                raise AlreadySo(
                    f"{document.link} is in **{to}** already, so there is nothing to change.", (document.id,)
                )
            continue
        operations.append(move_stage(document, to))
        lines.append(f"Moved {document.link} from {was or 'no stage'} to **{to}**.")
        if to == "applied" and guess.note == "applied" and not document.get("applied_on"):
            operations.append(set_field(document, "applied_on", _day(request).isoformat()))
            lines.append(f"Set its applied on date to {say_date(_day(request))}.")
    if not operations:
        raise AlreadySo(
            "They are in that stage already, so there is nothing to change.", tuple(d.id for d in documents)
        )
    names = listed([str(d.get("company") or d.name) for d, _ in moved])
    return Change(
        operations=tuple(operations),
        lines=tuple(lines),
        reason=f"Move {names} to {moved[0][1]}",
        subject=documents[0].id,
        citations=tuple(d.id for d in documents),
    )


def _day(request: Request) -> date:
    """The day of an application that is reported: said, else today; "on Friday" looks back."""
    said = find_date(request.guess.plain("when"), request.today)
    if said is None:
        return request.today
    return said.on if said.on <= request.today else said.on - timedelta(days=7)


def _beside(document: Document, direction: str) -> str:
    was = document.get("stage")
    if was not in OPEN_STAGES:
        raise AskBack(f"{document.link} is in {was}. To which stage should it go?", (document.id,))
    place = OPEN_STAGES.index(was) + _RELATIVE[direction]
    if not 0 <= place < len(OPEN_STAGES):
        raise AskBack(
            f"{document.link} is in {was}. To which stage should it go: accepted, rejected or withdrawn?"
            if direction == "next"
            else f"{document.link} is in {was}, the first stage. To which stage should it go?",
            (document.id,),
        )
    return OPEN_STAGES[place]


INTENT = Intent(
    name="move_stage",
    kind="change",
    patterns=PATTERNS,
    examples=("Move Larkspur to offer", "I got rejected by Brackenfield", "I just applied to Kestrel Robotics"),
    suggestion="move an application (“move COMPANY to interviewing”)",
    needs=("application",),
    plan=plan,
)
