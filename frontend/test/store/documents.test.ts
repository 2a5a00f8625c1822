import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkspaceDocument } from "../../src/api/types";
import type { WorkspaceApi } from "../../src/api/workspace_api";
import { DocumentStore } from "../../src/store/documents";

const NOTE = "note:01JABCDEFGHJKMNPQRSTVWXYZ0";
let stored: WorkspaceDocument;
let read: number;
let documents: DocumentStore;

beforeEach(() => {
  vi.useFakeTimers();
  stored = { id: NOTE, kind: "note", clock: 1, fields: {}, sections: {}, texts: { body: "" }, archived: false };
  read = 0;
  const api = {
    getDocument: () => {
      read += 1;
      return Promise.resolve(stored);
    },
  };
  documents = new DocumentStore(api as unknown as WorkspaceApi);
});

afterEach(() => void vi.useRealTimers());

function type(text: string): void {
  stored = { ...stored, clock: stored.clock + text.length, texts: { body: text } };
}

test("while somebody types the text is read anew now and then, not with each key", async () => {
  documents.confirm(stored);
  type("Dear Ada");
  for (let clock = 2; clock <= 9; clock += 1) documents.refreshSoon(NOTE, clock);
  expect(read).toBe(0);
  await vi.runAllTimersAsync();
  expect(read).toBe(1);
  expect(documents.get(NOTE)?.texts["body"]).toBe("Dear Ada");
  type("Dear Ada, thank you");
  documents.refreshSoon(NOTE, stored.clock);
  await vi.runAllTimersAsync();
  expect(read).toBe(2);
});

test("typing in a document that is not shown, or is here already, asks for nothing", async () => {
  documents.refreshSoon(NOTE, 5);
  documents.confirm(stored);
  documents.refreshSoon(NOTE, 1);
  await vi.runAllTimersAsync();
  expect(read).toBe(0);
});
