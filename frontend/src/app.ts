/**
 * The workspace page's parts, wired once: stores, live connection, router. Components receive this object.
 *
 * Above: workspace.ts starts it. Below: the stores, which know neither the page nor each other beyond what is passed.
 */

import { Problem } from "./api/problem";
import type { ThreadEvent } from "./api/types";
import { WorkspaceApi } from "./api/workspace_api";
import type { SocketState } from "./live/socket";
import { WorkspaceLive } from "./live/workspace_live";
import { DocumentStore } from "./store/documents";
import { Editor } from "./store/edits";
import { EventStore } from "./store/events";
import { forgetWorkspace } from "./store/leftovers";
import { ReceiptStore } from "./store/receipts";
import { Signal } from "./store/signal";
import { ThreadStore } from "./store/threads";
import { announce } from "./ui/announcer";
import { Router } from "./ui/router";

export type Phase = "loading" | "ready" | "closed" | "erased" | "failed";

const LOADED_KINDS = ["application", "profile", "plan"] as const;
const HELLO_PATIENCE_MS = 1_500;

export class App extends Signal {
  readonly api: WorkspaceApi;
  readonly documents: DocumentStore;
  readonly receipts: ReceiptStore;
  readonly threads: ThreadStore;
  readonly editor: Editor;
  readonly events: EventStore;
  readonly router: Router;
  phase: Phase = "loading";
  /** A view link reads only: no thread, no edit. Known from the server's answer, not from memory. */
  viewOnly = false;
  socketState: SocketState = "connecting";
  /** False until the socket has been open once: the first connecting is no interruption. */
  private wasOpen = false;
  private live: WorkspaceLive | null = null;
  /** Told of each commit of anybody, after the stores were. */
  readonly committed = new Signal();

  constructor(workspace: string) {
    super();
    this.api = new WorkspaceApi(workspace);
    this.documents = new DocumentStore(this.api);
    this.receipts = new ReceiptStore(this.api, this.documents);
    this.threads = new ThreadStore(this.api);
    this.events = new EventStore(this.api);
    this.editor = new Editor(this.api, this.documents);
    this.router = new Router(workspace);
    this.threads.onNews = (event) => this.tellOf(event);
  }

  get interrupted(): boolean {
    return this.phase === "ready" && this.wasOpen && this.socketState !== "open";
  }

  async start(): Promise<void> {
    this.phase = "loading";
    this.emit();
    try {
      // First the live connection, then the lists: what is committed in between is told and not missed.
      await Promise.race([this.connect(), new Promise((resolve) => setTimeout(resolve, HELLO_PATIENCE_MS))]);
      await Promise.all([this.loadDocuments(), this.receipts.load({ limit: "30" }), this.events.load()]);
      await this.loadThreads();
      if (this.phase === "loading") this.phase = "ready";
    } catch (error) {
      const gone = error instanceof Problem && (error.status === 401 || error.status === 404);
      // The socket may have told more by now, such as that the workspace was erased.
      if ((this.phase as Phase) === "loading") this.phase = gone ? "closed" : "failed";
    }
    this.emit();
  }

  private async loadDocuments(): Promise<void> {
    await this.documents.load([...new Set([...LOADED_KINDS, ...this.documents.loadedKinds])]);
  }

  private async loadThreads(): Promise<void> {
    try {
      await this.threads.load();
    } catch (error) {
      if (error instanceof Problem && error.code === "view_only") this.viewOnly = true;
      else throw error;
    }
  }

  /** Settles with the first hello. */
  private connect(): Promise<void> {
    this.live?.close();
    const greeted = Promise.withResolvers<void>();
    this.live = new WorkspaceLive(this.api.workspace, {
      onCommit: (event, touched) => {
        for (const [id, clock] of touched) this.fetchInBackground(id, clock || Infinity);
        if (event.receipt) void this.receipts.ensure(event.receipt).catch(() => undefined);
        this.events.put(event);
        this.committed.emit();
      },
      onTyping: (id, clock) => this.documents.refreshSoon(id, clock),
      onReceipt: (receipt) => this.receipts.take(receipt),
      onThread: (thread) => {
        if (!this.viewOnly) this.threads.upsertThread(thread);
      },
      onConnector: () => {
        if (!this.viewOnly) void this.threads.loadConnectors().catch(() => undefined);
      },
      onHello: (documents) => {
        for (const [id, clock] of documents) {
          const known = this.documents.base(id);
          if (known && known.clock < clock) this.fetchInBackground(id, clock);
        }
        greeted.resolve();
      },
      onResync: () => {
        void this.loadDocuments().catch(() => undefined);
        void this.receipts.reloadShown();
        this.committed.emit();
      },
      onState: (state, code) => {
        this.socketChanged(state, code);
        if (state === "closed") greeted.resolve();
      },
    });
    return greeted.promise;
  }

  private socketChanged(state: SocketState, code: number | null): void {
    if (state === "open") {
      if (this.wasOpen && this.socketState !== "open") void this.receipts.reloadShown();
      this.wasOpen = true;
    }
    this.socketState = state;
    if (state === "closed") {
      this.phase = code === 4410 ? "erased" : "closed";
      this.threads.close();
      if (this.phase === "erased") forgetWorkspace(this.api.workspace);
    }
    this.emit();
  }

  private fetchInBackground(id: string, clock: number): void {
    this.documents.refresh(id, clock).catch(() => undefined);
  }

  private tellOf(event: ThreadEvent): void {
    if (event.kind === "turn.started") announce("The assistant is answering.");
    else if (event.kind === "tool.started") announce(String(event.data["summary"] ?? "The assistant uses a tool."));
    else if (event.kind === "tool.completed" && event.data["receipt"]) announce("A change was made. It can be undone.");
    else if (event.kind === "turn.completed") announce("The answer is complete.");
    else if (event.kind === "turn.cancelled") announce("The answer was stopped.");
    else if (event.kind === "turn.failed") announce("The answer failed.");
  }
}
