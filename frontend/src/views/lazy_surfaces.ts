/**
 * Surfaces that the first page does not need. Each is loaded when it is shown, or when the browser has nothing better
 * to do; until then its element stands empty in the page and fills itself when its code arrives.
 */

import { alarm } from "../ui/announcer";
import type { Surface } from "../ui/router";

const LOADERS: Partial<Record<Surface, () => Promise<unknown>>> = {
  application: () => import("./application"),
  document: () => import("./document"),
  jobs: () => import("./jobs"),
  history: () => import("./history"),
};

export function loadSurface(surface: Surface): void {
  LOADERS[surface]?.().catch(() => alarm("This page could not be loaded. Check the connection and try again."));
}

export function loadSurfacesAtRest(): void {
  const rest = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
  rest(() => {
    for (const load of Object.values(LOADERS)) load().catch(() => undefined);
  });
}
