/** `<cv-linked>`: the notes and letters that belong to an application. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { App } from "../app";
import type { WorkspaceDocument } from "../api/types";
import type { Signal } from "../store/signal";
import { titleOf } from "../text/labels";
import { LightElement } from "../ui/light_element";

const EXCERPT = 160;

export class LinkedDocuments extends LightElement {
  static override properties = { app: { attribute: false }, application: { attribute: false } };
  declare app: App;
  /** The application's id. */
  declare application: string;

  protected override watched(): Signal[] {
    return [this.app.documents];
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.app.documents.loadOnce(["note", "letter"]).catch(() => undefined);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { documents } = this.app;
    const linked = [...documents.list("note"), ...documents.list("letter")].filter(
      (document) => document.fields["application"] === this.application,
    );
    if (linked.length === 0) return nothing;
    return html`<section class="card" aria-labelledby="linked">
      <h2 id="linked">Notes and letters <span class="count">${linked.length}</span></h2>
      <ul class="items">${linked.map((document) => this.entry(document))}</ul>
    </section>`;
  }

  private entry(document: WorkspaceDocument): TemplateResult {
    const body = (document.texts["body"] ?? "").trim();
    return html`<li>
      <a href=${this.app.router.pageOf(document.id)}>${titleOf(document)}</a>
      ${document.kind === "letter" ? html`<span class="chip">Letter</span>` : nothing}
      ${body && body !== titleOf(document) ? html`<p class="muted">${body.length > EXCERPT ? `${body.slice(0, EXCERPT)}…` : body}</p>` : nothing}
    </li>`;
  }
}

customElements.define("cv-linked", LinkedDocuments);
