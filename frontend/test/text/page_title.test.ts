import { expect, test } from "vitest";
import type { WorkspaceDocument } from "../../src/api/types";
import { pageTitle } from "../../src/text/labels";

const document = (kind: string, fields: Record<string, string>): WorkspaceDocument => ({ kind, fields }) as unknown as WorkspaceDocument;

test("a surface is called by its name", () => {
  expect(pageTitle("board")).toBe("Board · CareerVector");
  expect(pageTitle("missing")).toBe("Nothing here · CareerVector");
});

test("a document is called by its own name, and by its kind until it is there", () => {
  expect(pageTitle("application", document("application", { company: "Kestrel Robotics" }), "application:01J")).toBe("Kestrel Robotics · CareerVector");
  expect(pageTitle("document", document("note", { title: "They called" }), "note:01J")).toBe("They called · CareerVector");
  expect(pageTitle("document", undefined, "note:01J")).toBe("Note · CareerVector");
});
