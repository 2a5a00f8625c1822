/** `<cv-jobs>`: search the job corpus and keep what is worth an application. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app";
import { describe, Problem } from "../api/problem";
import type { JobRole, Value } from "../api/types";
import { ago, shortDate } from "../text/dates";
import { EMPLOYMENT_TYPES, WORK_MODES, label, salaryText } from "../text/labels";
import { announce } from "../ui/announcer";
import { LightElement } from "../ui/light_element";
import { saveApplication } from "./add_application";

const PAGE = 20;
const AGES: [string, string][] = [
  ["", "Any time"],
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
];

type Filters = Record<string, string | number | null>;

export class Jobs extends LightElement {
  static override properties = {
    app: { attribute: false },
    roles: { state: true },
    total: { state: true },
    next: { state: true },
    busy: { state: true },
    problem: { state: true },
    unavailable: { state: true },
    saved: { state: true },
  };
  declare app: App;
  declare roles: JobRole[] | null;
  declare total: number;
  declare next: string | null;
  declare busy: boolean;
  declare problem: string;
  declare unavailable: boolean;
  /** Role id → the application that it was saved as, or `saving`. */
  declare saved: Map<string, string>;
  private asked: Filters = {};
  private run = 0;

  constructor() {
    super();
    this.roles = null;
    this.total = 0;
    this.next = null;
    this.busy = false;
    this.problem = "";
    this.unavailable = false;
    this.saved = new Map();
  }

  protected override render(): TemplateResult {
    return html`<div class="page jobs">
      <h1 tabindex="-1">Jobs</h1>
      <form class="search-form" role="search" @submit=${(event: SubmitEvent) => this.submit(event)}>
        <div class="query"><label class="visually-hidden" for="job-query">What</label>
          <input id="job-query" name="query" type="search" maxlength="200" placeholder="Role, skill or company" autocomplete="off" />
          <button class="primary" ?disabled=${this.busy}>Search</button></div>
        <div class="filters">
          <label>Place <input name="location" maxlength="200" autocomplete="off" /></label>
          <label>Work mode <select name="work_mode"><option value="">Any</option>${WORK_MODES.map((mode) => html`<option value=${mode}>${label(mode)}</option>`)}</select></label>
          <label>Employment <select name="employment_type"><option value="">Any</option>${EMPLOYMENT_TYPES.map((type) => html`<option value=${type}>${label(type)}</option>`)}</select></label>
          <label>Posted <select name="posted_within_days">${AGES.map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select></label>
        </div>
      </form>
      ${this.unavailable
        ? html`<div class="card notice" role="alert"><strong>The job search is not available right now.</strong> Your own workspace works as usual. Try again in a moment.</div>`
        : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing} ${this.results()}
    </div>`;
  }

  private results(): TemplateResult {
    if (this.busy && this.roles === null) return html`<p class="muted" aria-busy="true">Searching…</p>`;
    if (this.roles === null) return html`<p class="muted">Search the collected job ads. Only your search words leave the workspace.</p>`;
    if (this.roles.length === 0) return html`<p>No job matches. Try fewer words or filters.</p>`;
    return html`<p class="muted">${this.total.toLocaleString("en")} ${this.total === 1 ? "job" : "jobs"}</p>
      <ul class="roles">${repeat(this.roles, (role) => role.role, (role) => this.roleView(role))}</ul>
      ${this.next ? html`<button ?disabled=${this.busy} @click=${() => void this.search(true)}>Show more</button>` : nothing}`;
  }

  private roleView(role: JobRole): TemplateResult {
    const facts = [
      role.location,
      role.work_mode && label(role.work_mode),
      role.employment_type && label(role.employment_type),
      salaryText(role.salary),
      role.posted_on && `posted ${shortDate(role.posted_on)}`,
      role.valid_through && `until ${shortDate(role.valid_through)}`,
    ].filter(Boolean);
    const fresh = role.freshness;
    return html`<li class="card role">
      <div class="row spread">
        <div><h2>${role.title}</h2><p class="company">${role.company ?? ""}</p></div>
        ${this.app.viewOnly ? nothing : this.saveButton(role)}
      </div>
      <p class="muted">${facts.join(" · ")}</p>
      ${role.snippet ? html`<p class="snippet">${role.snippet}</p>` : nothing}
      <p class="row evidence">
        ${fresh ? html`<span class="chip small-chip" data-freshness=${fresh.state}>${label(fresh.state)}${fresh.checked_at ? `, checked ${ago(fresh.checked_at)}` : ""}</span>` : nothing}
        ${role.evidence.slice(0, 3).map((entry) => html`<span class="muted">seen at ${entry.source ?? "an unnamed source"} ${entry.fetched_at ? ago(entry.fetched_at) : nothing}</span>`)}
        ${role.url && /^https?:/.test(role.url) ? html`<a href=${role.url} target="_blank" rel="noopener noreferrer nofollow">Open the ad</a>` : nothing}
      </p>
    </li>`;
  }

  private saveButton(role: JobRole): TemplateResult {
    const saved = this.saved.get(role.role);
    if (saved && saved !== "saving") return html`<a class="button small" href=${this.app.router.pageOf(saved)}>Saved, open</a>`;
    return html`<button class="small" ?disabled=${saved === "saving"} aria-label="Save ${role.title ?? "Untitled role"}, ${role.company ?? ""}" @click=${() => void this.save(role)}>
      Save
    </button>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const value = (name: string): string | null => String(form.get(name) ?? "").trim() || null;
    const days = value("posted_within_days");
    this.asked = {
      query: value("query") ?? "",
      location: value("location"),
      work_mode: value("work_mode"),
      employment_type: value("employment_type"),
      posted_within_days: days ? Number(days) : null,
    };
    this.roles = null;
    void this.search(false);
  }

  private async search(more: boolean): Promise<void> {
    const run = ++this.run;
    this.busy = true;
    this.problem = "";
    this.unavailable = false;
    const filters = Object.fromEntries(Object.entries(this.asked).filter(([name, value]) => name === "query" || value !== null));
    try {
      const found = await this.app.api.searchJobs({ ...filters, limit: PAGE, ...(more && this.next ? { cursor: this.next } : {}) });
      if (run !== this.run) return;
      this.roles = more ? [...(this.roles ?? []), ...found.roles] : found.roles;
      this.total = found.total;
      this.next = found.next_cursor;
      announce(`${found.total} jobs found.`);
    } catch (error) {
      if (run !== this.run) return;
      if (error instanceof Problem && error.code === "jobcache_unavailable") this.unavailable = true;
      else this.problem = describe(error);
    } finally {
      if (run === this.run) this.busy = false;
    }
  }

  private async save(role: JobRole): Promise<void> {
    this.mark(role.role, "saving");
    try {
      const id = await saveApplication(this.app, valuesOf(role));
      this.mark(role.role, id);
      announce(`${role.title} was saved to the board.`);
    } catch (error) {
      this.mark(role.role, null);
      this.problem = describe(error);
    }
  }

  private mark(role: string, state: string | null): void {
    const saved = new Map(this.saved);
    if (state === null) saved.delete(role);
    else saved.set(role, state);
    this.saved = saved;
  }
}

/** What an ad says, as fields of an application; estimates of a salary are not taken over as facts. */
function valuesOf(role: JobRole): Record<string, Value> {
  const values: Record<string, Value> = { title: role.title ?? "Untitled role", source: role.evidence[0]?.source ?? "Job search" };
  if (role.company) values["company"] = role.company;
  if (role.location) values["location"] = role.location;
  if (role.url && /^https?:/.test(role.url)) values["url"] = role.url;
  if (role.work_mode) values["work_mode"] = role.work_mode;
  if (role.valid_through) values["deadline"] = role.valid_through.slice(0, 10);
  const { salary } = role;
  if (salary && salary.kind !== "estimated") {
    if (Number.isInteger(salary.min)) values["salary_min"] = salary.min;
    if (Number.isInteger(salary.max)) values["salary_max"] = salary.max;
    if (salary.currency) values["salary_currency"] = salary.currency;
    if (salary.period && ["hour", "day", "month", "year"].includes(salary.period)) values["salary_period"] = salary.period;
  }
  return values;
}

customElements.define("cv-jobs", Jobs);
