import { expect, test, vi } from "vitest";
import type { AuditEvent } from "../../src/api/types";
import { touchedClocks, WorkspaceLive, type WorkspaceLiveHandlers } from "../../src/live/workspace_live";

const event = (clocks: Record<string, unknown>, affected_paths: string[]): AuditEvent => ({
  id: "evt_1",
  seq: 4,
  at: "2026-11-30T09:00:00Z",
  actor_class: "human",
  actor: "link:lnk_1",
  reason: "",
  origin_event: null,
  operation_kinds: [],
  affected_paths,
  clocks: clocks as AuditEvent["clocks"],
  receipt: null,
});

test("the clocks of a commit are read", () => {
  expect([...touchedClocks(event({ plan: 3 }, ["plan/fields/work_mode"]), { plan: "AA==" })]).toEqual([["plan", 3]]);
});

test("the clocks of a typing session are the last ones", () => {
  expect([...touchedClocks(event({ plan: { from: 3, to: 9 } }, ["plan/texts/strategy"]), {})]).toEqual([["plan", 9]]);
});

test("a document without a told clock is still named", () => {
  expect([...touchedClocks(event({}, ["profile/fields/name"]), undefined)]).toEqual([["profile", 0]]);
});

test("typing is told with the clock, and the commit that seals it does not look like a gap", async () => {
  class FakeSocket {
    static readonly OPEN = 1;
    static newest: FakeSocket;
    readyState = 1;
    sent: string[] = [];
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor() {
      FakeSocket.newest = this;
    }
    send(text: string): void {
      this.sent.push(text);
    }
    close(): void {}
  }
  vi.stubGlobal("WebSocket", FakeSocket);
  const told: unknown[] = [];
  const handlers = {
    onTyping: (id: string, clock: number) => void told.push([id, clock]),
    onCommit: (_: AuditEvent, touched: Map<string, number>) => void told.push(Object.fromEntries(touched)),
    onHello: () => undefined,
    onState: () => undefined,
  };
  const live = new WorkspaceLive("ws_1", handlers as unknown as WorkspaceLiveHandlers);
  const say = (message: unknown): void => FakeSocket.newest.onmessage?.({ data: JSON.stringify(message) });
  FakeSocket.newest.onopen?.();
  say({ type: "hello", documents: [], seq: 3 });
  say({ type: "typing", document: "plan", clock: 8 });
  const sealed = { ...event({ plan: { from: 3, to: 9 } }, ["plan/texts/strategy"]), operation_kinds: ["text.merge"] };
  say({ type: "commit", seq: 4, event: sealed, updates: { plan: "AA==" } });
  await vi.waitFor(() => expect(told).toEqual([["plan", 8], { plan: 9 }]));
  expect(FakeSocket.newest.sent).toEqual([]);
  live.close();
  vi.unstubAllGlobals();
});
