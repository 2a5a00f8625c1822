/** The workspace socket: tells the stores what was committed, undone or made by anybody, and resumes after a gap. */

import type { AuditEvent, Receipt, Thread } from "../api/types";
import { LiveSocket, socketAddress, type SocketState } from "./socket";

export interface WorkspaceLiveHandlers {
  onCommit(event: AuditEvent, touched: Map<string, number>): void;
  /** A whole receipt when it is new, else its id and what changed of it. */
  onReceipt(receipt: Partial<Receipt> & { id: string }): void;
  onThread(thread: Thread): void;
  onConnector(id: string, state: string): void;
  /** Documents of the hello whose clocks the stores must reach. */
  onHello(documents: Map<string, number>): void;
  /** Somebody types in the document, which stands at this clock now; the event follows once they rest. */
  onTyping(document: string, clock: number): void;
  /** Too far behind to be told one by one: load everything again. */
  onResync(): void;
  onState(state: SocketState, closeCode: number | null): void;
}

export class WorkspaceLive {
  private seq: number | null = null;
  private readonly socket: LiveSocket;
  private readonly handlers: WorkspaceLiveHandlers;

  constructor(workspace: string, handlers: WorkspaceLiveHandlers) {
    this.handlers = handlers;
    this.socket = new LiveSocket({
      address: () => socketAddress(`/ws/workspaces/${encodeURIComponent(workspace)}/`),
      onMessage: (message) => this.handle(message),
      onState: handlers.onState,
    });
  }

  close(): void {
    this.socket.close();
  }

  private handle(message: Record<string, unknown>): void {
    switch (message["type"]) {
      case "hello":
        return this.hello(message);
      case "commit":
        return this.commit(message["event"] as AuditEvent, message["updates"]);
      case "receipt":
        return this.handlers.onReceipt(message["receipt"] as Partial<Receipt> & { id: string });
      case "thread":
        return this.handlers.onThread(message["thread"] as Thread);
      case "connector":
        return this.handlers.onConnector(String(message["id"]), String(message["state"]));
      case "typing":
        return this.handlers.onTyping(String(message["document"]), Number(message["clock"]));
      case "resync":
        if (typeof message["seq"] === "number") this.seq = message["seq"];
        return this.handlers.onResync();
      default:
      // Presence and newer kinds: nothing to show yet.
    }
  }

  private hello(message: Record<string, unknown>): void {
    const documents = new Map<string, number>();
    for (const entry of (message["documents"] as { id: string; clock: number }[] | undefined) ?? []) documents.set(entry.id, entry.clock);
    const seq = Number(message["seq"]);
    if (this.seq !== null && this.seq < seq) this.socket.send({ type: "resume", after: this.seq });
    else this.seq = seq;
    this.handlers.onHello(documents);
  }

  private commit(event: AuditEvent, updates: unknown): void {
    if (this.seq === null || event.seq > this.seq) this.seq = event.seq;
    this.handlers.onCommit(event, touchedClocks(event, updates));
  }
}

/** The documents that a commit touched, with their new clocks where the message tells them (else 0). */
export function touchedClocks(event: AuditEvent, updates: unknown): Map<string, number> {
  const touched = new Map<string, number>();
  for (const path of event.affected_paths) touched.set(path.split("/")[0] ?? path, 0);
  if (typeof updates === "object" && updates !== null) for (const id of Object.keys(updates)) touched.set(id, 0);
  const nested = event.clocks["after"];
  const clocks = typeof nested === "object" && nested !== null ? (nested as Record<string, unknown>) : event.clocks;
  for (const [id, clock] of Object.entries(clocks)) {
    if (typeof clock === "number") touched.set(id, clock);
    else if (typeof clock === "object" && clock !== null && "to" in clock) touched.set(id, Number(clock.to));
  }
  return touched;
}
