/** What fields, stages and kinds are called on the page, and how their values are written. Pure. */

import type { AuditEvent, Fields, Salary, Value, WorkspaceDocument } from "../api/types";

export { STAGES, TIERS } from "../generated/types";

export const CLOSED_STAGES: readonly string[] = ["accepted", "rejected", "withdrawn"];
export const WORK_MODES = ["remote", "hybrid", "onsite"] as const;
export const SALARY_PERIODS = ["hour", "day", "month", "year"] as const;
export const INTERVIEW_KINDS = ["phone", "video", "onsite", "technical", "panel", "other"] as const;
export const OUTCOMES = ["pending", "passed", "failed", "cancelled"] as const;
export const EMPLOYMENT_TYPES = ["full", "part", "contract", "temporary", "seasonal", "internship", "apprenticeship"] as const;

const WORDS: Record<string, string> = {
  applied_on: "Applied on",
  next_step: "Next step",
  next_step_on: "Next step on",
  work_mode: "Work mode",
  url: "Link",
  onsite: "On site",
  full: "Full time",
  part: "Part time",
  cv: "CV",
  profile: "CV",
};

const KIND_PHRASES: Record<string, string> = {
  "document.create": "created",
  "document.archive": "archived",
  "document.unarchive": "brought back",
  "document.trash": "put in the trash",
  "document.restore": "restored",
  "field.set": "field set",
  "item.add": "entry added",
  "item.update": "entry changed",
  "item.move": "entry moved",
  "item.remove": "entry removed",
  "text.append": "text added",
  "text.replace": "text changed",
  "text.merge": "typed",
  "text.restore": "text put back",
  "item.withdraw": "entry taken back",
  "item.restore": "entry put back",
  "application.move_stage": "moved",
  "application.attach_role": "job attached",
};

export function label(name: string): string {
  const known = WORDS[name];
  if (known) return known;
  const spaced = name.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** "1 operation", "12 documents": `name` is the plural as the server counts it. */
export function counted(count: number, name: string): string {
  const words = name.replaceAll("_", " ");
  return `${count} ${count === 1 ? words.replace(/s$/, "") : words}`;
}

export function operationPhrase(kind: string): string {
  return KIND_PHRASES[kind] ?? kind;
}

/** What an event did, in a line: the reason that was given for it, else its operations; typing has none. */
export function eventLine(event: Pick<AuditEvent, "reason" | "operation_kinds" | "affected_paths">): string {
  if (event.reason) return event.reason;
  if (event.operation_kinds.length && event.operation_kinds.every((kind) => kind === "text.merge")) {
    const places = [...new Set(event.affected_paths.map((path) => pathParts(path).label.toLowerCase()))];
    return `Typed in ${places.join(", ")}`;
  }
  return event.operation_kinds.map(operationPhrase).join(", ");
}

export function text(value: Value | undefined): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

export function titleOf(document: WorkspaceDocument | undefined, id = ""): string {
  if (!document) return kindLabel(id);
  if (document.kind === "application") return companyOf(document);
  if (document.kind === "profile") return "CV";
  if (document.kind === "plan") return "Plan";
  return text(document.fields["title"]) || `Untitled ${document.kind}`;
}

/** How an application is called in running text: the company, else the role's title. */
export function companyOf(document: WorkspaceDocument): string {
  return text(document.fields["company"]) || text(document.fields["title"]) || "Untitled application";
}

export function kindLabel(id: string): string {
  return label(id.split(":")[0] ?? id);
}

/** What a tab, a bookmark and a screen reader call the page: what it shows first, then where it belongs. */
export function pageTitle(surface: string, shown?: WorkspaceDocument, id = ""): string {
  const name = id ? titleOf(shown, id) : surface === "missing" ? "Nothing here" : label(surface);
  return `${name} · CareerVector`;
}

export interface PathParts {
  document: string;
  rest: string;
  label: string;
}

/** `application:01J…/fields/next_step` taken apart, with what a person calls that place. */
export function pathParts(path: string): PathParts {
  const slash = path.indexOf("/");
  if (slash < 0) return { document: path, rest: "", label: "whole document" };
  const rest = path.slice(slash + 1);
  const [area, name, item, field] = rest.split("/");
  let place = label(name ?? area ?? "");
  if (area === "state") place = "State";
  if (area === "sections" && item) place = field ? `${place} › ${label(field)}` : place;
  return { document: path.slice(0, slash), rest, label: place };
}

/** The places of a change that a person reads of: not the ranks, and not the parts of what was created as a whole. */
export function shownPaths(paths: string[]): string[] {
  const whole = new Set(paths.filter((path) => !path.includes("/")));
  const shown = paths.filter((path) => whole.has(path) || !(path.endsWith("/rank") || whole.has(path.split("/")[0] ?? "")));
  return shown.length ? shown : paths;
}

export function actorLabel(actor: { actor_class: AuditEvent["actor_class"]; actor: string }): string {
  if (actor.actor_class === "agent") return "Assistant";
  if (actor.actor_class === "system") return "CareerVector";
  return "A person";
}

export function salaryText(salary: Salary | null): string {
  if (!salary) return "";
  const { min, max, currency, period } = salary;
  if (min === null && max === null) return salary.raw ?? "";
  const amounts = [min, max].filter((amount): amount is number => amount !== null);
  const range = [...new Set(amounts)].map((amount) => amount.toLocaleString("en")).join(" – ");
  const tail = period ? ` a ${period}` : "";
  const kind = salary.kind && salary.kind !== "stated" ? ` (${salary.kind})` : "";
  return `${currency ?? ""} ${range}${tail}${kind}`.trim();
}

export function salaryOf(fields: Fields): string {
  const number = (value: Value | undefined): number | null => (typeof value === "number" ? value : null);
  return salaryText({
    min: number(fields["salary_min"]),
    max: number(fields["salary_max"]),
    currency: text(fields["salary_currency"]) || null,
    period: text(fields["salary_period"]) || null,
  });
}
