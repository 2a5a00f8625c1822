/**
 * A thread's events folded into turns. Pure: the same events in the same order give the same turns, and an event that
 * was seen already changes nothing, so a replay after a reload or a reconnect neither loses nor doubles a word.
 */

import type { ThreadEvent } from "../api/types";

export type TurnStatus = "queued" | "running" | "completed" | "cancelled" | "failed";

export interface MessagePart {
  type: "message";
  part: string;
  text: string;
  done: boolean;
  citations: string[];
}

export interface ToolPart {
  type: "tool";
  call: string;
  tool: string;
  summary: string;
  outcome: string | null;
  receipt: string | null;
  counts: Record<string, number>;
  truncated: boolean;
}

export interface LimitPart {
  type: "limit";
  limit: string;
  retryAt: string | null;
}

export interface AuthPart {
  type: "auth";
  state: string;
}

export type Part = MessagePart | ToolPart | LimitPart | AuthPart;

export interface Provenance {
  tools: { name: string; version: string }[];
  counts: Record<string, number>;
  truncated: boolean;
  provider: string;
  model: string;
  ungrounded: string[];
}

export interface Turn {
  id: string;
  question: string;
  status: TurnStatus;
  queuedAt: string;
  startedAt: string | null;
  parts: Part[];
  /** What the assistant says it is doing now; gone when the turn ends. */
  progress: string | null;
  provenance: Provenance | null;
  failure: { failureClass: string; message: string } | null;
}

export interface ThreadState {
  seq: number;
  turns: Turn[];
}

export const EMPTY_THREAD: ThreadState = { seq: 0, turns: [] };

export const isRunning = (turn: Turn | undefined): boolean => turn?.status === "queued" || turn?.status === "running";

/** The state after `event`; the same object when the event was seen already; null when events before it are missing. */
export function reduce(state: ThreadState, event: ThreadEvent): ThreadState | null {
  if (event.seq <= state.seq) return state;
  if (event.seq > state.seq + 1) return null;
  const known = state.turns.find((turn) => turn.id === event.turn);
  const turn = apply(known ?? newTurn(event), event);
  const turns = known ? state.turns.map((other) => (other === known ? turn : other)) : [...state.turns, turn];
  return { seq: event.seq, turns };
}

function newTurn(event: ThreadEvent): Turn {
  return {
    id: event.turn,
    question: "",
    status: "queued",
    queuedAt: event.at,
    startedAt: null,
    parts: [],
    progress: null,
    provenance: null,
    failure: null,
  };
}

function apply(turn: Turn, event: ThreadEvent): Turn {
  const { data } = event;
  switch (event.kind) {
    case "turn.queued":
      return { ...turn, question: string(data["text"]) };
    case "turn.started":
      return { ...turn, status: "running", startedAt: event.at };
    case "message.delta":
      return upsert(turn, messageOf(turn, data), (part) => ({ ...part, text: part.text + string(data["text"]) }));
    case "message.completed":
      return upsert(turn, messageOf(turn, data), (part) => ({
        ...part,
        text: string(data["text"]),
        done: true,
        citations: citationIds(data["citations"]),
      }));
    case "tool.started":
      return upsert(turn, toolOf(turn, data), (part) => ({ ...part, summary: string(data["summary"]) || part.summary }));
    case "tool.completed":
      return upsert(turn, toolOf(turn, data), (part) => ({
        ...part,
        outcome: string(data["outcome"]) || "ok",
        receipt: receiptId(data["receipt"]),
        counts: numbers(data["counts"]),
        truncated: data["truncated"] === true,
      }));
    case "progress":
      return { ...turn, progress: string(data["text"]) || null };
    case "limit":
      return { ...turn, parts: [...turn.parts, { type: "limit", limit: string(data["class"]), retryAt: string(data["retry_at"]) || null }] };
    case "auth":
      return { ...turn, parts: [...turn.parts.filter((part) => part.type !== "auth"), { type: "auth", state: string(data["state"]) }] };
    case "turn.completed":
      return { ...ended(turn, "completed"), provenance: provenanceOf(data["provenance"]) };
    case "turn.cancelled":
      return ended(turn, "cancelled");
    case "turn.failed":
      return { ...ended(turn, "failed"), failure: { failureClass: string(data["class"]), message: string(data["message"]) } };
    default:
      // A newer server may say more than this page knows.
      return turn;
  }
}

function ended(turn: Turn, status: TurnStatus): Turn {
  const parts = turn.parts.map((part) => (part.type === "message" && !part.done ? { ...part, done: true } : part));
  return { ...turn, status, progress: null, parts };
}

function upsert<P extends MessagePart | ToolPart>(turn: Turn, known: P, change: (part: P) => P): Turn {
  const at = turn.parts.indexOf(known);
  const part = change(known);
  return { ...turn, parts: at < 0 ? [...turn.parts, part] : turn.parts.with(at, part) };
}

function messageOf(turn: Turn, data: ThreadEvent["data"]): MessagePart {
  const id = string(data["part"]);
  const known = turn.parts.find((part): part is MessagePart => part.type === "message" && part.part === id);
  return known ?? { type: "message", part: id, text: "", done: false, citations: [] };
}

function toolOf(turn: Turn, data: ThreadEvent["data"]): ToolPart {
  const call = string(data["call"]);
  const known = turn.parts.find((part): part is ToolPart => part.type === "tool" && part.call === call);
  return (
    known ?? { type: "tool", call, tool: string(data["tool"]), summary: "", outcome: null, receipt: null, counts: {}, truncated: false }
  );
}

const string = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");

function receiptId(value: unknown): string | null {
  if (typeof value === "string") return value || null;
  if (typeof value === "object" && value !== null && "id" in value) return string((value as { id: unknown }).id) || null;
  return null;
}

function citationIds(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => (typeof entry === "string" ? entry : (receiptId(entry) ?? ""))).filter(Boolean);
}

function numbers(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

function provenanceOf(value: unknown): Provenance | null {
  if (typeof value !== "object" || value === null) return null;
  const data = value as Record<string, unknown>;
  const tools = Array.isArray(data["tools"]) ? data["tools"] : [];
  const ungrounded = Array.isArray(data["ungrounded"]) ? data["ungrounded"] : [];
  return {
    tools: tools.map(toolName),
    counts: numbers(data["counts"]),
    truncated: data["truncated"] === true,
    provider: string(data["provider"]),
    model: string(data["model"]),
    ungrounded: ungrounded.map((claim) => (typeof claim === "string" ? claim : claimText(claim))).filter(Boolean),
  };
}

function toolName(entry: unknown): { name: string; version: string } {
  if (typeof entry === "string") return { name: entry, version: "" };
  const data = (entry ?? {}) as Record<string, unknown>;
  return { name: string(data["name"]) || string(data["tool"]), version: string(data["version"]) };
}

function claimText(claim: unknown): string {
  const data = (claim ?? {}) as Record<string, unknown>;
  return string(data["text"]) || string(data["claim"]) || string(data["value"]);
}
