/** The rail's place in the frame: how wide it is, whether it stood open, and the handle that changes its width. */

import { html, type TemplateResult } from "lit";

const WIDTH_KEY = "rail:width";
const OPEN_KEY = "rail:open";
const DEFAULT_PX = 380;
const MIN_PX = 300;
const MAX_PX = 640;
const STEP_PX = 20;
const SHEET = "(max-width: 60rem)";

export class RailFrame {
  private width = clamp(Number(localStorage.getItem(WIDTH_KEY)) || DEFAULT_PX);

  constructor() {
    this.apply();
  }

  isSheet(): boolean {
    return matchMedia(SHEET).matches;
  }

  initiallyOpen(): boolean {
    return !this.isSheet() && localStorage.getItem(OPEN_KEY) !== "no";
  }

  remember(open: boolean): void {
    if (!this.isSheet()) localStorage.setItem(OPEN_KEY, open ? "yes" : "no");
  }

  handle(): TemplateResult {
    return html`<div
      class="rail-handle"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label="Width of the assistant"
      aria-valuemin=${MIN_PX}
      aria-valuemax=${MAX_PX}
      aria-valuenow=${this.width}
      @keydown=${(event: KeyboardEvent) => this.key(event)}
      @pointerdown=${(event: PointerEvent) => this.drag(event)}
    ></div>`;
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.set(this.width + step, event.currentTarget as HTMLElement);
  }

  private drag(event: PointerEvent): void {
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => this.set(innerWidth - moved.clientX, handle);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  }

  private set(width: number, handle: HTMLElement): void {
    this.width = clamp(width);
    localStorage.setItem(WIDTH_KEY, String(this.width));
    handle.setAttribute("aria-valuenow", String(this.width));
    this.apply();
  }

  private apply(): void {
    document.documentElement.style.setProperty("--rail-width", `${this.width}px`);
  }
}

const clamp = (width: number): number => Math.round(Math.min(MAX_PX, Math.max(MIN_PX, width)));
