/**
 * Streaming Markdown into the page through an allowlist.
 *
 * Only append-only DOM calls: what stands is never rendered again, so a long answer does not flicker and a selection
 * survives. No raw HTML (the parser has none), no images (they become links), links only to https, mailto and this
 * site, headings demoted below the page's own. `#application:…` and its like lead to the page of that document.
 */

import * as smd from "streaming-markdown";

export interface MarkdownLinks {
  /** The page's address of one of our ids, or null for an id that has no page. */
  pageOf(id: string): string | null;
}

const OWN_ID = /^#?((?:application|note|letter):[0-9A-HJKMNP-TV-Z]{26}|profile|plan)$/;
const DEMOTED = 3;
const PLAIN = /^[\p{L}\p{N}.,;:?)]+$/u;

/** Where a link may lead, or null. Relative addresses count as this site's. */
export function allowedHref(raw: string, origin: string, links: MarkdownLinks): string | null {
  const value = raw.trim();
  const own = OWN_ID.exec(value);
  if (own?.[1]) return links.pageOf(own[1]);
  let url: URL;
  try {
    url = new URL(value, `${origin}/`);
  } catch {
    return null;
  }
  if (url.username || url.password) return null;
  if (url.protocol === "https:" || url.protocol === "mailto:") return url.href;
  return url.origin === origin ? url.href : null;
}

export class MarkdownStream {
  private readonly root: HTMLElement;
  private readonly links: MarkdownLinks;
  private parser: smd.Parser;
  private renderer: smd.Default_Renderer;
  /** The last plain characters, which the parser holds back until it knows what follows them. */
  private readonly tail = document.createTextNode("");
  private written = "";
  private ended = false;

  constructor(root: HTMLElement, links: MarkdownLinks) {
    this.root = root;
    this.links = links;
    this.renderer = allowlist(root, links);
    this.parser = smd.parser(this.renderer);
  }

  /** Bring the page to `text`. Text that continues what stands is appended; anything else starts anew. */
  update(text: string, done: boolean): void {
    if (this.ended && text === this.written) return;
    if (this.ended || !text.startsWith(this.written)) this.restart();
    this.tail.remove();
    if (text.length > this.written.length) smd.parser_write(this.parser, text.slice(this.written.length));
    this.written = text;
    if (done) {
      smd.parser_end(this.parser);
      this.ended = true;
    } else this.showTail();
  }

  private showTail(): void {
    const { pending } = this.parser;
    const { nodes, index } = this.renderer.data;
    if (index === 0 || !PLAIN.test(pending)) return;
    this.tail.data = pending;
    nodes[index]?.append(this.tail);
  }

  private restart(): void {
    this.root.replaceChildren();
    this.written = "";
    this.ended = false;
    this.renderer = allowlist(this.root, this.links);
    this.parser = smd.parser(this.renderer);
  }
}

function allowlist(root: HTMLElement, links: MarkdownLinks): smd.Default_Renderer {
  const renderer = smd.default_renderer(root);
  const addToken = renderer.add_token;
  renderer.add_token = (data, token) => {
    const level = headingLevel(token);
    if (level !== null) return push(data, document.createElement(`h${Math.min(6, level + DEMOTED)}`));
    if (token === smd.IMAGE) return addToken(data, smd.LINK);
    if (token === smd.EQUATION_BLOCK || token === smd.EQUATION_INLINE) return addToken(data, smd.CODE_INLINE);
    return addToken(data, token);
  };
  renderer.set_attr = (data, type, value) => {
    const node = data.nodes[data.index];
    if (!node) return;
    if (type === smd.HREF || type === smd.SRC) setHref(node, value, links);
    else if (type === smd.START || type === smd.CHECKED) smd.default_set_attr(data, type, value);
    else if (type === smd.LANG) node.dataset["language"] = value.slice(0, 20);
  };
  return renderer;
}

function setHref(node: HTMLElement, value: string, links: MarkdownLinks): void {
  const href = allowedHref(value, location.origin, links);
  if (href === null) return;
  node.setAttribute("href", href);
  if (new URL(href, location.origin).origin !== location.origin) {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    node.setAttribute("target", "_blank");
  }
}

function headingLevel(token: smd.Token): number | null {
  const levels: smd.Token[] = [smd.HEADING_1, smd.HEADING_2, smd.HEADING_3, smd.HEADING_4, smd.HEADING_5, smd.HEADING_6];
  const index = levels.indexOf(token);
  return index < 0 ? null : index + 1;
}

function push(data: smd.Default_Renderer_Data, element: HTMLElement): void {
  data.nodes[data.index]?.append(element);
  data.index += 1;
  data.nodes[data.index] = element;
}
