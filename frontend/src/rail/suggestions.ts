/** What a person might ask from where they are: words that the built-in assistant understands. */

import type { App } from "../app";
import { companyOf } from "../text/labels";

export function suggestions(app: App): string[] {
  const { surface, document } = app.router.route;
  const shown = document ? app.documents.get(document) : undefined;
  if (shown?.kind === "application") {
    const name = companyOf(shown);
    return [`Show ${name}`, `Move ${name} to interviewing`, `Add a note to ${name}: they called`];
  }
  if (surface === "jobs") return ["Search python developer Zurich", "Find remote backend jobs"];
  if (surface === "board") return ["List my interviewing applications", "Which applications are dream tier?", "What's next this week?"];
  return ["What's next this week?", "Give me an overview", "Search python developer Zurich"];
}
