/** The conversations: their list, the open one with its turns, and what a person does in them. */

import { randomBase32 } from "../api/client";
import { Problem } from "../api/problem";
import type { Connector, Thread, ThreadEvent } from "../api/types";
import type { WorkspaceApi } from "../api/workspace_api";
import { everyPage } from "../api/workspace_api";
import type { SocketState } from "../live/socket";
import { ThreadLive } from "../live/thread_live";
import { Signal } from "./signal";
import { EMPTY_THREAD, isRunning, reduce, type ThreadState, type Turn } from "./turns";

export interface Asked {
  surface: string;
  document: string | null;
}

export class ThreadStore extends Signal {
  threads: Thread[] = [];
  connectors: Connector[] = [];
  current: string | null = null;
  state: ThreadState = EMPTY_THREAD;
  socketState: SocketState = "connecting";
  /** Until the server has queued the turn the question is shown from here, so that it appears at once. */
  sending: { id: string; text: string } | null = null;
  /** Whether the open conversation has turns before those shown. */
  hasEarlier = false;
  loading = false;

  /** Told of each event that arrives live; replayed ones are not news. */
  onNews: (event: ThreadEvent) => void = () => undefined;

  private readonly api: WorkspaceApi;
  private chosen: string | null = null;
  private live: ThreadLive | null = null;
  private liveAfter = 0;

  constructor(api: WorkspaceApi) {
    super();
    this.api = api;
  }

  get lastTurn(): Turn | undefined {
    return this.state.turns.at(-1);
  }

  /** Whether the server is answering, by what the server said; a local guess would outlive a lost answer. */
  get busy(): boolean {
    return isRunning(this.lastTurn) || this.sending !== null;
  }

  /** The assistant of the open conversation; for a new one the chosen one, else the first that is ready. */
  get connector(): Connector | undefined {
    const id = this.threads.find((thread) => thread.id === this.current)?.connector ?? this.chosen;
    return this.find(id) ?? this.connectors.find((connector) => connector.state === "ready") ?? this.connectors[0];
  }

  /** Which assistant a new conversation will have. */
  choose(connector: string): void {
    this.chosen = connector;
    this.emit();
  }

  async load(): Promise<void> {
    const [threads, connectors] = await Promise.all([
      everyPage((cursor) => this.api.listThreads(cursor)),
      this.api.listConnectors().then((page) => page.items),
    ]);
    this.threads = threads;
    this.connectors = connectors;
    this.emit();
    const remembered = this.remembered();
    const open = threads.find((thread) => thread.id === remembered) ?? threads[0];
    if (open && this.current === null) await this.open(open.id);
  }

  async loadConnectors(): Promise<void> {
    this.connectors = (await this.api.listConnectors()).items;
    this.emit();
  }

  upsertThread(thread: Thread): void {
    const known = this.threads.some((other) => other.id === thread.id);
    this.threads = known
      ? this.threads.map((other) => (other.id === thread.id ? { ...other, ...thread } : other))
      : [thread, ...this.threads];
    this.emit();
  }

  async open(id: string): Promise<void> {
    if (id === this.current) return;
    this.close();
    this.current = id;
    this.remember(id);
    this.loading = true;
    this.emit();
    try {
      // A long conversation opens at its newest turns; the rest comes when it is asked for.
      const { recent_after: start = 0 } = await this.api.getThread(id);
      if (this.current !== id) return;
      this.hasEarlier = start > 0;
      this.state = { seq: start, turns: [] };
      await this.replay(id);
    } finally {
      if (this.current === id) {
        this.loading = false;
        this.emit();
      }
    }
    if (this.current === id) this.connect(id);
  }

  async loadEarlier(): Promise<void> {
    const id = this.current;
    if (id === null) return;
    let whole = EMPTY_THREAD;
    for (;;) {
      const page = await this.api.listThreadEvents(id, whole.seq);
      if (this.current !== id) return;
      for (const event of page.items) whole = reduce(whole, event) ?? whole;
      // What came live meanwhile is in one of these pages too; only then may the longer state take over.
      if (whole.seq >= this.state.seq || page.items.length === 0) break;
    }
    this.state = whole;
    this.hasEarlier = false;
    this.emit();
  }

  /** Leave the open conversation; the next question starts a new one. */
  startNew(): void {
    this.close();
    this.remember("");
    this.emit();
  }

  close(): void {
    this.live?.close();
    this.live = null;
    this.current = null;
    this.state = EMPTY_THREAD;
    this.hasEarlier = false;
    this.sending = null;
    this.loading = false;
  }

  async ask(text: string, asked: Asked): Promise<void> {
    const turn = { id: `trn_${randomBase32(26)}`, text, ...asked };
    this.sending = { id: turn.id, text };
    this.emit();
    try {
      if (this.current === null) {
        const { connector } = this;
        if (!connector) throw new Problem({ code: "connector_unavailable", detail: "There is no assistant in this workspace." });
        const thread = await this.api.createThread(connector.id);
        this.upsertThread(thread);
        const sending = this.sending;
        await this.open(thread.id);
        this.sending = sending;
        this.emit();
      }
      await this.api.startTurn(this.current!, turn);
      if (this.state.turns.some((known) => known.id === turn.id)) this.sending = null;
    } catch (error) {
      this.sending = null;
      throw error;
    } finally {
      this.emit();
    }
  }

  async stop(): Promise<void> {
    const turn = this.lastTurn;
    if (!turn || !isRunning(turn)) return;
    await this.api.cancelTurn(turn.id);
  }

  private find(id: string | null): Connector | undefined {
    return this.connectors.find((connector) => connector.id === id);
  }

  private async replay(id: string): Promise<void> {
    for (;;) {
      const page = await this.api.listThreadEvents(id, this.state.seq);
      if (this.current !== id || page.items.length === 0) return;
      const before = this.state.seq;
      for (const event of [...page.items].sort((a, b) => a.seq - b.seq)) this.state = reduce(this.state, event) ?? this.state;
      this.emit();
      if (this.state.seq === before || page.next_cursor === null) return;
    }
  }

  private connect(id: string): void {
    this.liveAfter = this.state.seq;
    this.live = new ThreadLive(this.api.workspace, id, {
      seq: () => this.state.seq,
      onEvent: (event) => this.take(event),
      onState: (state) => {
        this.socketState = state;
        this.emit();
      },
    });
  }

  private take(event: ThreadEvent): boolean {
    const next = reduce(this.state, event);
    if (next === null) return false;
    if (next === this.state) return true;
    this.state = next;
    if (this.sending && next.turns.some((turn) => turn.id === this.sending?.id)) this.sending = null;
    if (event.seq > this.liveAfter) this.onNews(event);
    this.emit();
    return true;
  }

  private remembered(): string | null {
    return sessionStorage.getItem(`thread:${this.api.workspace}`);
  }

  private remember(id: string): void {
    sessionStorage.setItem(`thread:${this.api.workspace}`, id);
  }
}
