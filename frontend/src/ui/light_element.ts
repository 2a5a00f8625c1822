/** The base of our components: light DOM, so that one style sheet and ordinary ids and labels reach everything. */

import { LitElement } from "lit";
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
    for (const signal of this.watched()) this.unsubscribers.push(signal.subscribe(() => this.requestUpdate()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const unsubscribe of this.unsubscribers.splice(0)) unsubscribe();
  }
}
