import { expect, test } from "vitest";
import { Problem } from "../../src/api/problem";
import type { CommitAnswer, Operation, WorkspaceDocument } from "../../src/api/types";
import type { WorkspaceApi } from "../../src/api/workspace_api";
import { DocumentStore } from "../../src/store/documents";
import { EditConflict, Editor } from "../../src/store/edits";

const ID = "application:01JABCDEFGHJKMNPQRSTVWXYZ0";

/** One document behind the two calls that an edit makes, with the server's compare-and-set. */
class OneDocument {
  document: WorkspaceDocument = {
    id: ID,
    kind: "application",
    clock: 1,
    fields: { title: "Engineer", next_step: null },
    sections: {},
    texts: { notes: "" },
    archived: false,
  };
  /** Refuse the next commit with this. */
  refuse: Problem | null = null;
  reasons: string[] = [];

  set(fields: Record<string, string>): void {
    this.document = { ...this.document, clock: this.document.clock + 1, fields: { ...this.document.fields, ...fields } };
  }

  getDocument(): Promise<WorkspaceDocument> {
    return Promise.resolve(this.document);
  }

  commit(reason: string, expected: Record<string, number>, operations: Operation[]): Promise<CommitAnswer> {
    if (this.refuse) return Promise.reject(this.refuse);
    const before = this.document.clock;
    if (expected[ID] !== before) return Promise.reject(new Problem({ code: "stale_clock", status: 409 }));
    for (const operation of operations) if (operation.kind === "field.set") this.set({ [operation.field]: String(operation.value) });
    this.document = { ...this.document, clock: before + 1 };
    this.reasons.push(reason);
    return Promise.resolve({
      event: "evt_1",
      replayed: false,
      operations: operations.map(({ kind }, index) => ({ id: `op_${index}`, kind })),
      provenance: { actor_class: "human", actor: "link:lnk_1", at: "2026-11-30T09:00:00Z", origin_event: null },
      clocks: { before: { [ID]: before }, after: { [ID]: before + 1 } },
      documents: {},
      affected_paths: [],
      unchanged: [],
      receipt: null,
      reversible: true,
    });
  }
}

function setUp(): { server: OneDocument; documents: DocumentStore; set: (field: string, value: string) => Promise<CommitAnswer> } {
  const server = new OneDocument();
  const api = server as unknown as WorkspaceApi;
  const documents = new DocumentStore(api);
  documents.confirm(server.document);
  const editor = new Editor(api, documents);
  const set = (field: string, value: string): Promise<CommitAnswer> =>
    editor.edit({
      document: ID,
      reason: `Set ${field}`,
      operations: [{ kind: "field.set", document: ID, field, value }],
      rests_on: [`fields/${field}`],
    });
  return { server, documents, set };
}

test("an edit shows at once and stands after the answer", async () => {
  const { server, documents, set } = setUp();
  const edit = set("next_step", "call");
  expect(documents.get(ID)?.fields["next_step"]).toBe("call");
  await edit;
  expect(documents.get(ID)?.fields["next_step"]).toBe("call");
  expect(server.document.fields["next_step"]).toBe("call");
});

test("a refused edit shows what stood before", async () => {
  const { server, documents, set } = setUp();
  server.refuse = new Problem({ code: "view_only", status: 403 });
  await expect(set("next_step", "call")).rejects.toMatchObject({ code: "view_only" });
  expect(documents.get(ID)?.fields["next_step"]).toBeNull();
});

test("somebody else's work on another field is rebased over without asking", async () => {
  const { server, documents, set } = setUp();
  server.set({ title: "Lead Engineer" });
  await set("next_step", "call");
  expect(server.document.fields).toMatchObject({ title: "Lead Engineer", next_step: "call" });
  expect(documents.get(ID)?.fields).toMatchObject({ title: "Lead Engineer", next_step: "call" });
});

test("somebody else's work on the same field is told with their value, and theirs stands", async () => {
  const { server, documents, set } = setUp();
  server.set({ next_step: "write" });
  const outcome = await set("next_step", "call").catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(EditConflict);
  expect((outcome as EditConflict).theirs).toBe("write");
  expect(server.document.fields["next_step"]).toBe("write");
  expect(documents.get(ID)?.fields["next_step"]).toBe("write");
});

test("quick edits are sent one after the other on the right clocks", async () => {
  const { server, set } = setUp();
  await Promise.all([set("title", "A"), set("title", "B"), set("next_step", "C")]);
  expect(server.reasons).toEqual(["Set title", "Set title", "Set next_step"]);
  expect(server.document.fields).toMatchObject({ title: "B", next_step: "C" });
});

test("work of somebody else that has already arrived here is not overwritten by a person who did not see it", async () => {
  const { server, documents } = setUp();
  const api = server as unknown as WorkspaceApi;
  server.set({ next_step: "write" });
  await documents.refresh(ID);
  const outcome = await new Editor(api, documents)
    .edit({
      document: ID,
      reason: "Set next_step",
      operations: [{ kind: "field.set", document: ID, field: "next_step", value: "call" }],
      rests_on: ["fields/next_step"],
      seen: new Map([["fields/next_step", null]]),
    })
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(EditConflict);
  expect(server.document.fields["next_step"]).toBe("write");
});
