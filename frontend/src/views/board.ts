/** `<cv-board>`: the pipeline as columns; on a phone one stage at a time behind tabs. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Position, Stage, WorkspaceDocument } from "../api/types";
import { EditConflict } from "../store/edits";
import { column, stageOf } from "../store/pipeline";
import type { Signal } from "../store/signal";
import { STAGES, companyOf, label, text } from "../text/labels";
import { alarm, announce } from "../ui/announcer";
import { addIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";
import "./add_application";
import type { AddApplication } from "./add_application";
import { cardView } from "./card";
import "./move_dialog";
import type { MoveDialog } from "./move_dialog";

export class Board extends LightElement {
  static override properties = { app: { attribute: false }, tab: { state: true }, filter: { state: true } };
  declare app: App;
  /** The stage that a phone shows. */
  declare tab: string;
  declare filter: string;
  private handledPlace: string | null = null;

  constructor() {
    super();
    this.tab = "";
    this.filter = "";
  }

  protected override watched(): Signal[] {
    return [this.app.documents, this.app.events, this.app.router];
  }

  protected override willUpdate(): void {
    const { place } = this.app.router.route;
    if (place && (STAGES as readonly string[]).includes(place) && place !== this.handledPlace) this.tab = place;
    if (!this.tab) this.tab = this.fullestStage();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { place } = this.app.router.route;
    if (place === this.handledPlace) return;
    this.handledPlace = place;
    if (place === "add") this.openAdd();
    else if (place) this.querySelector(`[data-stage-column="${CSS.escape(place)}"]`)?.scrollIntoView({ inline: "start", block: "nearest" });
  }

  protected override render(): TemplateResult {
    const applications = this.app.documents.list("application").filter((application) => this.passes(application));
    return html`<div class="board-page">
      <header class="board-head">
        <h1 tabindex="-1">Board</h1>
        <label class="visually-hidden" for="board-filter">Filter by role, company or place</label>
        <input id="board-filter" type="search" placeholder="Filter…" autocomplete="off" .value=${this.filter}
          @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
        ${this.app.viewOnly ? nothing : html`<button class="primary" @click=${() => this.openAdd()}>${addIcon} Add application</button>`}
      </header>
      <div class="stage-tabs" role="group" aria-label="Stage shown">
        ${STAGES.map(
          (stage) => html`<button class="small" aria-pressed=${this.tab === stage} @click=${() => (this.tab = stage)}>
            ${label(stage)} <span class="count">${column(applications, stage).length}</span>
          </button>`,
        )}
      </div>
      <div class="columns" role="group" aria-label="Applications by stage" tabindex="0">
        ${STAGES.map((stage) => this.columnView(stage, column(applications, stage)))}
      </div>
      <cv-move-dialog .app=${this.app}></cv-move-dialog>
      <cv-add-application .app=${this.app}></cv-add-application>
    </div>`;
  }

  private columnView(stage: string, cards: WorkspaceDocument[]): TemplateResult {
    return html`<section class="column" data-stage-column=${stage} data-shown=${this.tab === stage} aria-labelledby="stage-${stage}">
      <h2 id="stage-${stage}"><span class="dot" data-stage=${stage}></span>${label(stage)} <span class="count">${cards.length}</span></h2>
      <div class="cards">
        ${repeat(cards, (card) => card.id, (card) => cardView(this.app, card, () => this.openMove(card)))}
        ${cards.length === 0 ? html`<p class="muted empty-column">${this.filter ? "No match" : "Nothing here"}</p>` : nothing}
      </div>
    </section>`;
  }

  private passes(application: WorkspaceDocument): boolean {
    const wanted = this.filter.trim().toLocaleLowerCase();
    if (!wanted) return true;
    const { title, company, location } = application.fields;
    return [title, company, location].some((value) => text(value).toLocaleLowerCase().includes(wanted));
  }

  private fullestStage(): string {
    const applications = this.app.documents.list("application");
    return STAGES.find((stage) => column(applications, stage).length > 0) ?? "saved";
  }

  private openAdd(): void {
    this.querySelector<AddApplication>("cv-add-application")?.open();
  }

  private openMove(card: WorkspaceDocument): void {
    const dialog = this.querySelector<MoveDialog>("cv-move-dialog");
    dialog?.open(card, (stage, position) => this.move(card.id, stage, position));
  }

  private async move(id: string, stage: Stage, position: Position): Promise<void> {
    const card = this.app.documents.get(id);
    if (!card) return;
    const name = companyOf(card);
    const edit = this.app.editor.edit({
      document: id,
      reason: stage === stageOf(card) ? `Reorder ${name}` : `Move ${name} to ${label(stage)}`,
      operations: [{ kind: "application.move_stage", document: id, stage, position }],
      rests_on: ["fields/stage"],
    });
    this.tab = stage;
    await this.focusCard(id);
    try {
      await edit;
      await this.app.documents.refresh(id);
      await this.focusCard(id);
      const cards = column(this.app.documents.list("application"), stage);
      const place = cards.findIndex((other) => other.id === id) + 1;
      announce(`${name} moved to ${label(stage)}, ${place} of ${cards.length}`);
    } catch (error) {
      if (error instanceof EditConflict) alarm(`${name} was moved meanwhile to ${label(text(error.theirs as string))}. It stays there.`);
      else alarm(`${name} was not moved. ${describe(error)}`);
      this.tab = stageOf(this.app.documents.get(id) ?? card);
      await this.focusCard(id);
    }
  }

  /** The card is drawn anew in its column; the focus goes with it. */
  private async focusCard(id: string): Promise<void> {
    await this.updateComplete;
    const button = this.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] .card-move`);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

customElements.define("cv-board", Board);
