/** `<cv-shell>`: the frame around every surface: navigation, connection state, the surface itself, the rail. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import "../rail/rail";
import type { Rail } from "../rail/rail";
import type { Signal } from "../store/signal";
import { pageTitle } from "../text/labels";
import { boardIcon, chatIcon, historyIcon, jobsIcon, markIcon, overviewIcon } from "../ui/icons";
import { LightElement } from "../ui/light_element";
import type { Surface } from "../ui/router";
import "./board";
import { loadSurface, loadSurfacesAtRest } from "./lazy_surfaces";
import "./overview";
import { RailFrame } from "./rail_frame";

const NAVIGATION: [Surface, string, string, unknown][] = [
  ["overview", "", "Overview", overviewIcon],
  ["board", "board", "Board", boardIcon],
  ["jobs", "jobs", "Jobs", jobsIcon],
  ["history", "history", "History", historyIcon],
];

export class Shell extends LightElement {
  static override properties = { app: { attribute: false }, railOpen: { state: true } };
  declare app: App;
  declare railOpen: boolean;
  private shownSurface = "";
  private readonly frame = new RailFrame();

  constructor() {
    super();
    this.railOpen = this.frame.initiallyOpen();
    this.addEventListener("rail-close", () => this.closeRail());
    this.addEventListener("ask", (event) => void this.ask((event as CustomEvent<string>).detail));
    this.addEventListener("keydown", (event) => {
      // Only the sheet of a phone covers the page; Esc closes it and never stops an answer.
      if (event.key === "Escape" && !event.defaultPrevented && this.railOpen && this.frame.isSheet()) this.closeRail();
    });
  }

  protected override watched(): Signal[] {
    return [this.app, this.app.router, this.app.documents];
  }

  protected override updated(): void {
    const { surface, document: shown } = this.app.router.route;
    const key = `${surface} ${shown ?? ""}`;
    if (this.app.phase !== "ready") return;
    document.title = pageTitle(surface, shown ? this.app.documents.get(shown) : undefined, shown ?? "");
    loadSurface(surface);
    if (key === this.shownSurface) return;
    if (this.shownSurface === "") loadSurfacesAtRest();
    // A new page: the heading takes the focus as after an ordinary navigation, but not at the first load.
    const first = this.shownSurface === "";
    this.shownSurface = key;
    if (!first && !this.app.router.route.place) {
      this.querySelector("main")?.scrollTo(0, 0);
      this.querySelector<HTMLElement>("main h1")?.focus();
    }
  }

  protected override render(): TemplateResult {
    const { app } = this;
    if (app.phase === "closed" || app.phase === "erased" || app.phase === "failed") return this.closedPage();
    const rail = app.phase === "ready" && !app.viewOnly;
    return html`
      <a class="skip" href="#main" @click=${(event: Event) => this.skip(event)}>Skip to content</a>
      <div class="shell" data-rail=${rail && this.railOpen ? "open" : "closed"}>
        <header class="top">
          <a class="brand" href=${app.router.href("")}>${markIcon}<span>CareerVector</span></a>
          <nav aria-label="Workspace">${NAVIGATION.map((entry) => this.navLink(...entry))}</nav>
          ${app.viewOnly ? html`<span class="chip">View only</span>` : nothing}
          ${rail
            ? html`<button class="ask-toggle" aria-expanded=${this.railOpen} @click=${() => this.toggleRail()}>${chatIcon}<span>Assistant</span></button>`
            : nothing}
        </header>
        ${app.interrupted ? html`<p class="banner" role="status">Reconnecting, nothing lost. What you see may be a moment old.</p>` : nothing}
        <main id="main" tabindex="-1">${app.phase === "loading" ? this.loading() : this.surface()}</main>
        ${rail
          ? html`<aside class="rail" aria-label="Assistant" ?inert=${!this.railOpen} ?hidden=${!this.railOpen}>
              ${this.frame.handle()}<cv-rail .app=${app}></cv-rail>
            </aside>`
          : nothing}
      </div>
    `;
  }

  private navLink(surface: Surface, path: string, name: string, icon: unknown): TemplateResult {
    const here = this.app.router.route.surface;
    const current = here === surface || (surface === "board" && here === "application");
    return html`<a href=${this.app.router.href(path)} aria-current=${current ? "page" : nothing}>${icon}<span>${name}</span></a>`;
  }

  private surface(): TemplateResult {
    const { app } = this;
    const { surface, document } = app.router.route;
    switch (surface) {
      case "overview":
        return html`<cv-overview .app=${app}></cv-overview>`;
      case "board":
        return html`<cv-board .app=${app}></cv-board>`;
      case "application":
        return html`<cv-application .app=${app} .document=${document ?? ""}></cv-application>`;
      case "document":
        return html`<cv-document .app=${app} .document=${document ?? ""}></cv-document>`;
      case "jobs":
        return html`<cv-jobs .app=${app}></cv-jobs>`;
      case "history":
        return html`<cv-history .app=${app}></cv-history>`;
      default:
        return html`<div class="page"><h1 tabindex="-1">There is nothing here</h1>
          <p>The address leads to no page of this workspace. <a href=${app.router.href("")}>Go to the overview</a>.</p></div>`;
    }
  }

  private loading(): TemplateResult {
    return html`<div class="page" aria-busy="true"><p class="muted">Loading your workspace…</p>
      <div class="skeleton-grid" aria-hidden="true"><div></div><div></div><div></div></div></div>`;
  }

  private closedPage(): TemplateResult {
    const { phase } = this.app;
    const [title, body] =
      phase === "failed"
        ? ["CareerVector cannot be reached", "Your workspace is safe. Check the connection and try again."]
        : phase === "erased"
          ? ["This workspace was erased", "Its content is gone for good."]
          : ["This workspace is not open here", "Open it with its link. If you had it open, the link may have been replaced."];
    return html`<main class="lone" id="main"><div class="panel">
      ${markIcon}<h1>${title}</h1><p>${body}</p>
      ${phase === "failed"
        ? html`<button class="primary" @click=${() => void this.app.start()}>Try again</button>`
        : html`<a class="button primary" href="/">Open a link</a>`}
    </div></main>`;
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>("main")?.focus();
  }

  private toggleRail(): void {
    if (this.railOpen) this.closeRail();
    else void this.openRail();
  }

  private async openRail(): Promise<void> {
    this.railOpen = true;
    this.frame.remember(true);
    await this.updateComplete;
    this.querySelector<Rail>("cv-rail")?.focusComposer();
  }

  private closeRail(): void {
    this.railOpen = false;
    this.frame.remember(false);
    this.querySelector<HTMLElement>(".ask-toggle")?.focus();
  }

  private async ask(text: string): Promise<void> {
    await this.openRail();
    this.querySelector<Rail>("cv-rail")?.ask(text);
  }
}

customElements.define("cv-shell", Shell);
