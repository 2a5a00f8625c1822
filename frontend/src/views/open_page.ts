/** `<cv-open>`: one button. The secret stays in the fragment until it is pressed, and then leaves the address. */

import { html, nothing, type TemplateResult } from "lit";
import { openLink, secretIn } from "../api/links";
import { describe, Problem } from "../api/problem";
import { markIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";

export class OpenPage extends LightElement {
  static override properties = { secret: { state: true }, busy: { state: true }, problem: { state: true }, refused: { state: true } };
  declare secret: string | null;
  declare busy: boolean;
  declare problem: string;
  declare refused: boolean;

  constructor() {
    super();
    this.secret = secretIn(location.hash);
    this.busy = false;
    this.problem = "";
    this.refused = false;
    addEventListener("hashchange", () => {
      this.secret = secretIn(location.hash);
      this.refused = false;
      this.problem = "";
    });
  }

  protected override render(): TemplateResult {
    // A link that was never whole, one that never existed and one that was revoked all lead to the same page.
    if (this.refused || this.secret === null) {
      return html`<main class="panel">
        ${markIcon}
        <h1 tabindex="-1">This link does not open a workspace</h1>
        <p>It may be incomplete, or it was replaced. Ask whoever gave it to you for the current one.</p>
        <a class="button primary" href="/">To the start page</a>
      </main>`;
    }
    return html`<main class="panel">
      ${markIcon}
      <h1>Open your workspace</h1>
      <p>This link opens a private workspace in this browser.</p>
      <button class="primary big" ?disabled=${this.busy} @click=${() => void this.open()}>Open workspace</button>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    </main>`;
  }

  private async open(): Promise<void> {
    this.busy = true;
    this.problem = "";
    try {
      const { workspace } = await openLink(this.secret ?? "");
      // Replaces the entry in the browser's history too: the secret does not stay in it.
      location.replace(`/w/${workspace}/`);
    } catch (error) {
      this.busy = false;
      if (error instanceof Problem && (error.status === 401 || error.status === 422)) {
        this.refused = true;
        await this.updateComplete;
        this.querySelector<HTMLElement>("h1")?.focus();
      } else this.problem = describe(error);
    }
  }
}

customElements.define("cv-open", OpenPage);
