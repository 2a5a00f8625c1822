import { expect, test } from "vitest";
import type { Fields, Item, WorkspaceDocument } from "../../src/api/types";
import { column, cvChecks, datedActions, nextDate, staleDays, stageCounts } from "../../src/store/pipeline";

let serial = 0;

function application(fields: Fields, sections: Record<string, Item[]> = {}, at?: string): WorkspaceDocument {
  serial += 1;
  return {
    id: `application:${String(serial).padStart(26, "0")}`,
    kind: "application",
    clock: 1,
    fields: { stage: "saved", ...fields },
    sections,
    texts: {},
    archived: false,
    last_event: at ? { actor_class: "human", actor: "link:lnk_1", at } : null,
  };
}

const DAY = "2026-11-30";

test("a column is ordered by rank in code units, ties by id", () => {
  const cards = ["a1", "Zz", "a0", "a0"].map((rank) => application({ rank }));
  expect(column(cards, "saved").map((card) => card.fields["rank"])).toEqual(["Zz", "a0", "a0", "a1"]);
  expect(column(cards, "saved")[1]).toBe(cards[2]);
});

test("each stage is counted, empty ones as zero", () => {
  const counts = stageCounts([application({ stage: "offer" }), application({ stage: "offer" }), application({})]);
  expect([counts.get("offer"), counts.get("saved"), counts.get("applied")]).toEqual([2, 1, 0]);
});

test("dated actions come from steps, deadlines, interviews, checklists and tasks, the earliest first", () => {
  const one = application(
    { company: "Acme", deadline: "2026-12-05", next_step: "Call", next_step_on: "2026-12-01" },
    { interviews: [{ id: "i1", starts_at: "2026-12-03T09:00:00Z", kind: "phone" }], checklist: [{ id: "c1", title: "Portfolio", due: "2026-11-29", done: false }] },
  );
  const plan: WorkspaceDocument = { id: "plan", kind: "plan", clock: 1, fields: {}, sections: { tasks: [{ id: "t1", title: "Update CV", due: "2026-12-02" }] }, texts: {}, archived: false };
  expect(datedActions([one], plan, DAY).map((action) => [action.on, action.title, action.overdue])).toEqual([
    ["2026-11-29", "Portfolio", true],
    ["2026-12-01", "Call", false],
    ["2026-12-02", "Update CV", false],
    ["2026-12-03", "Interview (phone)", false],
    ["2026-12-05", "Deadline to apply", false],
  ]);
});

test("what is done, past or closed asks for nothing", () => {
  const done = application(
    { stage: "applied", deadline: "2026-12-05" },
    { interviews: [{ id: "i1", starts_at: "2026-11-01T09:00:00Z" }], checklist: [{ id: "c1", title: "Sent", due: "2026-12-01", done: true }] },
  );
  const closed = application({ stage: "rejected", next_step: "Forget", next_step_on: "2026-12-01" });
  expect(datedActions([done, closed], undefined, DAY)).toEqual([]);
});

test("a card shows what is coming before what is overdue", () => {
  const card = application({ next_step: "Old", next_step_on: "2026-11-20", deadline: "2026-12-04" });
  expect(nextDate(card, DAY)?.title).toBe("Deadline to apply");
});

test("an open application without any change for two weeks is stale, a closed one never", () => {
  expect(staleDays(application({}, {}, "2026-11-10T00:00:00Z"), DAY)).toBe(20);
  expect(staleDays(application({}, {}, "2026-11-25T00:00:00Z"), DAY)).toBeNull();
  expect(staleDays(application({ stage: "rejected" }, {}, "2026-10-01T00:00:00Z"), DAY)).toBeNull();
});

test("the first missing part of a CV is the one to mend first", () => {
  const profile: WorkspaceDocument = { id: "profile", kind: "profile", clock: 1, fields: { name: "T", email: "t@x.example" }, sections: {}, texts: {}, archived: false };
  expect(cvChecks(profile).find((check) => !check.done)?.fix).toBe("Add your latest position");
  expect(cvChecks(undefined).every((check) => !check.done)).toBe(true);
});
