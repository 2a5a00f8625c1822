/** `<cv-overview>`: what is next, how the search stands, what was changed lately. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import "../rail/receipt_card";
import { cvChecks, datedActions, stageCounts, type DatedAction } from "../store/pipeline";
import type { Signal } from "../store/signal";
import { dayLabel, weekday } from "../text/dates";
import { CLOSED_STAGES, STAGES, label, text } from "../text/labels";
import { LightElement } from "../ui/light_element";

const SHOWN_ACTIONS = 3;
const SHOWN_RECEIPTS = 5;

export class Overview extends LightElement {
  static override properties = { app: { attribute: false }, all: { state: true } };
  declare app: App;
  declare all: boolean;

  constructor() {
    super();
    this.all = false;
  }

  protected override watched(): Signal[] {
    return [this.app.documents, this.app.receipts];
  }

  protected override render(): TemplateResult {
    const { documents } = this.app;
    const applications = documents.list("application");
    const profile = documents.get("profile");
    const name = text(profile?.fields["name"]).split(" ")[0];
    return html`<div class="page overview">
      <h1 tabindex="-1">${name ? `Hello, ${name}` : "Overview"}</h1>
      ${applications.length === 0 && !name ? this.empty() : nothing}
      <div class="grid">
        <div class="stack">${this.nextUp(datedActions(applications, documents.get("plan")))} ${this.changes()}</div>
        <div class="stack">${this.pipeline(stageCounts(applications), applications.length)} ${this.cv()}</div>
      </div>
    </div>`;
  }

  private empty(): TemplateResult {
    if (this.app.viewOnly) return html`<section class="card"><p>There is nothing in this workspace yet.</p></section>`;
    return html`<section class="card welcome-card">
      <h2>A good start</h2>
      <p>Save a job that you like, or tell the assistant about one. Everything else grows from there.</p>
      <p class="row">
        <a class="button primary" href=${this.app.router.href("board#add")}>Save a role by hand</a>
        <a class="button" href=${this.app.router.href("jobs")}>Search jobs</a>
      </p>
    </section>`;
  }

  private nextUp(actions: DatedAction[]): TemplateResult {
    const shown = this.all ? actions : actions.slice(0, SHOWN_ACTIONS);
    return html`<section class="card" aria-labelledby="next-up">
      <h2 id="next-up">Next up</h2>
      ${actions.length === 0 ? html`<p class="muted">Nothing with a date. Give an application a next step, and it will be here.</p>` : nothing}
      <ol class="actions">
        ${shown.map(
          (action) => html`<li>
            <a href=${this.app.router.pageOf(action.document, action.place)}>
              <span class="when" data-overdue=${action.overdue}><strong>${weekday(action.on)}</strong> <span>${dayLabel(action.on)}</span></span>
              <span class="what"><strong>${action.title}</strong> <span class="muted">${action.who}</span></span>
            </a>
          </li>`,
        )}
      </ol>
      ${actions.length > SHOWN_ACTIONS
        ? html`<button class="small quiet" aria-expanded=${this.all} @click=${() => (this.all = !this.all)}>
            ${this.all ? "Show fewer" : `Show all ${actions.length}`}
          </button>`
        : nothing}
    </section>`;
  }

  private pipeline(counts: Map<string, number>, total: number): TemplateResult {
    const open = STAGES.filter((stage) => !CLOSED_STAGES.includes(stage));
    const most = Math.max(1, ...counts.values());
    return html`<section class="card" aria-labelledby="pipeline">
      <h2 id="pipeline">Pipeline <span class="count">${total}</span></h2>
      <ul class="funnel">
        ${open.map((stage) => {
          const count = counts.get(stage) ?? 0;
          return html`<li>
            <a href=${this.app.router.href(`board#${stage}`)}>
              <span class="stage-name">${label(stage)}</span>
              <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" width="100" height="10" rx="2" /><rect class="fill" data-stage=${stage} width=${(count / most) * 100} height="10" rx="2" />
              </svg>
              <span class="number">${count}</span>
            </a>
          </li>`;
        })}
      </ul>
      <p class="muted closed-counts">${CLOSED_STAGES.map((stage) => `${counts.get(stage) ?? 0} ${stage}`).join(" · ")}</p>
    </section>`;
  }

  private changes(): TemplateResult {
    const receipts = this.app.receipts
      .newest(Infinity)
      .filter((receipt) => !this.app.receipts.isCompensation(receipt))
      .slice(0, SHOWN_RECEIPTS);
    return html`<section class="card" aria-labelledby="recent">
      <h2 id="recent">Recent changes</h2>
      ${receipts.length === 0 ? html`<p class="muted">Changes by you and the assistant appear here, each with its Undo.</p>` : nothing}
      <div class="stack receipts">${receipts.map((receipt) => html`<cv-receipt .app=${this.app} .receipt=${receipt.id}></cv-receipt>`)}</div>
      <p><a href=${this.app.router.href("history")}>All history</a></p>
    </section>`;
  }

  private cv(): TemplateResult {
    const checks = cvChecks(this.app.documents.get("profile"));
    const done = checks.filter((check) => check.done).length;
    const next = checks.find((check) => !check.done);
    return html`<section class="card" aria-labelledby="cv">
      <h2 id="cv"><a href=${this.app.router.pageOf("profile")}>CV</a></h2>
      <p class="meter-line">
        <progress max=${checks.length} value=${done} aria-label="Parts of the CV that are there"></progress>
        <span>${done} of ${checks.length} parts</span>
      </p>
      ${next ? html`<p>Most useful next: <strong>${next.fix}</strong>.</p>` : html`<p>All parts that readers look for are there.</p>`}
    </section>`;
  }
}

customElements.define("cv-overview", Overview);
