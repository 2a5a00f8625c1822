/** Client-side routes under `/w/WORKSPACE/`. A link works as a link everywhere: new tab, reload, copy. */

import { Signal } from "../store/signal";

export type Surface = "overview" | "board" | "application" | "jobs" | "history" | "document" | "missing";

export interface Route {
  surface: Surface;
  /** The document that the surface shows, if it shows one. */
  document: string | null;
  /** A place of it to scroll to and highlight: `fields/next_step`. */
  place: string | null;
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const OTHER_DOCUMENT = /^(?:(?:note|letter):[0-9A-HJKMNP-TV-Z]{26}|profile|plan)$/;

export class Router extends Signal {
  readonly base: string;
  route: Route;

  constructor(workspace: string) {
    super();
    this.base = `/w/${workspace}/`;
    this.route = this.read();
    addEventListener("popstate", () => this.changed());
    addEventListener("click", (event) => this.follow(event));
  }

  href(path: string): string {
    return this.base + path;
  }

  /** The page of a document, at one of its places when `place` is given. */
  pageOf(id: string, place = ""): string {
    const [kind, tail] = id.split(":");
    const path = kind === "application" && tail ? `applications/${tail}` : `documents/${encodeURIComponent(id)}`;
    return this.href(path) + (place ? `#${place}` : "");
  }

  go(href: string): void {
    if (href !== location.pathname + location.hash) history.pushState(null, "", href);
    this.changed();
  }

  private changed(): void {
    this.route = this.read();
    this.emit();
  }

  private read(): Route {
    const rest = location.pathname.startsWith(this.base) ? location.pathname.slice(this.base.length) : "";
    return parseRoute(rest, location.hash);
  }

  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const anchor = (event.target as Element | null)?.closest?.("a[href]");
    if (!(anchor instanceof HTMLAnchorElement) || anchor.target || anchor.hasAttribute("download")) return;
    const url = new URL(anchor.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(this.base)) return;
    event.preventDefault();
    this.go(url.pathname + url.hash);
  }
}

export function parseRoute(rest: string, hash: string): Route {
  const [first = "", second = ""] = decodeURIComponent(rest).replace(/\/$/, "").split("/");
  const place = hash.length > 1 ? decodeURIComponent(hash.slice(1)) : null;
  if (first === "") return { surface: "overview", document: null, place };
  if (first === "applications" && ULID.test(second)) return { surface: "application", document: `application:${second}`, place };
  if (first === "documents" && OTHER_DOCUMENT.test(second)) return { surface: "document", document: second, place };
  if (!second && (first === "board" || first === "jobs" || first === "history")) return { surface: first, document: null, place };
  return { surface: "missing", document: null, place };
}
