/** `<cv-turn-undo>`: "Undo all from this turn", with a look at what would stand in its way before anything is done. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe, Problem } from "../api/problem";
import type { Conflict } from "../api/types";
import type { Signal } from "../store/signal";
import { ago } from "../text/dates";
import { actorLabel, pathParts, titleOf } from "../text/labels";
import { announce } from "../ui/announcer";
import { LightElement } from "../ui/light_element";

export class TurnUndo extends LightElement {
  static override properties = {
    app: { attribute: false },
    turn: { attribute: false },
    stage: { state: true },
    conflicts: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare turn: string;
  declare stage: "idle" | "previewing" | "asking" | "undoing";
  declare conflicts: Conflict[];
  declare problem: string;

  constructor() {
    super();
    this.stage = "idle";
    this.conflicts = [];
    this.problem = "";
  }

  protected override watched(): Signal[] {
    return [this.app.receipts];
  }

  protected override render(): TemplateResult | typeof nothing {
    const active = this.app.receipts.ofTurn(this.turn).filter((receipt) => this.app.receipts.stateOf(receipt) === "active");
    // One receipt has its own Undo; a button for "all" of one would only be noise.
    if (active.length < 2 || this.app.viewOnly) return nothing;
    if (this.stage === "idle" || this.stage === "previewing") {
      return html`<button class="small quiet" ?disabled=${this.stage === "previewing"} @click=${() => this.preview()}>
          Undo all ${active.length} changes of this answer…
        </button>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}`;
    }
    return html`<div class="card turn-undo" role="group" aria-label="Undo all changes of this answer">
      ${this.conflicts.length ? this.blocked() : html`<p>${active.length} changes will be taken back. Later work is not affected.</p>`}
      <p class="row">
        ${this.conflicts.length
          ? nothing
          : html`<button class="primary small" ?disabled=${this.stage === "undoing"} @click=${() => this.undo()}>Undo all</button>`}
        <button class="small" @click=${() => this.cancel()}>${this.conflicts.length ? "Close" : "Keep them"}</button>
      </p>
    </div>`;
  }

  private blocked(): TemplateResult {
    return html`<p><strong>Not all of it can be undone together:</strong> later work would be lost.</p>
      <ul>
        ${this.conflicts.map((conflict) => {
          const parts = pathParts(conflict.path);
          return html`<li>
            <a href=${this.app.router.pageOf(parts.document, parts.rest)}>
              ${titleOf(this.app.documents.get(parts.document), parts.document)} › ${parts.label}</a>,
            changed by ${actorLabel({ ...conflict, actor: "" }).toLowerCase()} ${ago(conflict.at)}
          </li>`;
        })}
      </ul>
      <p>Undo the other changes one by one.</p>`;
  }

  private cancel(): void {
    this.stage = "idle";
  }

  private async preview(): Promise<void> {
    this.stage = "previewing";
    this.problem = "";
    try {
      this.conflicts = (await this.app.receipts.previewTurn(this.turn)).conflicts;
      this.stage = "asking";
      await this.updateComplete;
      this.querySelector<HTMLElement>("button")?.focus();
    } catch (error) {
      this.problem = describe(error);
      this.stage = "idle";
    }
  }

  private async undo(): Promise<void> {
    this.stage = "undoing";
    try {
      await this.app.receipts.undoTurn(this.turn);
      announce("All changes of this answer were undone.");
      this.stage = "idle";
    } catch (error) {
      if (error instanceof Problem && error.code === "undo_conflict") {
        this.conflicts = error.conflicts;
        this.stage = "asking";
      } else {
        this.problem = describe(error);
        this.stage = "idle";
      }
    }
  }
}

customElements.define("cv-turn-undo", TurnUndo);
