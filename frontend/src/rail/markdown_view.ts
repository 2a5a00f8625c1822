/** `<cv-markdown>`: a Markdown text that may still be growing. */

import { LightElement } from "../ui/light_element";
import { MarkdownStream, type MarkdownLinks } from "../text/markdown";

export class MarkdownView extends LightElement {
  static override properties = { text: { attribute: false }, done: { attribute: false }, links: { attribute: false } };
  declare text: string;
  declare done: boolean;
  declare links: MarkdownLinks;
  private stream: MarkdownStream | null = null;

  constructor() {
    super();
    this.text = "";
    this.done = true;
  }

  // The stream owns the children; Lit renders none.
  override createRenderRoot(): HTMLElement {
    const body = document.createElement("div");
    body.className = "markdown";
    this.append(body);
    this.stream = new MarkdownStream(body, { pageOf: (id) => this.links.pageOf(id) });
    return document.createElement("div");
  }

  protected override updated(): void {
    this.stream?.update(this.text, this.done);
  }
}

customElements.define("cv-markdown", MarkdownView);
