import { expect, test } from "vitest";
import type { AuditEvent } from "../../src/api/types";
import { touchedClocks } from "../../src/live/workspace_live";

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
