/** `<cv-move-dialog>`: where a card goes, by stage and position. The way to move without a pointer. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import type { Position, Stage, WorkspaceDocument } from "../api/types";
import { column, stageOf } from "../store/pipeline";
import { STAGES, companyOf, label, text } from "../text/labels";
import { LightElement } from "../ui/light_element";

export class MoveDialog extends LightElement {
  static override properties = { app: { attribute: false }, card: { state: true }, stage: { state: true } };
  declare app: App;
  declare card: WorkspaceDocument | null;
  declare stage: Stage;
  private onMove: (stage: Stage, position: Position) => void = () => undefined;

  constructor() {
    super();
    this.card = null;
    this.stage = "saved";
  }

  open(card: WorkspaceDocument, onMove: (stage: Stage, position: Position) => void): void {
    this.card = card;
    this.stage = stageOf(card) as Stage;
    this.onMove = onMove;
    void this.updateComplete.then(() => this.querySelector("dialog")?.showModal());
  }

  protected override render(): TemplateResult {
    const { card } = this;
    const others = card ? column(this.app.documents.list("application"), this.stage).filter((other) => other.id !== card.id) : [];
    return html`<dialog aria-labelledby="move-title" @close=${(event: Event) => this.closed(event)}>
      <form method="dialog" class="form">
        <h2 id="move-title">Move ${card ? companyOf(card) : nothing}</h2>
        <label>Stage
          <select name="stage" autofocus @change=${(event: Event) => (this.stage = (event.target as HTMLSelectElement).value as Stage)}>
            ${STAGES.map((stage) => html`<option value=${stage} .selected=${stage === this.stage}>${label(stage)}</option>`)}
          </select>
        </label>
        <label>Position
          <select name="position">
            <option value="start">At the top</option>
            ${others.slice(0, -1).map((other) => html`<option value=${other.id}>After ${companyOf(other)} · ${text(other.fields["title"])}</option>`)}
            <option value="end" selected>At the end</option>
          </select>
        </label>
        <p class="row end">
          <button value="cancel" formnovalidate>Cancel</button>
          <button class="primary" value="move">Move</button>
        </p>
      </form>
    </dialog>`;
  }

  private closed(event: Event): void {
    const dialog = event.target as HTMLDialogElement;
    const card = this.card;
    if (dialog.returnValue !== "move" || !card) return;
    dialog.returnValue = "";
    const chosen = dialog.querySelector<HTMLSelectElement>('[name="position"]')?.value ?? "end";
    this.onMove(this.stage, chosen === "start" || chosen === "end" ? chosen : { after: chosen });
  }
}

customElements.define("cv-move-dialog", MoveDialog);
