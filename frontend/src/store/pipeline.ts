/** What the overview and the board derive from the documents. Pure. */

import type { WorkspaceDocument } from "../api/types";
import { CLOSED_STAGES, STAGES, companyOf, text } from "../text/labels";
import { daysUntil, today } from "../text/dates";

export interface DatedAction {
  on: string;
  title: string;
  who: string;
  document: string;
  place: string;
  overdue: boolean;
}

const STALE_AFTER_DAYS = 14;

/** A column as everybody sees it: by rank, ties by id. Code units, as the server compares. */
export function column(applications: WorkspaceDocument[], stage: string): WorkspaceDocument[] {
  return applications.filter((application) => stageOf(application) === stage).sort(byRank);
}

function byRank(a: WorkspaceDocument, b: WorkspaceDocument): number {
  const left = text(a.fields["rank"]);
  const right = text(b.fields["rank"]);
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

export function stageOf(application: WorkspaceDocument): string {
  return text(application.fields["stage"]) || "saved";
}

export function stageCounts(applications: WorkspaceDocument[]): Map<string, number> {
  const counts = new Map<string, number>(STAGES.map((stage) => [stage, 0]));
  for (const application of applications) {
    const stage = stageOf(application);
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  return counts;
}

/** Everything with a date that is still to be done, the earliest first; what is overdue comes before. */
export function datedActions(applications: WorkspaceDocument[], plan: WorkspaceDocument | undefined, day = today()): DatedAction[] {
  const actions: DatedAction[] = [];
  const add = (on: unknown, title: string, who: string, document: string, place: string): void => {
    if (typeof on === "string" && on) actions.push({ on: on.slice(0, 10), title, who, document, place, overdue: daysUntil(on, day) < 0 });
  };
  for (const application of applications) {
    if (CLOSED_STAGES.includes(stageOf(application))) continue;
    const { fields, sections, id } = application;
    const who = companyOf(application);
    add(fields["next_step_on"], text(fields["next_step"]) || "Next step", who, id, "fields/next_step");
    if (stageOf(application) === "saved" || stageOf(application) === "preparing") add(fields["deadline"], "Deadline to apply", who, id, "fields/deadline");
    for (const interview of sections["interviews"] ?? []) {
      // An interview of the past needs an outcome, not a reminder.
      if ((interview["outcome"] ?? "pending") !== "pending" || daysUntil(text(interview["starts_at"]), day) < 0) continue;
      add(interview["starts_at"], `Interview${interview["kind"] ? ` (${text(interview["kind"])})` : ""}`, who, id, `sections/interviews/${interview.id}`);
    }
    for (const entry of sections["checklist"] ?? []) {
      if (entry["done"] !== true) add(entry["due"], text(entry["title"]) || "To do", who, id, `sections/checklist/${entry.id}`);
    }
  }
  for (const task of plan?.sections["tasks"] ?? []) {
    if (task["done"] !== true) add(task["due"], text(task["title"]) || "Task", "Plan", "plan", `sections/tasks/${task.id}`);
  }
  return actions.sort((a, b) => a.on.localeCompare(b.on) || a.who.localeCompare(b.who));
}

/** The next date of one application, for its card. */
export function nextDate(application: WorkspaceDocument, day = today()): DatedAction | undefined {
  const actions = datedActions([application], undefined, day);
  return actions.find((action) => !action.overdue) ?? actions.at(-1);
}

/** Days without any change where something should be moving, or null. */
export function staleDays(application: WorkspaceDocument, day = today()): number | null {
  if (CLOSED_STAGES.includes(stageOf(application))) return null;
  const at = changedAt(application);
  if (!at) return null;
  const days = -daysUntil(at, day);
  return days >= STALE_AFTER_DAYS ? days : null;
}

export function changedAt(document: WorkspaceDocument): string | undefined {
  const last = document.last_event;
  return typeof last === "object" && last !== null ? last.at : document.updated_at;
}

export interface CvCheck {
  name: string;
  done: boolean;
  /** What to do about it, the most useful first in the list. */
  fix: string;
}

/** What a reader of a CV looks for first. A count of present parts, not a judgement of their quality. */
export function cvChecks(profile: WorkspaceDocument | undefined): CvCheck[] {
  const field = (name: string): boolean => text(profile?.fields[name]).trim() !== "";
  const items = (name: string): number => profile?.sections[name]?.length ?? 0;
  const highlights = (profile?.sections["work"] ?? []).some((job) => Array.isArray(job["highlights"]) && job["highlights"].length > 0);
  return [
    { name: "Name", done: field("name"), fix: "Add your name" },
    { name: "A way to reach you", done: field("email") || field("phone"), fix: "Add an e-mail address or a phone number" },
    { name: "Work", done: items("work") > 0, fix: "Add your latest position" },
    { name: "Headline", done: field("label"), fix: "Say in one line what you do" },
    { name: "Summary", done: (profile?.texts["summary"] ?? "").trim() !== "", fix: "Write two sentences about yourself" },
    { name: "Results", done: highlights, fix: "Add a result to your latest position" },
    { name: "Skills", done: items("skills") >= 3, fix: "List at least three skills" },
    { name: "Education", done: items("education") > 0, fix: "Add your education" },
    { name: "Place", done: field("city"), fix: "Say where you are" },
    { name: "Languages", done: items("languages") > 0, fix: "List the languages you speak" },
  ];
}
