import { expect, test } from "vitest";
import type { Receipt } from "../../src/api/types";
import type { WorkspaceApi } from "../../src/api/workspace_api";
import { DocumentStore } from "../../src/store/documents";
import { ReceiptStore, touchedDocuments } from "../../src/store/receipts";

function receipt(number: number, more: Partial<Receipt> = {}): Receipt {
  return {
    id: `rcp_${number}`,
    event: `evt_${number}`,
    actor_class: "agent",
    actor: "careervector-assistant:builtin:con_1",
    reason: "Set the next step",
    thread: null,
    turn: null,
    operation_kinds: ["field.set"],
    affected_paths: ["application:A/fields/next_step"],
    clocks: { before: { "application:A": 1 }, after: { "application:A": 2 } },
    created_at: `2026-11-30T09:00:0${number}Z`,
    expires_at: "2999-01-01T00:00:00Z",
    state: "active",
    undone_by: null,
    ...more,
  };
}

function store(): ReceiptStore {
  const api = {} as WorkspaceApi;
  return new ReceiptStore(api, new DocumentStore(api));
}

test("an undone change can be made again by undoing its undo, and so on", () => {
  const receipts = store();
  const first = receipt(1);
  receipts.put(first);
  expect(receipts.standing(first)).toEqual({ applied: true, last: first });

  const undo = receipt(2);
  receipts.put(undo);
  receipts.take({ id: "rcp_1", state: "undone", undone_by: "evt_2" });
  expect(receipts.standing(receipts.get("rcp_1")!)).toEqual({ applied: false, last: undo });

  const redo = receipt(3);
  receipts.put(redo);
  receipts.take({ id: "rcp_2", state: "undone", undone_by: "evt_3" });
  expect(receipts.standing(receipts.get("rcp_1")!)).toEqual({ applied: true, last: redo });
});

test("lists show a change once, not its undo and redo too", () => {
  const receipts = store();
  receipts.put(receipt(1, { state: "undone", undone_by: "evt_2" }));
  receipts.put(receipt(2));
  expect(receipts.newest(10).filter((each) => !receipts.isCompensation(each)).map((each) => each.id)).toEqual(["rcp_1"]);
});

test("an undo that is not known here offers no button that could not work", () => {
  const receipts = store();
  const undone = receipt(1, { state: "undone", undone_by: "evt_9" });
  receipts.put(undone);
  expect(receipts.standing(undone)).toEqual({ applied: false, last: undefined });
});

test("news of a receipt that is not on this page makes no half receipt", () => {
  const receipts = store();
  receipts.take({ id: "rcp_7", state: "undone", undone_by: "evt_8" });
  expect(receipts.get("rcp_7")).toBeUndefined();
});

test("the time to undo is judged when it is looked at", () => {
  const receipts = store();
  expect(receipts.stateOf(receipt(1, { expires_at: "2020-01-01T00:00:00Z" }))).toBe("expired");
});

test("each touched document is named once", () => {
  expect(touchedDocuments(receipt(1, { affected_paths: ["application:A/fields/x", "application:A/texts/notes", "note:B"] }))).toEqual([
    "application:A",
    "note:B",
  ]);
});
