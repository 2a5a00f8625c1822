import { expect, test } from "vitest";

import { counted, eventLine } from "../../src/text/labels";

test("one of something is named in the singular", () => {
  expect(counted(1, "operations")).toBe("1 operation");
  expect(counted(12, "documents")).toBe("12 documents");
  expect(counted(0, "receipts_undone")).toBe("0 receipts undone");
});

test("a typing session is told by where was typed, other events by their reason or what they did", () => {
  const note = "note:01JABCDEFGHJKMNPQRSTVWXYZ0";
  const typing = { reason: "", operation_kinds: ["text.merge"], affected_paths: [`${note}/texts/body`] };
  expect(eventLine(typing)).toBe("Typed in body");
  expect(eventLine({ ...typing, affected_paths: ["profile/texts/summary", "plan/texts/strategy"] })).toBe("Typed in summary, strategy");
  expect(eventLine({ ...typing, reason: "Fix a typo" })).toBe("Fix a typo");
  expect(eventLine({ ...typing, operation_kinds: ["text.merge", "field.set"] })).toBe("typed, field set");
});
