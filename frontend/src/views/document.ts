/** `<cv-document>`: a note, a letter, the CV or the plan as text to read, with its history. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Item, Value, WorkspaceDocument } from "../api/types";
import type { Signal } from "../store/signal";
import { label, text, titleOf } from "../text/labels";
import { highlight } from "../ui/highlight";
import { LightElement } from "../ui/light_element";
import "./activity";
import "./text_editor";

export class DocumentPage extends LightElement {
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

  protected override willUpdate(): void {
    if (this.requested === this.document) return;
    this.requested = this.document;
    this.highlighted = null;
    this.problem = "";
    if (this.app.documents.base(this.document)) return;
    this.app.documents.refresh(this.document).catch((error: unknown) => {
      this.problem = describe(error);
    });
  }

  protected override updated(): void {
    const { place } = this.app.router.route;
    if (!place || place === this.highlighted) return;
    void Promise.resolve().then(() => {
      if (highlight(this, place)) this.highlighted = place;
    });
  }

  protected override render(): TemplateResult {
    const shown = this.app.documents.get(this.document);
    if (!shown) {
      const gone = this.app.documents.isMissing(this.document);
      return html`<div class="page"><h1 tabindex="-1">${gone ? "This document is not here" : "Document"}</h1>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        ${gone || this.problem ? nothing : html`<p class="muted" aria-busy="true">Loading…</p>`}</div>`;
    }
    return html`${keyed(shown.id, this.page(shown))}`;
  }

  private page(shown: WorkspaceDocument): TemplateResult {
    const fields = Object.entries(shown.fields).filter(([name, value]) => name !== "title" && name !== "rank" && filled(value));
    const sections = Object.entries(shown.sections).filter(([, items]) => items.length > 0);
    return html`<div class="page document-page">
      <h1 tabindex="-1">${titleOf(shown)}</h1>
      ${shown.archived ? html`<p class="banner">This ${shown.kind} is archived.</p>` : nothing}
      ${fields.length
        ? html`<dl class="card facts-list">
            ${fields.map(
              ([name, value]) => html`<div data-place="fields/${name}" tabindex="-1"><dt>${label(name)}</dt><dd>${this.valueView(value)}</dd></div>`,
            )}
          </dl>`
        : nothing}
      ${(TEXTS[shown.kind] ?? Object.keys(shown.texts)).map(
        (name) => html`<section class="card"><cv-text .app=${this.app} .document=${shown.id} .name=${name}></cv-text></section>`,
      )}
      ${sections.map(
        ([name, items]) => html`<section class="card" data-place="sections/${name}" tabindex="-1"><h2>${label(name)}</h2>
          <ul class="items">${items.map((item) => this.itemView(name, item))}</ul></section>`,
      )}
      <section class="card"><cv-activity .app=${this.app} .document=${shown.id}></cv-activity></section>
    </div>`;
  }

  private itemView(section: string, item: Item): TemplateResult {
    const entries = Object.entries(item).filter(([name, value]) => name !== "id" && name !== "rank" && filled(value));
    const first = HEADS.map((name) => entries.find((entry) => entry[0] === name)).find(Boolean) ?? entries[0];
    const rest = entries.filter((entry) => entry !== first).sort(([a], [b]) => placeOf(a) - placeOf(b));
    return html`<li data-place="sections/${section}/${item.id}" tabindex="-1">
      <strong>${first ? this.valueView(first[1]) : "Empty entry"}</strong>
      ${rest.map(([name, value]) => html`<p><span class="muted">${label(name)}:</span> ${this.valueView(value)}</p>`)}
    </li>`;
  }

  private valueView(value: Value | undefined): unknown {
    if (typeof value === "string" && /^application:/.test(value)) {
      return html`<a href=${this.app.router.pageOf(value)}>${titleOf(this.app.documents.look(value), value)}</a>`;
    }
    if (typeof value === "string" && /^(https?|mailto):/.test(value)) return html`<a href=${value} target="_blank" rel="noopener noreferrer">${value}</a>`;
    return text(value);
  }
}

const TEXTS: Record<string, string[]> = { profile: ["summary"], plan: ["strategy"], note: ["body"], letter: ["body"] };

/** What an entry is called by, the best first; then what a reader looks for next. The rest follows as it comes. */
const HEADS = ["title", "position", "name", "institution", "organization", "language", "network", "kind"];
const ORDER = [...HEADS, "area", "study_type", "location", "start", "end", "date", "release_date"];

function placeOf(name: string): number {
  const at = ORDER.indexOf(name);
  return at < 0 ? ORDER.length : at;
}

const filled = (value: Value | undefined): boolean => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

customElements.define("cv-document", DocumentPage);
