/** `<cv-activity>`: what happened to one document, newest first, each reversible change with its Undo. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { AuditEvent } from "../api/types";
import "../rail/receipt_card";
import type { Signal } from "../store/signal";
import { LightElement } from "../ui/light_element";
import { eventView } from "./event_view";

export class Activity extends LightElement {
  static override properties = { app: { attribute: false }, document: { attribute: false }, events: { state: true }, next: { state: true }, problem: { state: true } };
  declare app: App;
  declare document: string;
  declare events: AuditEvent[] | null;
  declare next: string | null;
  declare problem: string;
  private shown = "";
  private unsubscribe: (() => void) | undefined;

  constructor() {
    super();
    this.events = null;
    this.next = null;
    this.problem = "";
  }

  protected override watched(): Signal[] {
    return [this.app.documents];
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    // The clock alone would not do: typing moves it and is no event yet, its event comes without moving it.
    this.unsubscribe = this.app.committed.subscribe(() => void this.load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  protected override willUpdate(): void {
    if (this.document === this.shown) return;
    this.shown = this.document;
    void this.load();
  }

  protected override render(): TemplateResult {
    return html`<section aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.events === null ? html`<p class="muted">Loading…</p>` : nothing}
      <ol class="events">${(this.events ?? []).map((event) => html`<li>${eventView(this.app, event)}</li>`)}</ol>
      ${this.next ? html`<button class="small" @click=${() => void this.load(this.next ?? undefined)}>Show more</button>` : nothing}
    </section>`;
  }

  private async load(cursor?: string): Promise<void> {
    const document = this.document;
    try {
      const page = await this.app.api.listDocumentEvents(document, cursor);
      if (document !== this.document) return;
      this.events = cursor ? [...(this.events ?? []), ...page.items] : page.items;
      this.next = page.next_cursor;
      this.problem = "";
    } catch (error) {
      this.problem = describe(error);
    }
  }
}

customElements.define("cv-activity", Activity);
