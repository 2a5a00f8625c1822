/** One application on the board. */

import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../app";
import type { WorkspaceDocument } from "../api/types";
import { nextDate, staleDays } from "../store/pipeline";
import { ago, dayLabel, now } from "../text/dates";
import { companyOf, label, text } from "../text/labels";
import { moveIcon } from "../ui/icons";

const ASSISTANT_NEWS_MS = 3 * 86_400_000;

export function cardView(app: App, application: WorkspaceDocument, onMove: () => void): TemplateResult {
  const { fields } = application;
  const last = app.events.lastOf(application);
  const company = companyOf(application);
  const tier = text(fields["tier"]);
  const next = nextDate(application);
  const stale = staleDays(application);
  const byAssistant = last !== undefined && last.actor_class === "agent" && now().getTime() - Date.parse(last.at) < ASSISTANT_NEWS_MS;
  return html`<article class="board-card" data-card=${application.id}>
    <h3><a href=${app.router.pageOf(application.id)}>${text(fields["title"]) || "Untitled role"}</a></h3>
    <p class="company">${text(fields["company"]) || nothing}${fields["location"] ? html`<span class="muted"> · ${text(fields["location"])}</span>` : nothing}</p>
    ${next
      ? html`<p class="next" data-overdue=${next.overdue}><span>${next.title}</span> <time datetime=${next.on}>${dayLabel(next.on)}</time></p>`
      : nothing}
    <p class="tags">
      ${tier ? html`<span class="tier" data-tier=${tier}>${label(tier)}</span>` : nothing}
      ${stale !== null ? html`<span class="stale">quiet for ${stale} days</span>` : nothing}
      ${byAssistant ? html`<span class="by-assistant">assistant edited ${ago(last.at)}</span>` : nothing}
      ${app.viewOnly
        ? nothing
        : html`<button class="small quiet card-move" aria-haspopup="dialog" aria-label="Move ${company}" @click=${onMove}>${moveIcon} Move</button>`}
    </p>
  </article>`;
}
