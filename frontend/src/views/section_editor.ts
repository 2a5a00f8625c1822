/** `<cv-section>`: one list of an application (contacts, interviews, checklist): read, tick, add, change, remove. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Item, Operation, Value } from "../api/types";
import { EditConflict } from "../store/edits";
import { fieldList } from "../store/paths";
import type { Signal } from "../store/signal";
import { dateTime, dayLabel } from "../text/dates";
import { label, text } from "../text/labels";
import { announce } from "../ui/announcer";
import { LightElement } from "../ui/light_element";
import { SECTION_SHAPES, type InputShape } from "./section_shapes";

export class SectionEditor extends LightElement {
  static override properties = {
    app: { attribute: false },
    document: { attribute: false },
    section: { attribute: false },
    editing: { state: true },
    busy: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare document: string;
  declare section: string;
  /** The entry under change, `new` for one being added, null for none. */
  declare editing: string | null;
  declare busy: boolean;
  declare problem: string;

  constructor() {
    super();
    this.editing = null;
    this.busy = false;
    this.problem = "";
  }

  protected override watched(): Signal[] {
    return [this.app.documents];
  }

  protected override render(): TemplateResult {
    const items = this.app.documents.get(this.document)?.sections[this.section] ?? [];
    const { singular } = this.shape;
    return html`<section class="section-editor" data-place="sections/${this.section}" aria-labelledby="section-${this.section}">
      <div class="row spread">
        <h2 id="section-${this.section}">${label(this.section)} ${items.length ? html`<span class="count">${items.length}</span>` : nothing}</h2>
        ${this.app.viewOnly || this.editing !== null
          ? nothing
          : html`<button class="small add" @click=${() => this.startEditing("new")}>Add ${singular}</button>`}
      </div>
      ${items.length === 0 && this.editing === null ? html`<p class="muted">None yet.</p>` : nothing}
      <ul class="items">
        ${repeat(
          items,
          (item) => item.id,
          (item) => html`<li data-place="sections/${this.section}/${item.id}">${this.editing === item.id ? this.form(item) : this.itemView(item)}</li>`,
        )}
      </ul>
      ${this.editing === "new" ? this.form(null) : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    </section>`;
  }

  private get shape(): { singular: string; inputs: InputShape[] } {
    return SECTION_SHAPES[this.section]!;
  }

  private itemView(item: Item): TemplateResult {
    return html`<div class="item">
      ${this.section === "checklist" ? this.checkItem(item) : this.section === "interviews" ? interviewItem(item) : contactItem(item)}
      ${this.app.viewOnly
        ? nothing
        : html`<button class="small quiet" @click=${() => this.startEditing(item.id)} aria-label="Change ${nameOf(item)}">Change</button>`}
    </div>`;
  }

  private checkItem(item: Item): TemplateResult {
    const done = item["done"] === true;
    return html`<label class="check">
      <input type="checkbox" .checked=${done} ?disabled=${this.app.viewOnly} @change=${(event: Event) => this.tick(item, event)} />
      <span data-done=${done}>${text(item["title"])}</span>
      ${item["due"] ? html`<span class="muted">${dayLabel(text(item["due"]))}</span>` : nothing}
    </label>`;
  }

  private form(item: Item | null): TemplateResult {
    return html`<form class="form inline-form" @submit=${(event: SubmitEvent) => this.submit(event, item)} @keydown=${(event: KeyboardEvent) => this.key(event)}>
      ${this.shape.inputs.map((input) => this.inputView(input, item))}
      <p class="row">
        <button class="primary small" ?disabled=${this.busy}>${item ? "Save" : `Add ${this.shape.singular}`}</button>
        <button type="button" class="small" @click=${() => this.stopEditing()}>Cancel</button>
        ${item ? html`<button type="button" class="small danger" ?disabled=${this.busy} @click=${() => this.removeItem(item)}>Remove</button>` : nothing}
      </p>
    </form>`;
  }

  private inputView(input: InputShape, item: Item | null): TemplateResult {
    const value = text(item?.[input.field]);
    const required = input.required === true;
    if (input.type === "select") {
      return html`<label>${label(input.field)}
        <select name=${input.field} ?required=${required}>
          ${required ? nothing : html`<option value="">Not set</option>`}
          ${input.choices?.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${label(choice)}</option>`)}
        </select></label>`;
    }
    if (input.type === "multiline") {
      return html`<label>${label(input.field)} <textarea name=${input.field} rows="2" maxlength="5000" .value=${value}></textarea></label>`;
    }
    const shown = input.type === "datetime-local" && value ? localTime(value) : value;
    return html`<label>${label(input.field)} <input name=${input.field} type=${input.type} .value=${shown} ?required=${required} maxlength="500" autocomplete="off" /></label>`;
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.stopEditing();
  }

  private startEditing(id: string): void {
    this.editing = id;
    this.problem = "";
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("form input, form select")?.focus());
  }

  private stopEditing(): void {
    this.editing = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".add")?.focus());
  }

  private tick(item: Item, event: Event): void {
    const done = (event.target as HTMLInputElement).checked;
    const path = `sections/${this.section}/${item.id}/done`;
    const operation: Operation = {
      kind: "item.update",
      document: this.document,
      section: this.section,
      item: item.id,
      changes: [{ field: "done", value: done }],
    };
    void this.commit(`${done ? "Tick" : "Untick"} ${nameOf(item)}`, operation, [path]);
  }

  private async submit(event: SubmitEvent, item: Item | null): Promise<void> {
    event.preventDefault();
    const values = this.read(new FormData(event.target as HTMLFormElement));
    const { document, section } = this;
    if (!item) {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
      const saved = await this.commit(`Add ${this.shape.singular}`, { kind: "item.add", document, section, item: fieldList(filled) }, []);
      if (saved) this.stopEditing();
      return;
    }
    const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== (item[name] ?? null)));
    const names = Object.keys(changed);
    if (names.length === 0) return this.stopEditing();
    const operation: Operation = { kind: "item.update", document, section, item: item.id, changes: fieldList(changed) };
    const saved = await this.commit(`Change ${this.shape.singular}`, operation, names.map((name) => `sections/${section}/${item.id}/${name}`));
    if (saved) this.stopEditing();
  }

  private read(form: FormData): Record<string, Value> {
    const values: Record<string, Value> = {};
    for (const input of this.shape.inputs) {
      const raw = form.get(input.field);
      const value = typeof raw === "string" ? raw.trim() : "";
      if (!value) values[input.field] = null;
      else if (input.type === "datetime-local") values[input.field] = new Date(value).toISOString().replace(".000Z", "Z");
      else values[input.field] = value;
    }
    return values;
  }

  private async removeItem(item: Item): Promise<void> {
    const { document, section } = this;
    const removed = await this.commit(`Remove ${this.shape.singular}`, { kind: "item.remove", document, section, item: item.id }, [
      `sections/${section}/${item.id}`,
    ]);
    if (removed) this.stopEditing();
  }

  private async commit(reason: string, operation: Operation, restsOn: string[]): Promise<boolean> {
    this.busy = true;
    this.problem = "";
    try {
      await this.app.editor.edit({ document: this.document, reason: reason.slice(0, 300), operations: [operation], rests_on: restsOn });
      if (operation.kind === "item.add") await this.app.documents.refresh(this.document);
      announce("Saved.");
      return true;
    } catch (error) {
      this.problem =
        error instanceof EditConflict ? "Somebody changed this entry meanwhile. It shows their version now; change it again if you wish." : describe(error);
      return false;
    } finally {
      this.busy = false;
      this.requestUpdate();
    }
  }
}

function nameOf(item: Item): string {
  return text(item["title"]) || text(item["name"]) || (item["kind"] ? `${label(text(item["kind"]))} interview` : "entry");
}

function interviewItem(item: Item): TemplateResult {
  const zone = text(item["time_zone"]);
  const outcome = text(item["outcome"]);
  return html`<div class="item-body">
    <strong>${label(text(item["kind"]) || "interview")}</strong> ${item["starts_at"] ? html`<span>${dateTime(text(item["starts_at"]), zone || undefined)}</span>` : nothing}
    ${outcome ? html`<span class="chip small-chip">${label(outcome)}</span>` : nothing}
    ${item["place"] ? html`<p class="muted">${text(item["place"])}</p>` : nothing} ${item["note"] ? html`<p class="pre">${text(item["note"])}</p>` : nothing}
  </div>`;
}

function contactItem(item: Item): TemplateResult {
  const email = text(item["email"]);
  const phone = text(item["phone"]);
  const url = text(item["url"]);
  return html`<div class="item-body">
    <strong>${text(item["name"]) || "Unnamed"}</strong> <span class="muted">${text(item["title"])}</span>
    <p class="row">
      ${email ? html`<a href="mailto:${email}">${email}</a>` : nothing} ${phone ? html`<a href="tel:${phone.replaceAll(" ", "")}">${phone}</a>` : nothing}
      ${/^(https?|mailto):/.test(url) ? html`<a href=${url} target="_blank" rel="noopener noreferrer">Page</a>` : nothing}
    </p>
    ${item["note"] ? html`<p class="pre">${text(item["note"])}</p>` : nothing}
  </div>`;
}

/** A moment as the local wall-clock time that a datetime-local input takes. */
function localTime(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

customElements.define("cv-section", SectionEditor);
