"""Words that are also people's names, or stand where a name should, and yet say nothing about anybody.

Of a contact called "Rose Baker" only the whole name is private: a search for a baker is nobody's secret. One called
"Recruiting Team" is no person at all. Lower case, without accents.
"""

from __future__ import annotations

DEPARTMENT_WORDS = frozenset(
    """
    acquisition admin administration and career careers center company contact corporate department desk for general
    global group head hiring hr human info inquiries it job jobs lead manager of office operations people public
    recruiter recruiters recruiting recruitment relations resources sales service services staff support talent team
    the
    """.split()
)

COMMON_WORDS = DEPARTMENT_WORDS | frozenset(
    """
    a an and at by de der di for from in la le of on or the to van von with und fur mit
    mr mrs ms miss dr prof frau herr sir jr sr ii iii
    account accounting administrator admin agency agent analyst analytics app apprentice apps architect area artist
    assistant associate audit author backend baker banker banking barber bishop bookkeeper brand brewer bridge builder
    business buyer care career careers carpenter carver center centre chandler chef chief city clark clerk client cloud
    coach coaching commercial communications community company compliance consultant consulting contact content
    contract controller cook cooper coordinator corporate corp counsel creative customer dancer data department
    deputy design designer desk developer development devops diaz director division doctor draper driver editor
    electrician engineer engineering enterprise executive farmer field finance financial fisher fleet forest forester
    freelance frontend full fuller gardener general global gmbh graduate graphics group growth hall head health help
    hiring hospital hr human hunter inc industrial information infrastructure insurance intern international internship
    interviewer it java javascript job jobs junior king knight lab labs lead leader learning legal level librarian
    logistics machine maintenance management manager manufacturing marketing marshal marshall mason mechanic media
    medical member miller mobile model music nurse nursing office officer operations operator owner page painter
    parker part partner people pharmacist photographer physician pilot planner planning platform plumber police potter
    principal processing procurement producer product production program programmer project public python quality
    real recruiter recruiting recruitment remote research researcher resources ruby sales sawyer school science
    scientist search secretary security senior service services shepherd smith social software solutions specialist
    staff stack steward stone store strategist strategy student supervisor supply support surveyor system systems
    tailor talent taylor teacher teaching team tech technical technician technology test tester testing therapist time
    trader trainee trainer training translator transport travel turner ux vendor vp waiter walker warehouse weaver web
    welder worker works writer
    april art august autumn bill chase chip christian crystal dawn drew earnest eve faith field france frank georgia
    grace grant guy hope hunter iris ivy jade jasmine joy june lane light long mark max may melody mercy miles money
    paris pat pearl penny pierce price ray reed rich robin rob rose ruby rusty sage short skip sky sterling strong
    summer sunny swift trinity victory ward wade way will winter wise wood woods young
    america american amsterdam athens austin austria barcelona basel berlin bern boston britain british brooklyn
    brussels canada charlotte chicago cologne copenhagen dallas denmark denver dublin england english florence
    frankfurt french geneva german germany hamburg houston india ireland irish israel italy jackson jordan lausanne
    lisbon london lincoln lucerne madison madrid milan munich newton orleans oslo oxford paris poland portugal prague
    preston rome scotland seattle spain spanish stockholm sweden swiss switzerland sydney texas vienna virginia warsaw
    washington wellington york zurich
    black blue brown gold gray green grey orange purple red silver white
    """.split()
)
