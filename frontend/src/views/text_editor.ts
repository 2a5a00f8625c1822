/**
 * `<cv-text>`: a long text in a plain box. What was typed is sent as one small operation after a rest, so that another
 * person's words elsewhere in the text stay; where both changed the same words, both versions are shown.
 */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe, Problem } from "../api/problem";
import { EditConflict } from "../store/edits";
import type { Signal } from "../store/signal";
import { label } from "../text/labels";
import { mergeTexts, textOperation } from "../text/text_patch";
import { wordDiff } from "../text/word_diff";
import { LightElement } from "../ui/light_element";

const REST_MS = 1_200;
const MAX_TEXT = 50_000;

export class TextEditor extends LightElement {
  static override properties = {
    app: { attribute: false },
    document: { attribute: false },
    name: { attribute: false },
    problem: { state: true },
    conflict: { state: true },
    state: { state: true },
  };
  declare app: App;
  declare document: string;
  /** Which text of the document. */
  declare name: string;
  declare problem: string;
  declare conflict: { mine: string; theirs: string } | null;
  declare state: "saved" | "typing" | "saving";
  /** The text that the box was last in agreement with: what an edit is measured against. */
  private base = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly leave = (): void => void this.save();

  constructor() {
    super();
    this.problem = "";
    this.conflict = null;
    this.state = "saved";
  }

  protected override watched(): Signal[] {
    return [this.app.documents];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.leave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.leave);
    void this.save();
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.takeTheirs();
  }

  protected override updated(): void {
    if (this.state === "saved" && !this.conflict) this.takeTheirs();
  }

  protected override render(): TemplateResult {
    const id = `text-${this.name}`;
    return html`<div class="field text-field" data-place="texts/${this.name}">
      <div class="row spread">
        <label for=${id}>${label(this.name)}</label>
        <span class="muted save-state" aria-live="off">${this.app.viewOnly ? nothing : { saved: "", typing: "…", saving: "Saving" }[this.state]}</span>
      </div>
      <textarea id=${id} rows="8" maxlength=${MAX_TEXT} ?readonly=${this.app.viewOnly} @input=${() => this.typed()} @blur=${() => void this.save()}></textarea>
      ${this.conflict ? this.conflictView(this.conflict) : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem} <button class="small" @click=${() => void this.save()}>Try again</button></p>` : nothing}
    </div>`;
  }

  private conflictView(conflict: { mine: string; theirs: string }): TemplateResult {
    return html`<div class="conflict" role="alert">
      <p><strong>Somebody changed the same words.</strong> Yours against what is stored now:</p>
      <p class="diff">
        ${wordDiff(conflict.theirs, conflict.mine).map((part) =>
          part.kind === "ins" ? html`<ins>${part.text}</ins>` : part.kind === "del" ? html`<del>${part.text}</del>` : part.text,
        )}
      </p>
      <p class="row">
        <button class="small" @click=${() => this.resolve(conflict.mine, conflict.theirs)}>Use mine</button>
        <button class="small" @click=${() => this.resolve(conflict.theirs, conflict.theirs)}>Keep theirs</button>
      </p>
    </div>`;
  }

  private get box(): HTMLTextAreaElement | null {
    return this.querySelector("textarea");
  }

  private get stored(): string {
    return this.app.documents.get(this.document)?.texts[this.name] ?? "";
  }

  private takeTheirs(): void {
    const { box, stored } = this;
    if (!box) return;
    this.base = stored;
    if (box.value !== stored) setKeepingCaret(box, stored);
  }

  private typed(): void {
    this.state = "typing";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), REST_MS);
  }

  private async save(): Promise<void> {
    clearTimeout(this.timer);
    const { box, document, name } = this;
    if (!box || this.state === "saved" || this.state === "saving" || this.conflict) return;
    const mine = box.value.normalize("NFC");
    this.problem = "";
    try {
      this.state = "saving";
      const reached = await this.send(document, name, mine);
      this.base = reached;
      const untouched = box.value.normalize("NFC") === mine;
      if (untouched && box.value !== reached) setKeepingCaret(box, reached);
      this.state = untouched ? "saved" : "typing";
      if (!untouched) this.typed();
    } catch (error) {
      this.state = "typing";
      if (error instanceof EditConflict) this.conflict = { mine, theirs: String(error.theirs) };
      else this.problem = describe(error);
    }
  }

  /** Commits `mine` against whatever is stored by now. The answer is the text that stands afterwards. */
  private async send(document: string, name: string, mine: string): Promise<string> {
    const path = `texts/${name}`;
    for (let attempt = 0; ; attempt += 1) {
      const stored = this.app.documents.base(document)?.texts[name] ?? "";
      const wanted = mergeTexts(this.base, mine, stored);
      if (wanted === null) throw new EditConflict(document, path, stored);
      const operation = textOperation(document, name, stored, wanted);
      if (!operation) return wanted;
      try {
        const seen = new Map([[path, stored]]);
        await this.app.editor.edit({ document, reason: `Edit ${label(name).toLowerCase()}`, operations: [operation], rests_on: [path], seen });
        return wanted;
      } catch (error) {
        const overtaken = error instanceof EditConflict || (error instanceof Problem && error.code === "invalid_operation");
        if (!overtaken || attempt >= 3) throw error;
        await this.app.documents.refresh(document);
      }
    }
  }

  private resolve(text: string, base: string): void {
    this.conflict = null;
    this.base = base;
    if (this.box) this.box.value = text;
    this.state = "typing";
    void this.save();
  }
}

function setKeepingCaret(box: HTMLTextAreaElement, text: string): void {
  const { selectionStart, selectionEnd } = box;
  const focused = document.activeElement === box;
  box.value = text;
  if (focused) box.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionEnd, text.length));
}

customElements.define("cv-text", TextEditor);
