/**
 * The workspace's documents as this page knows them: what the server last said, plus the edits that are on their way.
 *
 * An edit shows at once. Its patch is laid over the server's state until the server has answered; then the patch is
 * either part of the state or gone. Documents are refetched when a commit of somebody else touched them.
 */

import { Problem } from "../api/problem";
import type { Clocks, WorkspaceDocument } from "../api/types";
import type { WorkspaceApi } from "../api/workspace_api";
import { everyPage } from "../api/workspace_api";
import { Signal } from "./signal";

// Somebody who types moves a document's clock with each key: it is read anew so often and no more.
const TYPING_PAUSE_MS = 400;

export type Patch = (document: WorkspaceDocument) => WorkspaceDocument;

export class DocumentStore extends Signal {
  private readonly api: WorkspaceApi;
  private readonly confirmed = new Map<string, WorkspaceDocument>();
  private readonly pending = new Map<string, Patch[]>();
  private readonly shown = new Map<string, WorkspaceDocument>();
  private readonly loaded = new Set<string>();
  private readonly looked = new Set<string>();
  private readonly missing = new Set<string>();
  private readonly fetching = new Map<string, Promise<WorkspaceDocument | undefined>>();
  private readonly wanted = new Map<string, number>();
  private readonly soon = new Map<string, number>();
  private lists = new Map<string, WorkspaceDocument[]>();

  constructor(api: WorkspaceApi) {
    super();
    this.api = api;
  }

  async load(kinds: readonly string[]): Promise<void> {
    const pages = await Promise.all(
      kinds.map((kind) =>
        kind === "profile" || kind === "plan"
          ? this.api.getDocument(kind).then((document) => [document])
          : everyPage((cursor) => this.api.listDocuments(kind, cursor ? { cursor } : {})),
      ),
    );
    const seen = new Set<string>();
    for (const document of pages.flat()) {
      seen.add(document.id);
      this.confirm(document);
    }
    for (const [id, document] of this.confirmed) {
      if (kinds.includes(document.kind) && !seen.has(id) && !document.archived) this.forget(id);
    }
  }

  /** `load`, once for each kind; what is committed later is told live. */
  async loadOnce(kinds: readonly string[]): Promise<void> {
    const fresh = kinds.filter((kind) => !this.loaded.has(kind));
    for (const kind of fresh) this.loaded.add(kind);
    try {
      await this.load(fresh);
    } catch (error) {
      for (const kind of fresh) this.loaded.delete(kind);
      throw error;
    }
  }

  /** The kinds that a resync must bring up to date. */
  get loadedKinds(): readonly string[] {
    return [...this.loaded];
  }

  get(id: string): WorkspaceDocument | undefined {
    const known = this.shown.get(id);
    if (known) return known;
    const base = this.confirmed.get(id);
    if (!base) return undefined;
    const document = (this.pending.get(id) ?? []).reduce((state, patch) => patch(state), base);
    this.shown.set(id, document);
    return document;
  }

  /** `get`, and a request for a document that is not here yet: it shows when it has come. */
  look(id: string): WorkspaceDocument | undefined {
    const known = this.get(id);
    if (!known && !this.missing.has(id) && !this.looked.has(id)) {
      this.looked.add(id);
      this.refresh(id).catch(() => undefined);
    }
    return known;
  }

  /** The server's own state, without edits under way. */
  base(id: string): WorkspaceDocument | undefined {
    return this.confirmed.get(id);
  }

  isMissing(id: string): boolean {
    return this.missing.has(id);
  }

  /** Active documents of a kind; the same array until one of them changes. */
  list(kind: string): WorkspaceDocument[] {
    const known = this.lists.get(kind);
    if (known) return known;
    const documents = [...this.confirmed.keys()]
      .map((id) => this.get(id)!)
      .filter((document) => document.kind === kind && !document.archived);
    this.lists.set(kind, documents);
    return documents;
  }

  clocksOf(ids: Iterable<string>): Clocks {
    return Object.fromEntries([...ids].map((id) => [id, this.confirmed.get(id)?.clock ?? 0]));
  }

  /** Takes the server's word, unless something newer is known. */
  confirm(document: WorkspaceDocument): void {
    const known = this.confirmed.get(document.id);
    if (known && known.clock > document.clock) return;
    this.confirmed.set(document.id, document);
    this.missing.delete(document.id);
    this.changed(document.id);
  }

  lay(id: string, patch: Patch): void {
    this.pending.set(id, [...(this.pending.get(id) ?? []), patch]);
    this.changed(id);
  }

  /** The edit was refused: what stood before it stands again. */
  lift(id: string, patch: Patch): void {
    const rest = (this.pending.get(id) ?? []).filter((other) => other !== patch);
    if (rest.length) this.pending.set(id, rest);
    else this.pending.delete(id);
    this.changed(id);
  }

  /** The edit was committed: the patch is now part of the server's state at `clock`. */
  settle(id: string, patch: Patch, clock: number): void {
    const base = this.confirmed.get(id);
    if (base && base.clock < clock) this.confirmed.set(id, { ...patch(base), clock });
    this.lift(id, patch);
  }

  /** Ensure that the page knows `id` at `clock` or later. Concurrent calls share one request. */
  async refresh(id: string, clock = Infinity): Promise<WorkspaceDocument | undefined> {
    const known = this.confirmed.get(id);
    if (known && known.clock >= clock) return known;
    this.wanted.set(id, Math.max(clock === Infinity ? 0 : clock, this.wanted.get(id) ?? 0));
    const running = this.fetching.get(id);
    if (running) {
      await running;
      const fresh = this.confirmed.get(id);
      if (fresh && fresh.clock >= (this.wanted.get(id) ?? 0)) return fresh;
      return this.refresh(id, clock);
    }
    const request = this.fetchOne(id).finally(() => this.fetching.delete(id));
    this.fetching.set(id, request);
    return request;
  }

  /** `refresh` after a short pause, once for all calls in it; only for what is shown here. */
  refreshSoon(id: string, clock: number): void {
    const known = this.confirmed.get(id);
    if (!known || known.clock >= clock) return;
    const waiting = this.soon.get(id);
    this.soon.set(id, Math.max(clock, waiting ?? 0));
    if (waiting !== undefined) return;
    setTimeout(() => {
      const newest = this.soon.get(id);
      this.soon.delete(id);
      this.refresh(id, newest).catch(() => undefined);
    }, TYPING_PAUSE_MS);
  }

  private async fetchOne(id: string): Promise<WorkspaceDocument | undefined> {
    try {
      const document = await this.api.getDocument(id);
      this.confirm(document);
      return this.confirmed.get(id);
    } catch (error) {
      if (error instanceof Problem && error.code === "not_found") {
        this.forget(id);
        this.missing.add(id);
        this.emit();
        return undefined;
      }
      throw error;
    }
  }

  private forget(id: string): void {
    this.confirmed.delete(id);
    this.pending.delete(id);
    this.changed(id);
  }

  private changed(id: string): void {
    this.shown.delete(id);
    this.lists = new Map();
    this.emit();
  }
}
