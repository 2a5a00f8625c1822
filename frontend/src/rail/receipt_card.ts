/**
 * `<cv-receipt>`: one reversible change, wherever it is shown: in the rail, on the overview, in History.
 *
 * Its state comes from the receipt store, so that all cards of a receipt change together when anybody undoes it.
 */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe, Problem } from "../api/problem";
import type { Change, Receipt, Conflict } from "../api/types";
import type { Signal } from "../store/signal";
import { ago, dateTime } from "../text/dates";
import { actorLabel, operationPhrase, pathParts, shownPaths, titleOf } from "../text/labels";
import { announce } from "../ui/announcer";
import { checkIcon, redoIcon, undoIcon, warnIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";
import { changeView } from "./word_diff_view";

const SHOWN_PATHS = 6;
const STATE_TEXT: Record<Receipt["state"], string> = { active: "Applied", undone: "Undone", expired: "No longer undoable" };

export class ReceiptCard extends LightElement {
  static override properties = {
    app: { attribute: false },
    receipt: { attribute: false },
    open: { attribute: false },
    busy: { state: true },
    problem: { state: true },
    conflicts: { state: true },
    changes: { state: true },
  };
  declare app: App;
  /** The receipt's id. */
  declare receipt: string;
  /** Whether the changes are shown at once. */
  declare open: boolean;
  declare busy: boolean;
  declare problem: string;
  declare conflicts: Conflict[];
  declare changes: Change[] | "loading" | "gone" | null;
  private asked = "";

  constructor() {
    super();
    this.open = false;
    this.busy = false;
    this.problem = "";
    this.conflicts = [];
    this.changes = null;
  }

  protected override watched(): Signal[] {
    return [this.app.receipts, this.app.documents];
  }

  protected override willUpdate(): void {
    if (this.asked === this.receipt) return;
    this.asked = this.receipt;
    this.changes = null;
    this.problem = "";
    this.conflicts = [];
    this.app.receipts.ensure(this.receipt).catch((error: unknown) => {
      this.problem = describe(error);
    });
    if (this.open) void this.loadChanges();
  }

  protected override render(): TemplateResult {
    const receipt = this.app.receipts.get(this.receipt);
    if (!receipt) return html`<div class="receipt card">${this.problem || html`<span class="skeleton">Loading the change…</span>`}</div>`;
    const { applied, last } = this.app.receipts.standing(receipt);
    const spent = last !== undefined && this.app.receipts.stateOf(last) === "expired";
    const state = !applied ? "undone" : spent ? "expired" : "active";
    return html`<article class="receipt card" data-state=${state} data-receipt=${receipt.id} aria-label="Change: ${receipt.reason}">
      <header>
        <span class="state" data-state=${this.conflicts.length ? "conflict" : state}>
          ${this.conflicts.length ? warnIcon : state === "undone" ? undoIcon : checkIcon}
          ${this.conflicts.length ? "Not undone" : STATE_TEXT[state]}
        </span>
        <span class="muted"><time datetime=${receipt.created_at} title=${dateTime(receipt.created_at)}>${ago(receipt.created_at)}</time></span>
      </header>
      <p class="intent">${receipt.reason}</p>
      <ul class="paths">
        ${this.pathLinks(shownPaths(receipt.affected_paths))}
      </ul>
      ${this.details(receipt)} ${this.conflictView()}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <footer>
        <span class="muted">${actorLabel(receipt)} · ${receipt.operation_kinds.map(operationPhrase).filter(unique).join(", ")}</span>
        ${spent ? nothing : this.action(applied, last)}
      </footer>
    </article>`;
  }

  private pathLinks(paths: string[]): TemplateResult {
    const rest = paths.length - SHOWN_PATHS;
    return html`${paths.slice(0, SHOWN_PATHS).map((path) => this.pathLink(path))}
    ${rest > 0 ? html`<li class="muted">and ${rest} more</li>` : nothing}`;
  }

  private pathLink(path: string): TemplateResult {
    const parts = pathParts(path);
    const name = titleOf(this.app.documents.look(parts.document), parts.document);
    return html`<li>
      <a href=${this.app.router.pageOf(parts.document, parts.rest)}>${name}${parts.rest ? html` › ${parts.label}` : nothing}</a>
    </li>`;
  }

  private details(receipt: Receipt): TemplateResult {
    return html`<details ?open=${this.open} @toggle=${(event: Event) => (event.target as HTMLDetailsElement).open && void this.loadChanges()}>
      <summary>What changed</summary>
      ${this.changes === null || this.changes === "loading"
        ? html`<p class="muted">Loading…</p>`
        : this.changes === "gone"
          ? html`<p class="muted">The details are kept as long as the change can be undone.</p>`
          : this.changes.filter((change) => !change.path.endsWith("/rank")).map((change) => changeView(change, (id) => titleOf(this.app.documents.look(id), id)))}
      ${receipt.affected_paths.length === 0 ? html`<p class="muted">Nothing visible.</p>` : nothing}
    </details>`;
  }

  private conflictView(): TemplateResult | typeof nothing {
    if (!this.conflicts.length) return nothing;
    return html`<div class="conflict" role="alert">
      <p><strong>Undo would overwrite later work.</strong> Nothing was changed.</p>
      <ul>
        ${this.conflicts.map((conflict) => {
          const parts = pathParts(conflict.path);
          const name = titleOf(this.app.documents.get(parts.document), parts.document);
          return html`<li>
            <a href=${this.app.router.pageOf(parts.document, parts.rest)}>${name} › ${parts.label}</a>
            was changed again by ${conflict.actor_class === "agent" ? "the assistant" : actorLabel({ ...conflict, actor: "" }).toLowerCase()}
            <time datetime=${conflict.at}>${ago(conflict.at)}</time>
          </li>`;
        })}
      </ul>
    </div>`;
  }

  private action(applied: boolean, last: Receipt | undefined): TemplateResult | typeof nothing {
    if (this.app.viewOnly || !last) return nothing;
    return applied
      ? html`<button class="small" ?disabled=${this.busy} @click=${() => this.run(last, "undo")}>${undoIcon} Undo</button>`
      : html`<button class="small" ?disabled=${this.busy} @click=${() => this.run(last, "redo")}>${redoIcon} Redo</button>`;
  }

  private async run(receipt: Receipt, what: "undo" | "redo"): Promise<void> {
    this.busy = true;
    this.problem = "";
    this.conflicts = [];
    try {
      const intent = this.app.receipts.get(this.receipt)?.reason ?? receipt.reason;
      await this.app.receipts.undo(receipt, `${what === "undo" ? "Undo" : "Redo"}: ${intent}`.slice(0, 300));
      announce(what === "undo" ? "The change was undone." : "The change was made again.");
      this.changes = null;
      if (this.querySelector("details")?.open) await this.loadChanges();
    } catch (error) {
      if (error instanceof Problem && error.code === "undo_conflict") this.conflicts = error.conflicts;
      else this.problem = describe(error);
      await this.app.receipts.reload(receipt.id).catch(() => undefined);
    } finally {
      this.busy = false;
      await this.updateComplete;
      this.querySelector<HTMLElement>("footer button")?.focus();
    }
  }

  private async loadChanges(): Promise<void> {
    if (this.changes !== null) return;
    this.changes = "loading";
    try {
      this.changes = await this.app.receipts.listChanges(this.receipt);
    } catch (error) {
      this.changes = error instanceof Problem && error.status === 410 ? "gone" : null;
      if (this.changes === null) this.problem = describe(error);
    }
  }
}

const unique = (value: string, index: number, all: string[]): boolean => all.indexOf(value) === index;

customElements.define("cv-receipt", ReceiptCard);
