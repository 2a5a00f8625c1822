/** `<cv-application>`: one application: its fields, lists and notes, editable by hand, and what happened to it. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { WorkspaceDocument } from "../api/types";
import type { Signal } from "../store/signal";
import { SALARY_PERIODS, STAGES, TIERS, WORK_MODES, text } from "../text/labels";
import { alarm, announce } from "../ui/announcer";
import { highlight } from "../ui/highlight";
import { LightElement } from "../ui/light_element";
import "./activity";
import "./field_editor";
import "./linked_documents";
import type { FieldType } from "./field_editor";
import "./section_editor";
import "./text_editor";

const FACTS: [name: string, type: FieldType, choices?: Readonly<string[]>][] = [
  ["title", "line"],
  ["company", "line"],
  ["location", "line"],
  ["work_mode", "enum", WORK_MODES],
  ["url", "url"],
  ["source", "line"],
  ["deadline", "date"],
  ["applied_on", "date"],
  ["salary_min", "integer"],
  ["salary_max", "integer"],
  ["salary_currency", "currency"],
  ["salary_period", "enum", SALARY_PERIODS],
];

export class ApplicationPage extends LightElement {
  static override properties = { app: { attribute: false }, document: { attribute: false }, problem: { state: true } };
  declare app: App;
  declare document: string;
  declare problem: string;
  private requested = "";
  private highlighted: string | null = null;

  constructor() {
    super();
    this.problem = "";
  }

  protected override watched(): Signal[] {
    return [this.app.documents, this.app.router];
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("document")) this.highlighted = null;
    if (this.requested === this.document || this.app.documents.base(this.document)) return;
    // Archived ones are not in the lists; an unknown one is asked for once.
    this.requested = this.document;
    this.problem = "";
    this.app.documents.refresh(this.document).catch((error: unknown) => {
      this.problem = describe(error);
    });
  }

  protected override updated(): void {
    const { place } = this.app.router.route;
    if (place === this.highlighted) return;
    if (!place) this.highlighted = null;
    else void Promise.resolve().then(() => {
      if (highlight(this, place)) this.highlighted = place;
    });
  }

  protected override render(): TemplateResult {
    const application = this.app.documents.get(this.document);
    if (!application) {
      const gone = this.app.documents.isMissing(this.document);
      return html`<div class="page"><h1 tabindex="-1">${gone ? "This application is not here" : "Application"}</h1>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        ${gone ? html`<p>It may have been put in the trash. <a href=${this.app.router.href("board")}>Go to the board</a>.</p>` : nothing}
        ${!gone && !this.problem ? html`<p class="muted" aria-busy="true">Loading…</p>` : nothing}</div>`;
    }
    return html`${keyed(application.id, this.page(application))}`;
  }

  private page(application: WorkspaceDocument): TemplateResult {
    const { app } = this;
    const field = (name: string, type: FieldType, choices: readonly string[] = []): TemplateResult =>
      html`<cv-field .app=${app} .document=${application.id} .field=${name} .type=${type} .choices=${choices}></cv-field>`;
    return html`<div class="page application">
      <p class="crumbs"><a href=${app.router.href("board")}>Board</a></p>
      <header class="row spread">
        <div>
          <h1 tabindex="-1">${text(application.fields["title"]) || "Untitled role"}</h1>
          <p class="subtitle">${text(application.fields["company"])}${application.fields["location"] ? ` · ${text(application.fields["location"])}` : ""}</p>
        </div>
        ${app.viewOnly ? nothing : html`<button class="small" @click=${() => this.toggleArchived(application)}>${application.archived ? "Bring back" : "Archive"}</button>`}
      </header>
      ${application.archived ? html`<p class="banner">This application is archived: it is not on the board.</p>` : nothing}
      <section class="card headline" aria-label="Where it stands">
        ${field("stage", "enum", STAGES)} ${field("tier", "enum", TIERS)} ${field("next_step", "line")} ${field("next_step_on", "date")}
      </section>
      <div class="application-grid">
        <div class="stack">
          <section class="card"><cv-text .app=${app} .document=${application.id} .name=${"notes"}></cv-text></section>
          <cv-linked .app=${app} .application=${application.id}></cv-linked>
          <section class="card"><cv-section .app=${app} .document=${application.id} .section=${"checklist"}></cv-section></section>
          <section class="card"><cv-section .app=${app} .document=${application.id} .section=${"interviews"}></cv-section></section>
          <section class="card"><cv-section .app=${app} .document=${application.id} .section=${"contacts"}></cv-section></section>
        </div>
        <div class="stack">
          <section class="card facts" aria-labelledby="facts"><h2 id="facts">Details</h2>${FACTS.map(([name, type, choices]) => field(name, type, choices))}</section>
          <section class="card"><cv-activity .app=${app} .document=${application.id}></cv-activity></section>
        </div>
      </div>
    </div>`;
  }

  private async toggleArchived(application: WorkspaceDocument): Promise<void> {
    const kind = application.archived ? "document.unarchive" : "document.archive";
    try {
      await this.app.editor.edit({
        document: application.id,
        reason: application.archived ? "Bring back the application" : "Archive the application",
        operations: [{ kind, document: application.id }],
        rests_on: [],
      });
      announce(application.archived ? "The application is back on the board." : "The application was archived.");
    } catch (error) {
      alarm(describe(error));
    }
  }
}

customElements.define("cv-application", ApplicationPage);
