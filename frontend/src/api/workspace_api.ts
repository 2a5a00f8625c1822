/** The workspace's addresses as functions. Stands on client.ts; knows no page and no state. */

import { newKey, request } from "./client";
import type {
  AuditEvent,
  Change,
  Clocks,
  CommitAnswer,
  Connector,
  JobSearch,
  Operation,
  Page,
  Receipt,
  Thread,
  ThreadEvent,
  Conflict,
  WorkspaceDocument,
} from "./types";

export interface TurnUndoPreview {
  receipts: string[];
  documents: string[];
  conflicts: Conflict[];
}

export class WorkspaceApi {
  readonly workspace: string;
  private readonly base: string;

  constructor(workspace: string) {
    this.workspace = workspace;
    this.base = `/api/v1/workspaces/${encodeURIComponent(workspace)}`;
  }

  listDocuments(kind: string, options: { archived?: boolean; cursor?: string } = {}): Promise<Page<WorkspaceDocument>> {
    return this.get("/documents", { kind, archived: options.archived ? "true" : undefined, cursor: options.cursor, limit: "100" });
  }

  getDocument(id: string): Promise<WorkspaceDocument> {
    return this.get(`/documents/${encodeURIComponent(id)}`);
  }

  listDocumentEvents(id: string, cursor?: string): Promise<Page<AuditEvent>> {
    return this.get(`/documents/${encodeURIComponent(id)}/events`, { cursor, limit: "30" });
  }

  listEvents(filter: { actor_class?: string; cursor?: string; limit?: string }): Promise<Page<AuditEvent>> {
    return this.get("/events", filter);
  }

  commit(reason: string, expected: Clocks, operations: Operation[], key = newKey()): Promise<CommitAnswer> {
    const body = { reason, expected_clocks: expected, operations };
    return request("POST", `${this.base}/operations`, { body, key });
  }

  listReceipts(filter: { thread?: string; document?: string; state?: string; cursor?: string; limit?: string }): Promise<Page<Receipt>> {
    return this.get("/receipts", filter);
  }

  getReceipt(id: string): Promise<Receipt> {
    return this.get(`/receipts/${encodeURIComponent(id)}`);
  }

  listChanges(receipt: string): Promise<Page<Change>> {
    return this.get(`/receipts/${encodeURIComponent(receipt)}/changes`);
  }

  undoReceipt(receipt: string, expected: Clocks, reason: string, key: string): Promise<CommitAnswer> {
    const body = { expected_clocks: expected, reason };
    return request("POST", `${this.base}/receipts/${encodeURIComponent(receipt)}/undo`, { body, key });
  }

  previewTurnUndo(turn: string): Promise<TurnUndoPreview> {
    return this.get(`/turns/${encodeURIComponent(turn)}/undo`);
  }

  undoTurn(turn: string, expected: Clocks, key: string): Promise<CommitAnswer> {
    return request("POST", `${this.base}/turns/${encodeURIComponent(turn)}/undo`, { body: { expected_clocks: expected }, key });
  }

  listConnectors(): Promise<Page<Connector>> {
    return this.get("/connectors");
  }

  listThreads(cursor?: string): Promise<Page<Thread>> {
    return this.get("/threads", { cursor });
  }

  getThread(thread: string): Promise<Thread> {
    return this.get(`/threads/${encodeURIComponent(thread)}`);
  }

  createThread(connector: string): Promise<Thread> {
    return request("POST", `${this.base}/threads`, { body: { connector } });
  }

  deleteThread(thread: string): Promise<void> {
    return request("DELETE", `${this.base}/threads/${encodeURIComponent(thread)}`);
  }

  listThreadEvents(thread: string, after: number): Promise<Page<ThreadEvent>> {
    return this.get(`/threads/${encodeURIComponent(thread)}/events`, { after: String(after), limit: "100" });
  }

  startTurn(thread: string, turn: { id: string; text: string; surface: string; document: string | null }): Promise<unknown> {
    // The id is the client's, so sending it again is the same turn: the key makes the client retry.
    return request("POST", `${this.base}/threads/${encodeURIComponent(thread)}/turns`, { body: turn, key: turn.id });
  }

  cancelTurn(turn: string): Promise<unknown> {
    return request("POST", `${this.base}/turns/${encodeURIComponent(turn)}/cancel`, { body: {}, key: newKey() });
  }

  searchJobs(query: Record<string, unknown>): Promise<JobSearch> {
    return request("POST", `${this.base}/jobs/search`, { body: query });
  }

  private get<T>(path: string, query: Record<string, string | undefined> = {}): Promise<T> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
    const tail = search.size ? `?${search}` : "";
    return request("GET", this.base + path + tail);
  }
}

/** Every page of a list, in order. */
export async function everyPage<T>(load: (cursor?: string) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<T> = await load(cursor);
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return items;
}
