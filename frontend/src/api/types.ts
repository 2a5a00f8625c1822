/** The shapes that the server speaks. Times are RFC 3339 in UTC, dates ISO 8601, ids opaque. */

export type Role = "owner" | "edit" | "view";
export type ActorClass = "human" | "agent" | "system";
export type Value = string | number | boolean | null | string[] | Record<string, unknown>;
export type Fields = Record<string, Value | undefined>;
export type Item = Fields & { id: string };

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export type LastEvent = Pick<AuditEvent, "actor_class" | "actor" | "at">;

export interface WorkspaceDocument {
  id: string;
  kind: string;
  clock: number;
  fields: Fields;
  sections: Record<string, Item[]>;
  texts: Record<string, string>;
  archived: boolean;
  role_snapshot?: RoleSnapshot | null;
  /** The newest event that touched the document: its id, or the event itself. */
  last_event?: string | LastEvent | null;
  updated_at?: string;
}

export type RoleSnapshot = Record<string, unknown>;
export type Clocks = Record<string, number>;

export interface AuditEvent {
  id: string;
  seq: number;
  at: string;
  actor_class: ActorClass;
  actor: string;
  reason: string | null;
  origin_event: string | null;
  operation_kinds: string[];
  affected_paths: string[];
  clocks: Record<string, unknown>;
  receipt: string | null;
}

export interface Receipt {
  id: string;
  event: string;
  actor_class: ActorClass;
  actor: string;
  reason: string;
  thread: string | null;
  turn: string | null;
  operation_kinds: string[];
  affected_paths: string[];
  clocks: Record<string, unknown>;
  created_at: string;
  expires_at: string;
  state: "active" | "undone" | "expired";
  undone_by: string | null;
}

export interface Change {
  path: string;
  before: Value;
  after: Value;
}

export interface UndoConflictEntry {
  path: string;
  later_event: string;
  actor_class: ActorClass;
  at: string;
}

export type Position = "start" | "end" | { after: string };
export interface FieldValue {
  field: string;
  value: Value;
}

export type Operation =
  | { kind: "field.set"; document: string; field: string; value: Value }
  | {
      kind: "document.create";
      document: string;
      document_kind: string;
      fields: FieldValue[];
      texts: { text: string; content: string }[];
    }
  | { kind: "document.archive" | "document.unarchive"; document: string }
  | { kind: "item.add"; document: string; section: string; item: FieldValue[]; position?: Position }
  | { kind: "item.update"; document: string; section: string; item: string; changes: FieldValue[] }
  | { kind: "item.move"; document: string; section: string; item: string; position: Position }
  | { kind: "item.remove"; document: string; section: string; item: string }
  | { kind: "text.append"; document: string; text: string; content: string }
  | { kind: "text.replace"; document: string; text: string; old: string; new: string }
  | { kind: "application.move_stage"; document: string; stage: string; position?: Position };

export interface CommitAnswer {
  event: string | null;
  replayed: boolean;
  clocks: { before: Clocks; after: Clocks };
  documents: Record<string, string>;
  affected_paths: string[];
  unchanged: number[];
  receipt: { id: string; expires_at: string } | null;
  reversible: boolean;
}

export interface Connector {
  id: string;
  provider: string;
  state: "ready" | "needs_login" | "connecting" | "unavailable";
  version: string | null;
  shared: boolean;
  login: { verification_url: string; user_code: string; expires_at: string } | null;
}

export interface Thread {
  id: string;
  title: string | null;
  connector: string;
  created_at?: string;
  updated_at?: string;
}

export interface ThreadEvent {
  id: string;
  seq: number;
  turn: string;
  kind: string;
  at: string;
  data: Record<string, unknown>;
}

export interface JobRole {
  role: string;
  title: string;
  company: string | null;
  location: string | null;
  work_mode: string | null;
  employment_type: string | null;
  salary: Salary | null;
  posted_on: string | null;
  valid_through: string | null;
  url: string | null;
  snippet: string | null;
  evidence: { ad: string; source: string; fetched_at: string; content_hash: string }[];
  freshness: { state: "fresh" | "stale" | "expired"; checked_at: string | null } | null;
}

export interface Salary {
  min: number | null;
  max: number | null;
  currency: string | null;
  period: string | null;
  kind?: string | null;
  raw?: string | null;
}

export interface JobSearch {
  roles: JobRole[];
  total: number;
  truncated?: boolean;
  next_cursor: string | null;
}

export interface ProblemBody {
  status: number;
  code: string;
  title: string;
  detail: string;
  details: Record<string, unknown>;
  errors: { path: string; code: string; message: string }[];
}
