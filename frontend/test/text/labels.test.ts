import { expect, test } from "vitest";

import { counted } from "../../src/text/labels";

test("one of something is named in the singular", () => {
  expect(counted(1, "operations")).toBe("1 operation");
  expect(counted(12, "documents")).toBe("12 documents");
  expect(counted(0, "receipts_undone")).toBe("0 receipts undone");
});
