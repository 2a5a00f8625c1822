/**
 * `<cv-field>`: one field that a person edits in place. What is typed shows at once and is sent when it is left; when
 * somebody else changed the same field meanwhile, both values are shown and the person chooses.
 */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Value } from "../api/types";
import { EditConflict } from "../store/edits";
import type { Signal } from "../store/signal";
import { label, text } from "../text/labels";
import { announce } from "../ui/announcer";
import { LightElement } from "../ui/light_element";

export type FieldType = "line" | "url" | "date" | "integer" | "currency" | "enum";

export class FieldEditor extends LightElement {
  static override properties = {
    app: { attribute: false },
    document: { attribute: false },
    field: { attribute: false },
    type: { attribute: false },
    choices: { attribute: false },
    problem: { state: true },
    conflict: { state: true },
  };
  declare app: App;
  declare document: string;
  declare field: string;
  declare type: FieldType;
  declare choices: readonly string[];
  declare problem: string;
  declare conflict: { mine: Value; theirs: Value } | null;
  /** What stood there when the person began to type. */
  private seenBefore: Value | undefined;

  constructor() {
    super();
    this.type = "line";
    this.choices = [];
    this.problem = "";
    this.conflict = null;
  }

  protected override watched(): Signal[] {
    return [this.app.documents];
  }

  private get value(): Value {
    return this.app.documents.get(this.document)?.fields[this.field] ?? null;
  }

  private get fieldId(): string {
    return `field-${this.field}`;
  }

  protected override render(): TemplateResult {
    return html`<div class="field" data-place="fields/${this.field}">
      <label for=${this.fieldId}>${label(this.field)}</label>
      ${this.control()} ${this.conflict ? this.conflictView(this.conflict) : nothing}
      ${this.problem ? html`<p class="problem" role="alert" id="${this.fieldId}-problem">${this.problem}</p>` : nothing}
    </div>`;
  }

  private control(): TemplateResult {
    const value = text(this.value);
    if (this.type === "enum") {
      return html`<select id=${this.fieldId} ?disabled=${this.app.viewOnly} @change=${(event: Event) => this.leave((event.target as HTMLSelectElement).value)}>
        ${this.field === "stage" ? nothing : html`<option value="" .selected=${value === ""}>Not set</option>`}
        ${this.choices.map((choice) => html`<option value=${choice} .selected=${choice === value}>${label(choice)}</option>`)}
      </select>`;
    }
    // While the person types, the box is theirs: somebody else's value must not replace half a word.
    const typing = this.seenBefore !== undefined;
    return html`<span class="control"><input
        id=${this.fieldId}
        type=${{ line: "text", url: "url", date: "date", integer: "number", currency: "text", enum: "text" }[this.type]}
        .value=${typing ? (this.input?.value ?? value) : value}
        maxlength=${this.type === "currency" ? 3 : this.type === "line" || this.type === "url" ? 500 : nothing}
        min=${this.type === "integer" ? 0 : nothing}
        ?readonly=${this.app.viewOnly}
        autocomplete="off"
        aria-invalid=${this.problem ? "true" : nothing}
        aria-describedby=${this.problem ? `${this.fieldId}-problem` : nothing}
        @input=${() => (this.seenBefore ??= this.value)}
        @change=${(event: Event) => this.leave((event.target as HTMLInputElement).value)}
        @blur=${() => this.rest()}
        @keydown=${(event: KeyboardEvent) => this.key(event)}
      />${this.type === "url" && /^https?:/.test(value) ? html`<a class="open-link" href=${value} target="_blank" rel="noopener noreferrer">Open</a>` : nothing}</span>`;
  }

  private conflictView(conflict: { mine: Value; theirs: Value }): TemplateResult {
    return html`<div class="conflict" role="alert">
      <p>Changed meanwhile to <strong>${text(conflict.theirs) || "nothing"}</strong>. You wrote <strong>${text(conflict.mine) || "nothing"}</strong>.</p>
      <p class="row">
        <button class="small" @click=${() => this.keepMine(conflict.mine)}>Use mine</button>
        <button class="small" @click=${() => (this.conflict = null)}>Keep theirs</button>
      </p>
    </div>`;
  }

  private get input(): HTMLInputElement | null {
    return this.querySelector("input");
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter") this.input?.blur();
    if (event.key !== "Escape" || this.seenBefore === undefined || !this.input) return;
    event.preventDefault();
    this.input.value = text(this.value);
    this.seenBefore = undefined;
    this.problem = "";
  }

  private rest(): void {
    if (this.seenBefore === undefined) return;
    this.seenBefore = undefined;
    this.requestUpdate();
  }

  private leave(raw: string): void {
    const seen = this.seenBefore === undefined ? this.value : this.seenBefore;
    this.seenBefore = undefined;
    const value = this.parse(raw);
    if (value === undefined || value === seen) return this.requestUpdate();
    void this.save(value, seen);
  }

  private parse(raw: string): Value | undefined {
    const trimmed = raw.trim();
    this.problem = "";
    if (trimmed === "") {
      if (this.input?.validity.badInput) {
        this.problem = this.type === "date" ? "This is not a date." : "This is not a number.";
        return undefined;
      }
      return null;
    }
    if (this.type === "currency") return trimmed.toUpperCase();
    if (this.type !== "integer") return trimmed;
    const number = Number(trimmed);
    if (Number.isInteger(number)) return number;
    this.problem = "Only whole numbers.";
    return undefined;
  }

  private keepMine(mine: Value): void {
    this.conflict = null;
    void this.save(mine, this.value);
  }

  private async save(value: Value, seen: Value): Promise<void> {
    this.problem = "";
    this.conflict = null;
    const { document, field } = this;
    try {
      await this.app.editor.edit({
        document,
        reason: `Set ${label(field).toLowerCase()}`,
        operations: [{ kind: "field.set", document, field, value }],
        rests_on: [`fields/${field}`],
        seen: new Map([[`fields/${field}`, seen]]),
      });
      announce(`${label(field)} saved.`);
    } catch (error) {
      if (error instanceof EditConflict) this.conflict = { mine: value, theirs: error.theirs as Value };
      else {
        this.problem = describe(error);
        // The words stay in the box for another try.
        if (this.input) {
          this.input.value = text(value);
          this.seenBefore = seen;
        }
      }
    }
  }
}

customElements.define("cv-field", FieldEditor);
