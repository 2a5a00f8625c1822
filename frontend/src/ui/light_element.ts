/** The base of our components: light DOM, so that one style sheet and ordinary ids and labels reach everything. */

import { LitElement, type PropertyValues } from "lit";
import type { Signal } from "../store/signal";

export class LightElement extends LitElement {
  private readonly unsubscribers: (() => void)[] = [];
  /** What this component shows; it renders again when one of them changes. */
  protected watched(): Signal[] {
    return [];
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.watch();
  }

  // Not before: a component whose code came after its element gets its properties only with the first update.
  protected override firstUpdated(_changed: PropertyValues): void {
    if (this.isConnected) this.watch();
  }

  private watch(): void {
    for (const signal of this.watched()) this.unsubscribers.push(signal.subscribe(() => this.requestUpdate()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const unsubscribe of this.unsubscribers.splice(0)) unsubscribe();
  }
}
