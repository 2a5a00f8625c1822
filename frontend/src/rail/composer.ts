/** `<cv-composer>`: where a person asks. The draft stays in this browser until it was sent. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Connector } from "../api/types";
import type { Signal } from "../store/signal";
import { companyOf } from "../text/labels";
import { sendIcon, stopIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";

const MAX_LENGTH = 8_000;

const SURFACE_NAMES: Record<string, string> = {
  overview: "Overview",
  board: "Board",
  application: "Application",
  jobs: "Jobs",
  history: "History",
  document: "Document",
  missing: "Workspace",
};

export class Composer extends LightElement {
  static override properties = { app: { attribute: false }, problem: { state: true }, stopping: { state: true } };
  declare app: App;
  declare problem: string;
  declare stopping: boolean;

  constructor() {
    super();
    this.problem = "";
    this.stopping = false;
  }

  protected override watched(): Signal[] {
    return [this.app.threads, this.app.router, this.app.documents, this.app];
  }

  /** Put a suggestion into the box, for the person to change or send. */
  fill(text: string): void {
    const box = this.box;
    if (!box) return;
    box.value = text;
    this.keepDraft();
    box.focus();
    box.setSelectionRange(text.length, text.length);
  }

  override focus(): void {
    this.box?.focus();
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    const draft = localStorage.getItem(this.draftKey);
    if (draft && this.box) this.box.value = draft;
    this.grow();
  }

  protected override render(): TemplateResult {
    const { threads } = this.app;
    const connector = threads.connector;
    const unavailable = connector?.state === "unavailable";
    return html`<form class="composer" @submit=${(event: Event) => this.submit(event)}>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${connector?.login ? this.login(connector.login) : nothing}
      ${unavailable ? html`<p class="problem" role="alert">The assistant is not running right now. Your workspace is not affected.</p>` : nothing}
      <div class="box">
        <label class="visually-hidden" for="question">Ask the assistant</label>
        <textarea
          id="question"
          rows="1"
          maxlength=${MAX_LENGTH}
          placeholder="Ask or change…"
          @input=${() => this.keepDraft()}
          @keydown=${(event: KeyboardEvent) => this.key(event)}
        ></textarea>
        ${threads.busy
          ? html`<button type="button" class="stop" ?disabled=${this.stopping || threads.sending !== null} @click=${() => this.stop()}>
              ${stopIcon} Stop
            </button>`
          : html`<button class="primary send">${sendIcon} Send</button>`}
      </div>
      <p class="row chips">
        <span class="chip" title="What the assistant sees as the place you are at">${this.scope()}</span>
        ${this.connectorChip(connector)}
      </p>
    </form>`;
  }

  private connectorChip(connector: Connector | undefined): TemplateResult {
    const { threads } = this.app;
    if (threads.current === null && threads.connectors.length > 1) {
      return html`<label class="visually-hidden" for="connector">Assistant</label>
        <select id="connector" class="chip" @change=${(event: Event) => threads.choose((event.target as HTMLSelectElement).value)}>
          ${threads.connectors.map((other) => html`<option value=${other.id} .selected=${other.id === connector?.id}>${connectorName(other)}</option>`)}
        </select>`;
    }
    return html`<span class="chip" data-state=${connector?.state ?? "unavailable"}>${connector ? connectorName(connector) : "No assistant"}</span>`;
  }

  /** A provider that asks for a sign-in shows its code here; the workspace stays usable meanwhile. */
  private login(login: NonNullable<Connector["login"]>): TemplateResult {
    return html`<p class="card login" role="status">
      To use this assistant, open
      ${/^https:/.test(login.verification_url) ? html`<a href=${login.verification_url} target="_blank" rel="noopener noreferrer">its sign-in page</a>` : "its sign-in page"}
      and enter <strong>${login.user_code}</strong>.
    </p>`;
  }

  private get box(): HTMLTextAreaElement | null {
    return this.querySelector("textarea");
  }

  private get draftKey(): string {
    return `draft:${this.app.api.workspace}`;
  }

  private scope(): string {
    const { surface, document } = this.app.router.route;
    const shown = document ? this.app.documents.get(document) : undefined;
    return shown?.kind === "application" ? `Application › ${companyOf(shown)}` : (SURFACE_NAMES[surface] ?? "Workspace");
  }

  private keepDraft(): void {
    const text = this.box?.value ?? "";
    if (text) localStorage.setItem(this.draftKey, text);
    else localStorage.removeItem(this.draftKey);
    this.grow();
  }

  private grow(): void {
    const box = this.box;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight + 2, 180)}px`;
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.querySelector("form")?.requestSubmit();
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const box = this.box;
    const text = box?.value.trim() ?? "";
    if (!box || !text || this.app.threads.busy) return;
    this.problem = "";
    box.value = "";
    this.grow();
    const { surface, document } = this.app.router.route;
    try {
      await this.app.threads.ask(text, { surface: wireSurface(surface, document), document });
      this.keepDraft();
    } catch (error) {
      // The words are the person's: they go back into the box.
      if (!box.value) box.value = text;
      this.keepDraft();
      this.problem = describe(error);
    }
  }

  private async stop(): Promise<void> {
    this.stopping = true;
    this.problem = "";
    try {
      await this.app.threads.stop();
    } catch (error) {
      this.problem = describe(error);
    } finally {
      this.stopping = false;
    }
  }
}

function connectorName(connector: Connector): string {
  const name = connector.provider === "builtin" ? "Built-in assistant" : `${connector.provider.charAt(0).toUpperCase()}${connector.provider.slice(1)}`;
  return connector.state === "ready" ? name : `${name} · ${connector.state.replace("_", " ")}`;
}

const NOUNS: Record<string, string> = { note: "notes", letter: "letters", profile: "profile", plan: "plan" };

/** The contract's word for where the person is. */
function wireSurface(surface: string, document: string | null): string {
  if (surface === "document") return NOUNS[document?.split(":")[0] ?? ""] ?? "overview";
  return surface === "history" || surface === "missing" ? "overview" : surface;
}

customElements.define("cv-composer", Composer);
