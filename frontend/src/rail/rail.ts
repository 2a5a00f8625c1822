/** `<cv-rail>`: the conversation beside the workspace. A resizable column; on a phone a sheet from below. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app";
import { describe } from "../api/problem";
import type { Signal } from "../store/signal";
import { isRunning } from "../store/turns";
import { ago } from "../text/dates";
import { addIcon, closeIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";
import type { Composer } from "./composer";
import "./composer";
import { suggestions } from "./suggestions";
import { turnView } from "./turn_view";

const END_SLACK_PX = 48;
const SHOWN_TURNS = 50;

export class Rail extends LightElement {
  static override properties = {
    app: { attribute: false },
    problem: { state: true },
    away: { state: true },
    older: { state: true },
    fetching: { state: true },
  };
  declare app: App;
  declare problem: string;
  /** The reader has scrolled up: new text must not pull the page away. */
  declare away: boolean;
  declare older: number;
  declare fetching: boolean;
  private ticker: ReturnType<typeof setInterval> | undefined;
  private shownThread: string | null = null;
  private lastTop = 0;
  private readonly observer = new ResizeObserver(() => this.toEnd());

  constructor() {
    super();
    this.problem = "";
    this.away = false;
    this.older = 0;
    this.fetching = false;
  }

  protected override watched(): Signal[] {
    return [this.app.threads, this.app.router];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    clearInterval(this.ticker);
    this.ticker = undefined;
  }

  ask(text: string): void {
    this.composer?.fill(text);
  }

  focusComposer(): void {
    this.composer?.focus();
  }

  protected override willUpdate(): void {
    // Whoever asks wants to see the answer.
    if (this.app.threads.sending) this.away = false;
    if (this.shownThread === this.app.threads.current) return;
    this.shownThread = this.app.threads.current;
    this.away = false;
    this.older = 0;
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    // Cards and texts grow after they were rendered; the end moves with them.
    const inner = this.querySelector(".log-inner");
    if (inner) this.observer.observe(inner);
  }

  protected override updated(): void {
    if (!this.away) this.toEnd();
    // Elapsed seconds are shown while an answer is awaited, and only then does the clock tick.
    const running = isRunning(this.app.threads.lastTurn);
    if (running && this.ticker === undefined) this.ticker = setInterval(() => this.requestUpdate(), 1000);
    if (!running && this.ticker !== undefined) {
      clearInterval(this.ticker);
      this.ticker = undefined;
    }
  }

  protected override render(): TemplateResult {
    const { threads } = this.app;
    return html`
      <header class="rail-head">
        <h2>Assistant</h2>
        ${this.threadPicker()}
        <button class="icon-button" @click=${() => this.startNew()} aria-label="New conversation" title="New conversation">${addIcon}</button>
        <button class="icon-button rail-close" @click=${() => this.dispatchEvent(new CustomEvent("rail-close", { bubbles: true }))} aria-label="Close the assistant">
          ${closeIcon}
        </button>
      </header>
      <div class="log" role="log" aria-live="off" aria-label="Conversation" tabindex="0" @scroll=${() => this.scrolled()}><div class="log-inner">
        ${threads.loading ? html`<p class="muted center">Loading the conversation…</p>` : nothing}
        ${threads.state.turns.length === 0 && !threads.sending && !threads.loading ? this.welcome() : nothing}
        ${this.turns()}
        ${threads.sending && !threads.state.turns.some((turn) => turn.id === threads.sending?.id)
          ? html`<section class="turn"><div class="question"><p>${threads.sending.text}</p></div><p class="waiting"><span class="dots" aria-hidden="true"></span></p></section>`
          : nothing}
      </div></div>
      ${this.away ? html`<button class="jump small" @click=${() => this.jump()}>Jump to latest</button>` : nothing}
      ${threads.current && threads.socketState !== "open" && threads.socketState !== "connecting"
        ? html`<p class="offline-note" role="status">Reconnecting, nothing lost.</p>`
        : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <cv-composer .app=${this.app}></cv-composer>
    `;
  }

  private turns(): TemplateResult {
    const { threads } = this.app;
    const all = threads.state.turns;
    const from = Math.max(0, all.length - SHOWN_TURNS - this.older);
    return html`${from > 0 || threads.hasEarlier
      ? html`<button class="small quiet" ?disabled=${this.fetching} @click=${() => void this.showEarlier()}>Show earlier</button>`
      : nothing}
    ${repeat(all.slice(from), (turn) => turn.id, (turn) => turnView(this.app, turn))}`;
  }

  private async showEarlier(): Promise<void> {
    this.away = true;
    this.problem = "";
    this.fetching = true;
    try {
      if (this.app.threads.hasEarlier) await this.app.threads.loadEarlier();
      this.older += SHOWN_TURNS;
    } catch (error) {
      this.problem = describe(error);
    } finally {
      this.fetching = false;
    }
  }

  private threadPicker(): TemplateResult | typeof nothing {
    const { threads } = this.app;
    if (threads.threads.length === 0) return nothing;
    return html`<label class="visually-hidden" for="thread">Conversation</label>
      <select id="thread" class="thread-picker" @change=${(event: Event) => this.pick((event.target as HTMLSelectElement).value)}>
        ${threads.current === null ? html`<option value="" selected>New conversation</option>` : nothing}
        ${threads.threads.map(
          (thread) => html`<option value=${thread.id} ?selected=${thread.id === threads.current}>
            ${thread.title || `Conversation${thread.created_at ? `, ${ago(thread.created_at)}` : ""}`}
          </option>`,
        )}
      </select>`;
  }

  private welcome(): TemplateResult {
    return html`<div class="welcome">
      <p>Ask about your search, or say what to change. Every change can be undone.</p>
      <ul class="suggestions">
        ${suggestions(this.app).map((text) => html`<li><button class="suggestion" @click=${() => this.ask(text)}>${text}</button></li>`)}
      </ul>
    </div>`;
  }

  private get composer(): Composer | null {
    return this.querySelector<Composer>("cv-composer");
  }

  private get log(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".log");
  }

  private scrolled(): void {
    const log = this.log;
    if (!log) return;
    const distance = log.scrollHeight - log.scrollTop - log.clientHeight;
    // Growing text also makes the end distant; only a reader who scrolls up wants to stay where they are.
    if (distance <= END_SLACK_PX) this.away = false;
    else if (log.scrollTop < this.lastTop) this.away = true;
    this.lastTop = log.scrollTop;
  }

  private toEnd(): void {
    // After the children have rendered: their text is what makes the log longer.
    requestAnimationFrame(() => {
      const log = this.log;
      if (log && !this.away) log.scrollTop = log.scrollHeight;
    });
  }

  private jump(): void {
    this.away = false;
    this.toEnd();
    this.log?.focus();
  }

  private startNew(): void {
    this.app.threads.startNew();
    this.focusComposer();
  }

  private async pick(id: string): Promise<void> {
    this.problem = "";
    if (!id) return;
    try {
      await this.app.threads.open(id);
    } catch (error) {
      this.problem = describe(error);
    }
  }
}

customElements.define("cv-rail", Rail);
