import { expect, test } from "vitest";
import type { ThreadEvent } from "../../src/api/types";
import { EMPTY_THREAD, isRunning, reduce, type ThreadState } from "../../src/store/turns";

const AT = "2026-11-30T09:00:00Z";

function events(...kinds: [string, Record<string, unknown>?][]): ThreadEvent[] {
  return kinds.map(([kind, data = {}], index) => ({ id: `tev_${index + 1}`, seq: index + 1, turn: "trn_1", kind, at: AT, data }));
}

function folded(list: ThreadEvent[], from: ThreadState = EMPTY_THREAD): ThreadState {
  return list.reduce((state, event) => reduce(state, event) ?? state, from);
}

const ANSWER = events(
  ["turn.queued", { text: "What's next?" }],
  ["turn.started"],
  ["tool.started", { call: "c1", tool: "get_workspace_context", summary: "Reads the overview" }],
  ["tool.completed", { call: "c1", tool: "get_workspace_context", outcome: "ok", counts: { documents: 3 }, truncated: false }],
  ["message.delta", { part: "p1", text: "Three " }],
  ["message.delta", { part: "p1", text: "things" }],
  ["message.completed", { part: "p1", text: "Three things.", citations: ["application:01J"] }],
  ["turn.completed", { provenance: { tools: [{ name: "get_workspace_context", version: "1" }], counts: { documents: 3 }, truncated: false, provider: "builtin", model: null, ungrounded: [{ kind: "number", text: "42 offers", start: 0, end: 9 }] } }],
);

test("the events of a turn become its question, parts and provenance", () => {
  expect(folded(ANSWER)).toEqual({
    seq: 8,
    turns: [
      {
        id: "trn_1",
        question: "What's next?",
        status: "completed",
        queuedAt: AT,
        startedAt: AT,
        parts: [
          { type: "tool", call: "c1", tool: "get_workspace_context", summary: "Reads the overview", outcome: "ok", receipt: null, counts: { documents: 3 }, truncated: false },
          { type: "message", part: "p1", text: "Three things.", done: true, citations: ["application:01J"] },
        ],
        progress: null,
        provenance: {
          tools: [{ name: "get_workspace_context", version: "1" }],
          counts: { documents: 3 },
          truncated: false,
          provider: "builtin",
          model: "",
          ungrounded: ["42 offers"],
        },
        failure: null,
      },
    ],
  });
});

test("events that come again change nothing", () => {
  const state = folded(ANSWER);
  expect(folded(ANSWER, state)).toBe(state);
});

test("a reload in mid-answer and a replay give what an undisturbed reader has", () => {
  for (let cut = 0; cut <= ANSWER.length; cut += 1) {
    const before = folded(ANSWER.slice(0, cut));
    expect(folded(ANSWER.slice(Math.max(0, cut - 2)), before)).toEqual(folded(ANSWER));
  }
});

test("a gap is refused, so that the missing events are asked for", () => {
  expect(reduce(EMPTY_THREAD, ANSWER[1]!)).toBeNull();
});

test("a receipt of a tool is kept with the call", () => {
  const state = folded(
    events(["turn.queued"], ["tool.started", { call: "c", tool: "apply_workspace_operations", summary: "Moves Acme" }], [
      "tool.completed",
      { call: "c", outcome: "ok", receipt: "rcp_1", counts: {}, truncated: false },
    ]),
  );
  expect(state.turns[0]?.parts[0]).toMatchObject({ outcome: "ok", receipt: "rcp_1" });
});

test("a stopped answer keeps its partial text and is running no more", () => {
  const state = folded(events(["turn.queued"], ["turn.started"], ["message.delta", { part: "p", text: "Half" }], ["turn.cancelled"]));
  expect(state.turns[0]).toMatchObject({ status: "cancelled", parts: [{ text: "Half", done: true }] });
  expect(isRunning(state.turns[0])).toBe(false);
});

test("a failed turn says why", () => {
  const state = folded(events(["turn.queued"], ["turn.failed", { class: "host_lost", message: "No heartbeat." }]));
  expect(state.turns[0]).toMatchObject({ status: "failed", failure: { failureClass: "host_lost", message: "No heartbeat." } });
});

test("turns of a thread stand in the order of their first event", () => {
  const second = { id: "tev_9", seq: 9, turn: "trn_2", kind: "turn.queued", at: AT, data: { text: "And then?" } };
  expect(folded([...ANSWER, second]).turns.map((turn) => [turn.id, turn.status])).toEqual([
    ["trn_1", "completed"],
    ["trn_2", "queued"],
  ]);
});

test("a kind that this page does not know only moves the sequence", () => {
  const state = folded(events(["turn.queued", { text: "Hm" }], ["turn.pondered"]));
  expect([state.seq, state.turns.length]).toEqual([2, 1]);
});
