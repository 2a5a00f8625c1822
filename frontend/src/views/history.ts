/** `<cv-history>`: everything that was committed, by anybody, newest first. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { AuditEvent } from "../api/types";
import type { Signal } from "../store/signal";
import { LightElement } from "../ui/light_element";
import { eventView } from "./event_view";

const ACTORS: [string, string][] = [
  ["", "Everybody"],
  ["human", "People"],
  ["agent", "Assistant"],
  ["system", "CareerVector"],
];
const PAGE = 30;

export class History extends LightElement {
  static override properties = {
    app: { attribute: false },
    actor: { state: true },
    events: { state: true },
    next: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare actor: string;
  declare events: AuditEvent[] | null;
  declare next: string | null;
  declare problem: string;
  private unsubscribe: (() => void) | undefined;

  constructor() {
    super();
    this.actor = "";
    this.events = null;
    this.next = null;
    this.problem = "";
  }

  protected override watched(): Signal[] {
    return [this.app.documents];
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.unsubscribe = this.app.committed.subscribe(() => void this.loadNewest());
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  protected override render(): TemplateResult {
    return html`<div class="page history">
      <header class="row spread">
        <h1 tabindex="-1">History</h1>
        <label class="inline">By
          <select @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
            ${ACTORS.map(([value, name]) => html`<option value=${value} .selected=${value === this.actor}>${name}</option>`)}
          </select>
        </label>
      </header>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem} <button class="small" @click=${() => void this.load()}>Try again</button></p>` : nothing}
      ${this.events === null && !this.problem ? html`<p class="muted" aria-busy="true">Loading…</p>` : nothing}
      ${this.events?.length === 0 ? html`<p class="muted">Nothing ${this.actor ? "by them " : ""}yet. Each change will be listed here with its Undo.</p>` : nothing}
      <ol class="events">${repeat(this.events ?? [], (event) => event.id, (event) => html`<li>${eventView(this.app, event)}</li>`)}</ol>
      ${this.next ? html`<button @click=${() => void this.load(this.next ?? undefined)}>Show more</button>` : nothing}
    </div>`;
  }

  private choose(actor: string): void {
    this.actor = actor;
    this.events = null;
    void this.load();
  }

  private async load(cursor?: string): Promise<void> {
    const { actor } = this;
    try {
      const page = await this.page(cursor);
      if (actor !== this.actor) return;
      // One request for the receipts of the page instead of one a card.
      if (page.items.some((event) => event.receipt && !this.app.receipts.get(event.receipt))) {
        await this.app.receipts.load({ limit: "100", ...(cursor ? { cursor } : {}) }).catch(() => undefined);
      }
      this.events = cursor ? [...(this.events ?? []), ...page.items] : page.items;
      this.next = page.next_cursor;
      this.problem = "";
    } catch (error) {
      this.problem = describe(error);
    }
  }

  /** New events join at the top; what the reader has paged to stays. */
  private async loadNewest(): Promise<void> {
    const { actor } = this;
    const page = await this.page().catch(() => null);
    if (!page || actor !== this.actor || this.events === null) return;
    const known = new Set(this.events.map((event) => event.id));
    const fresh = page.items.filter((event) => !known.has(event.id));
    if (fresh.length === page.items.length && this.events.length > 0) return void this.load();
    this.events = [...fresh, ...this.events];
  }

  private page(cursor?: string): ReturnType<App["api"]["listEvents"]> {
    return this.app.api.listEvents({
      limit: String(PAGE),
      ...(this.actor ? { actor_class: this.actor } : {}),
      ...(cursor ? { cursor } : {}),
    });
  }
}

customElements.define("cv-history", History);
