/** `<cv-add-application>`: save a role by hand. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Value } from "../api/types";
import { fieldList } from "../store/paths";
import { STAGES, TIERS, label } from "../text/labels";
import { announce } from "../ui/announcer";
import { LightElement } from "../ui/light_element";

export class AddApplication extends LightElement {
  static override properties = { app: { attribute: false }, problem: { state: true }, busy: { state: true } };
  declare app: App;
  declare problem: string;
  declare busy: boolean;

  constructor() {
    super();
    this.problem = "";
    this.busy = false;
  }

  open(): void {
    this.problem = "";
    this.querySelector("form")?.reset();
    this.querySelector("dialog")?.showModal();
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="add-title">
      <form class="form" @submit=${(event: SubmitEvent) => this.submit(event)}>
        <h2 id="add-title">Save a role by hand</h2>
        <label>Role <input name="title" required maxlength="500" autocomplete="off" autofocus /></label>
        <label>Company <input name="company" maxlength="500" autocomplete="off" /></label>
        <div class="two">
          <label>Place <input name="location" maxlength="500" autocomplete="off" /></label>
          <label>Deadline <input name="deadline" type="date" /></label>
        </div>
        <label>Link to the ad <input name="url" type="url" maxlength="500" placeholder="https://" autocomplete="off" /></label>
        <div class="two">
          <label>Stage <select name="stage">${STAGES.map((stage) => html`<option value=${stage}>${label(stage)}</option>`)}</select></label>
          <label>Tier <select name="tier"><option value="">Not set</option>${TIERS.map((tier) => html`<option value=${tier}>${label(tier)}</option>`)}</select></label>
        </div>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <p class="row end">
          <button type="button" @click=${() => this.querySelector("dialog")?.close()}>Cancel</button>
          <button class="primary" ?disabled=${this.busy}>Save</button>
        </p>
      </form>
    </dialog>`;
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const values: Record<string, Value> = {};
    for (const [name, value] of new FormData(form)) if (typeof value === "string" && value.trim()) values[name] = value.trim();
    this.busy = true;
    this.problem = "";
    try {
      const id = await saveApplication(this.app, values);
      this.querySelector("dialog")?.close();
      announce("The application was saved.");
      this.app.router.go(this.app.router.pageOf(id));
    } catch (error) {
      this.problem = describe(error);
    } finally {
      this.busy = false;
    }
  }
}

/** A new application from typed or found values; the answer is its id. */
export function saveApplication(app: App, values: Record<string, Value>): Promise<string> {
  const name = String(values["company"] ?? values["title"] ?? "a role");
  return app.editor.create(
    `Save ${name}`.slice(0, 300),
    [{ kind: "document.create", document: "new:role", document_kind: "application", fields: fieldList(values), texts: [] }],
    "new:role",
  );
}

customElements.define("cv-add-application", AddApplication);
