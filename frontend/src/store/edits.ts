/**
 * A person's edits of a document: shown at once, sent one after the other, rebased when somebody else was faster.
 *
 * A refused clock is looked into: where the edited place is still as the person saw it, the edit is sent again on the
 * new clock and nobody notices. Where it is not, EditConflict carries both values and the page lets the person choose.
 */

import { Problem } from "../api/problem";
import type { Clocks, CommitAnswer, Operation, WorkspaceDocument } from "../api/types";
import type { WorkspaceApi } from "../api/workspace_api";
import type { DocumentStore, Patch } from "./documents";
import { predicted, valueAt } from "./paths";

const MAX_REBASES = 4;

export class EditConflict extends Error {
  readonly document: string;
  readonly path: string;
  readonly theirs: unknown;

  constructor(document: string, path: string, theirs: unknown) {
    super("This was changed meanwhile.");
    this.name = "EditConflict";
    this.document = document;
    this.path = path;
    this.theirs = theirs;
  }
}

export interface Edit {
  document: string;
  reason: string;
  operations: Operation[];
  /** The places the edit rests on, without the document: if one changed meanwhile, the person is asked. */
  rests_on: string[];
  /** What the person saw in those places, if not simply the newest state known here. */
  seen?: Map<string, unknown>;
}

export class Editor {
  private readonly api: WorkspaceApi;
  private readonly documents: DocumentStore;
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(api: WorkspaceApi, documents: DocumentStore) {
    this.api = api;
    this.documents = documents;
  }

  /** Commit an edit of one document. Throws EditConflict or Problem; the page then shows the server's state again. */
  edit(edit: Edit): Promise<CommitAnswer> {
    const base = this.documents.get(edit.document);
    const seen = edit.seen ?? new Map(edit.rests_on.map((path) => [path, base && valueAt(base, path)]));
    const patch: Patch = (document) => edit.operations.reduce(predicted, document);
    this.documents.lay(edit.document, patch);
    const before = this.queues.get(edit.document) ?? Promise.resolve();
    const run = before.catch(() => undefined).then(() => this.send(edit, seen, patch));
    this.queues.set(edit.document, run);
    return run;
  }

  /** Commit a batch that creates a document. The answer names the new id. */
  async create(reason: string, operations: Operation[], name: string): Promise<string> {
    const answer = await this.api.commit(reason, { [name]: 0 }, operations);
    const id = answer.documents[name];
    if (!id) throw new Problem({ code: "malformed", detail: "The server did not name the new document." });
    await this.documents.refresh(id);
    return id;
  }

  private async send(edit: Edit, seen: Map<string, unknown>, patch: Patch): Promise<CommitAnswer> {
    try {
      for (let attempt = 0; ; attempt += 1) {
        // The live connection may have brought somebody's work already: a fresh clock alone would let it be overwritten.
        const base = this.documents.base(edit.document);
        if (base) refuseOverlap(edit, seen, base);
        const clocks: Clocks = this.documents.clocksOf([edit.document]);
        try {
          const answer = await this.api.commit(edit.reason, clocks, edit.operations);
          const clock = answer.clocks.after[edit.document];
          if (clock !== undefined) this.documents.settle(edit.document, patch, clock);
          else this.documents.lift(edit.document, patch);
          // The server may have normalised the value or placed an entry: its own word follows.
          void this.documents.refresh(edit.document).catch(() => undefined);
          return answer;
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== "stale_clock" || attempt >= MAX_REBASES) throw error;
          if (!(await this.documents.refresh(edit.document))) throw error;
        }
      }
    } catch (error) {
      this.documents.lift(edit.document, patch);
      throw error;
    }
  }
}

function refuseOverlap(edit: Edit, seen: ReadonlyMap<string, unknown>, fresh: WorkspaceDocument): void {
  for (const path of edit.rests_on) {
    const theirs = valueAt(fresh, path);
    if (JSON.stringify(theirs) !== JSON.stringify(seen.get(path))) throw new EditConflict(edit.document, path, theirs);
  }
}
