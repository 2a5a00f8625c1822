/** `<cv-start>`: what CareerVector is, a new workspace, a link to open. */

import { html, nothing, type TemplateResult } from "lit";
import { createWorkspace, openLink, secretIn, type NewWorkspace } from "../api/links";
import { describe } from "../api/problem";
import { announce } from "../ui/announcer";
import { markIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";

export class StartPage extends LightElement {
  static override properties = { made: { state: true }, busy: { state: true }, problem: { state: true }, copied: { state: true }, badPaste: { state: true } };
  declare made: NewWorkspace | null;
  declare busy: boolean;
  declare problem: string;
  declare copied: boolean;
  declare badPaste: boolean;

  constructor() {
    super();
    this.made = null;
    this.busy = false;
    this.problem = "";
    this.copied = false;
    this.badPaste = false;
  }

  protected override render(): TemplateResult {
    return html`<main class="panel start">
      <p class="brand">${markIcon}<span>CareerVector</span></p>
      ${this.made ? this.keepLink(this.made) : this.choices()}
    </main>`;
  }

  private choices(): TemplateResult {
    return html`
      <h1>Your job search, in one private place</h1>
      <p class="lead">
        Keep applications, interviews, notes and your CV together. Ask the assistant beside them what is next, or tell it what to
        change: every change it makes is shown, and one press takes it back.
      </p>
      <section class="card">
        <h2>Create a workspace</h2>
        <p class="muted">No account, no e-mail. You get one link, and that link is the key.</p>
        <p class="row">
          <button class="primary" ?disabled=${this.busy} @click=${() => void this.create(false)}>Create a workspace</button>
          <button ?disabled=${this.busy} @click=${() => void this.create(true)}>Try it with sample data</button>
        </p>
      </section>
      <section class="card">
        <h2>Open a link</h2>
        <form class="form" @submit=${(event: SubmitEvent) => this.paste(event)}>
          <label for="link">Your workspace link</label>
          <div class="query">
            <input id="link" name="link" type="text" autocomplete="off" spellcheck="false" placeholder="Paste it here" required
              aria-invalid=${this.badPaste ? "true" : nothing} aria-describedby=${this.badPaste ? "bad-link" : nothing} />
            <button>Continue</button>
          </div>
          ${this.badPaste ? html`<p id="bad-link" class="problem" role="alert">This is not a whole workspace link. It contains cvl_ and 43 more characters.</p>` : nothing}
        </form>
      </section>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    `;
  }

  private keepLink(made: NewWorkspace): TemplateResult {
    return html`
      <h1 tabindex="-1">Your workspace is ready</h1>
      <p class="lead"><strong>Keep this link safe: it is the only key.</strong> Whoever has it can open the workspace, and nobody can give it to you again.</p>
      <label for="secret">Your link, shown only now</label>
      <div class="query">
        <input id="secret" class="secret" readonly .value=${made.link.url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
        <button class="primary" @click=${() => void this.copy(made.link.url)}>${this.copied ? "Copied" : "Copy"}</button>
      </div>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <p class="row"><button ?disabled=${this.busy} @click=${() => void this.enter(made)}>I kept it, open the workspace</button></p>
    `;
  }

  private async create(sample: boolean): Promise<void> {
    this.busy = true;
    this.problem = "";
    try {
      this.made = await createWorkspace(sample);
      await this.updateComplete;
      this.querySelector<HTMLElement>("h1")?.focus();
    } catch (error) {
      this.problem = describe(error);
    } finally {
      this.busy = false;
    }
  }

  private async copy(url: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      this.copied = true;
      announce("The link was copied.");
    } catch {
      // Without the clipboard (an insecure origin, a refusal) the link is selected for the person's own copy.
      this.querySelector<HTMLInputElement>("#secret")?.focus();
      this.problem = "The browser did not allow copying. The link is selected: copy it with the keyboard.";
    }
  }

  private async enter(made: NewWorkspace): Promise<void> {
    this.busy = true;
    this.problem = "";
    try {
      const { workspace } = await openLink(made.link.secret);
      location.assign(`/w/${workspace}/`);
    } catch (error) {
      this.problem = describe(error);
      this.busy = false;
    }
  }

  private paste(event: SubmitEvent): void {
    event.preventDefault();
    const field = this.querySelector<HTMLInputElement>("#link");
    const secret = secretIn(field?.value ?? "");
    this.badPaste = secret === null;
    if (secret) location.assign(`/w/#${secret}`);
    else field?.focus();
  }
}

customElements.define("cv-start", StartPage);
