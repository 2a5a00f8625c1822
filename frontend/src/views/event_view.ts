/** One entry of the history: a receipt card where the change can be taken back, else one line. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import type { AuditEvent } from "../api/types";
import "../rail/receipt_card";
import { ago, dateTime } from "../text/dates";
import { actorLabel, eventLine, pathParts, shownPaths, titleOf } from "../text/labels";

export function eventView(app: App, event: AuditEvent): TemplateResult {
  if (event.receipt) return html`<cv-receipt .app=${app} .receipt=${event.receipt}></cv-receipt>`;
  const documents = [...new Set(shownPaths(event.affected_paths).map((path) => pathParts(path).document))];
  return html`<div class="event card">
    <p><strong>${eventLine(event)}</strong></p>
    <p class="muted">
      ${actorLabel(event)} · <time datetime=${event.at} title=${dateTime(event.at)}>${ago(event.at)}</time>
      ${documents.length ? html` · ${documents.slice(0, 5).map((id) => html`<a href=${app.router.pageOf(id)}>${titleOf(app.documents.look(id), id)}</a> `)}` : nothing}
    </p>
  </div>`;
}
