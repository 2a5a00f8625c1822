/** Leads to a place of the page that a link named: scrolls there, gives it the focus, marks it for a moment. */

const SHOWN_MS = 2_600;

/** False when the place does not stand in the page (yet). The nearest place that contains it will do. */
export function highlight(root: ParentNode, place: string): boolean {
  const steps = place.split("/");
  for (let length = steps.length; length > 0; length -= 1) {
    const element = root.querySelector<HTMLElement>(`[data-place="${CSS.escape(steps.slice(0, length).join("/"))}"]`);
    if (!element) continue;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    const target = element.querySelector<HTMLElement>("input, select, textarea, button") ?? element;
    target.focus({ preventScroll: true });
    element.classList.add("highlighted");
    setTimeout(() => element.classList.remove("highlighted"), SHOWN_MS);
    return true;
  }
  return false;
}
