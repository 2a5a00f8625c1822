/** Receipts as this page knows them, kept live by the workspace socket; undo, redo and the undo of a whole turn. */

import { newKey } from "../api/client";
import type { Change, CommitAnswer, Receipt } from "../api/types";
import type { TurnUndoPreview, WorkspaceApi } from "../api/workspace_api";
import { now } from "../text/dates";
import type { DocumentStore } from "./documents";
import { Signal } from "./signal";

export class ReceiptStore extends Signal {
  private readonly api: WorkspaceApi;
  private readonly documents: DocumentStore;
  private readonly byId = new Map<string, Receipt>();
  private readonly byEvent = new Map<string, Receipt>();
  private readonly undoingEvents = new Set<string>();
  private readonly loading = new Map<string, Promise<Receipt>>();
  private readonly changes = new Map<string, Promise<Change[]>>();

  constructor(api: WorkspaceApi, documents: DocumentStore) {
    super();
    this.api = api;
    this.documents = documents;
  }

  put(receipt: Receipt): void {
    this.byId.set(receipt.id, receipt);
    this.byEvent.set(receipt.event, receipt);
    if (receipt.undone_by) this.undoingEvents.add(receipt.undone_by);
    this.emit();
  }

  /** What a live message says of a receipt: all of it when it is new, only what changed when it was undone. */
  take(news: Partial<Receipt> & { id: string }): void {
    const known = this.byId.get(news.id);
    if (known) this.put({ ...known, ...news });
    else if (isWhole(news)) this.put(news);
  }

  get(id: string): Receipt | undefined {
    return this.byId.get(id);
  }

  /** `expired` is decided by the time of looking, whatever the last message said. */
  stateOf(receipt: Receipt): Receipt["state"] {
    if (receipt.state === "active" && Date.parse(receipt.expires_at) <= now().getTime()) return "expired";
    return receipt.state;
  }

  /**
   * How a change stands after all its undos and redos. Each of them is a receipt of its own that undid the one before;
   * `last` is the end of that chain, and undoing it is the next Undo or Redo. Undefined while it is not known here.
   */
  standing(receipt: Receipt): { applied: boolean; last: Receipt | undefined } {
    let applied = true;
    let last = receipt;
    for (const seen = new Set<string>(); last.undone_by && !seen.has(last.id); ) {
      seen.add(last.id);
      applied = !applied;
      const next = this.byEvent.get(last.undone_by);
      if (!next) return { applied, last: undefined };
      last = next;
    }
    return { applied, last };
  }

  /** Whether this receipt only took another known one back: a list shows that one, with its state. */
  isCompensation(receipt: Receipt): boolean {
    return this.undoingEvents.has(receipt.event);
  }

  newest(limit: number): Receipt[] {
    return [...this.byId.values()].sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id)).slice(0, limit);
  }

  ofTurn(turn: string): Receipt[] {
    return this.newest(Infinity).filter((receipt) => receipt.turn === turn);
  }

  async load(filter: { document?: string; thread?: string; limit?: string; cursor?: string }): Promise<void> {
    const page = await this.api.listReceipts(filter);
    for (const receipt of page.items) this.put(receipt);
  }

  ensure(id: string): Promise<Receipt> {
    const known = this.byId.get(id);
    if (known) return Promise.resolve(known);
    return this.reload(id);
  }

  reload(id: string): Promise<Receipt> {
    const running = this.loading.get(id);
    if (running) return running;
    const request = this.api
      .getReceipt(id)
      .then((receipt) => {
        this.put(receipt);
        return receipt;
      })
      .finally(() => this.loading.delete(id));
    this.loading.set(id, request);
    return request;
  }

  /** After a gap in the live messages every state on the page may be old. */
  async reloadShown(limit = 50): Promise<void> {
    await Promise.allSettled(this.newest(limit).map((receipt) => this.reload(receipt.id)));
  }

  listChanges(id: string): Promise<Change[]> {
    const known = this.changes.get(id);
    if (known) return known;
    const request = this.api.listChanges(id).then((page) => page.items);
    request.catch(() => this.changes.delete(id));
    this.changes.set(id, request);
    return request;
  }

  async undo(receipt: Receipt, reason: string): Promise<CommitAnswer> {
    const ids = touchedDocuments(receipt);
    await Promise.all(ids.map((id) => this.documents.refresh(id)));
    const answer = await this.api.undoReceipt(receipt.id, this.documents.clocksOf(ids), reason, newKey());
    await this.afterUndo(answer, [receipt.id]);
    return answer;
  }

  previewTurn(turn: string): Promise<TurnUndoPreview> {
    return this.api.previewTurnUndo(turn);
  }

  async undoTurn(turn: string): Promise<CommitAnswer> {
    const active = this.ofTurn(turn).filter((receipt) => this.stateOf(receipt) === "active");
    const ids = [...new Set(active.flatMap(touchedDocuments))];
    await Promise.all(ids.map((id) => this.documents.refresh(id)));
    const answer = await this.api.undoTurn(turn, this.documents.clocksOf(ids), newKey());
    await this.afterUndo(answer, active.map((receipt) => receipt.id));
    return answer;
  }

  private async afterUndo(answer: CommitAnswer, undone: string[]): Promise<void> {
    const fresh = answer.receipt ? [...undone, answer.receipt.id] : undone;
    await Promise.allSettled([
      ...fresh.map((id) => this.reload(id)),
      ...Object.entries(answer.clocks.after).map(([id, clock]) => this.documents.refresh(id, clock)),
    ]);
  }
}

const isWhole = (receipt: Partial<Receipt>): receipt is Receipt => receipt.affected_paths !== undefined && receipt.created_at !== undefined;

export function touchedDocuments(receipt: Receipt): string[] {
  return [...new Set(receipt.affected_paths.map((path) => path.split("/")[0] ?? path))];
}
