/**
 * The shapes that the server speaks: those that follow from its declarations are generated, the rest stands here.
 * Times are RFC 3339 in UTC, dates ISO 8601, ids opaque.
 */

import type { FieldValue as Value, HistoryEvent as AuditEvent, Role as RoleOnTheWire } from "../generated/types";

export type {
  ActorClass,
  Clocks,
  CommitAnswer,
  Conflict,
  FieldValue as Value,
  HistoryEvent as AuditEvent,
  Operation,
  Page,
  Position,
  Problem as ProblemBody,
  Receipt,
  ReceiptChange as Change,
  Stage,
} from "../generated/types";

export type LinkRole = "owner" | "edit" | "view";
export type Fields = Record<string, Value | undefined>;
export type Item = Fields & { id: string };
export type LastEvent = Pick<AuditEvent, "actor_class" | "actor" | "at">;

/** Any document, read by name: what a kind has is known where it is shown. */
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

/** A field and its value, as operations carry them. */
export interface FieldEntry {
  field: string;
  value: Value;
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
  /** Where the newest turns begin; told of a single thread only. */
  recent_after?: number;
}

export interface ThreadEvent {
  id: string;
  seq: number;
  turn: string;
  kind: string;
  at: string;
  data: Record<string, unknown>;
}

export interface Salary {
  min: number | null;
  max: number | null;
  currency: string | null;
  period: string | null;
  kind?: string | null;
  raw?: string | null;
}

/** A role of the job corpus, with what a salary holds spelled out. */
export type JobRole = Omit<RoleOnTheWire, "salary"> & { salary: Salary | null };

export interface JobSearch {
  roles: JobRole[];
  total: number;
  truncated?: boolean;
  next_cursor: string | null;
}
