/** One question and its answer: text as it streams, tools one line each, receipts as cards, provenance at the foot. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app";
import type { Part, Provenance, ToolPart, Turn } from "../store/turns";
import { isRunning } from "../store/turns";
import { counted } from "../text/labels";
import { dateTime, now } from "../text/dates";
import { toolIcon, warnIcon } from "../ui/icons";
import "./markdown_view";
import "./receipt_card";
import "./turn_undo";

const NAMED_AFTER_S = 2;
const TIMED_AFTER_S = 10;

const FAILURES: Record<string, string> = {
  provider_limit: "The assistant's provider has reached a limit.",
  provider_auth: "The assistant is not signed in to its provider.",
  provider_error: "The assistant's provider failed.",
  connector_crash: "The assistant stopped unexpectedly.",
  protocol_mismatch: "The assistant and its provider do not understand each other.",
  timeout: "The answer took too long.",
  host_lost: "The connection to the assistant was lost.",
  connector_unavailable: "The assistant is not running right now.",
};

const TOOL_NAMES: Record<string, string> = {
  get_workspace_context: "Read the workspace",
  search_jobcache: "Searched jobs",
  apply_workspace_operations: "Changed the workspace",
  undo_workspace_receipt: "Took a change back",
};

export function turnView(app: App, turn: Turn): TemplateResult {
  return html`<section class="turn" data-turn=${turn.id} data-status=${turn.status} aria-label="Question and answer">
    <div class="question"><p>${turn.question}</p></div>
    <div class="answer">
      ${repeat(turn.parts, partKey, (part) => partView(app, part))} ${isRunning(turn) ? waiting(turn) : nothing}
      ${turn.status === "cancelled" ? html`<p class="outcome">Stopped. What stands above stays.</p>` : nothing}
      ${turn.failure
        ? html`<p class="outcome problem">${warnIcon} ${FAILURES[turn.failure.failureClass] ?? "The answer failed."} ${turn.failure.message}</p>`
        : nothing}
      ${turn.provenance ? provenance(turn.provenance) : nothing}
      ${isRunning(turn) ? nothing : html`<cv-turn-undo .app=${app} .turn=${turn.id}></cv-turn-undo>`}
    </div>
  </section>`;
}

function partKey(part: Part, index: number): string {
  if (part.type === "message") return `m${part.part}`;
  if (part.type === "tool") return `t${part.call}`;
  return `${part.type}${index}`;
}

function partView(app: App, part: Part): TemplateResult {
  switch (part.type) {
    case "message":
      return html`<cv-markdown .text=${part.text} .done=${part.done} .links=${app.router}></cv-markdown>`;
    case "tool":
      return html`${toolLine(part)}${part.receipt ? html`<cv-receipt .app=${app} .receipt=${part.receipt} .open=${true}></cv-receipt>` : nothing}`;
    case "limit":
      return html`<p class="outcome problem">${warnIcon} ${part.limit || "A limit"} reached.${part.retryAt ? ` Free again ${dateTime(part.retryAt)}.` : ""}</p>`;
    case "auth":
      return html`<p class="outcome problem">${warnIcon} The provider asks for a sign-in (${part.state}).</p>`;
  }
}

function toolLine(part: ToolPart): TemplateResult {
  const state = part.outcome === null ? "running" : part.outcome === "ok" ? "done" : "refused";
  const counts = Object.entries(part.counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => counted(count, name))
    .join(", ");
  const tail = [counts, part.truncated ? "shortened" : "", state === "refused" ? part.outcome : ""].filter(Boolean).join(" · ");
  return html`<p class="tool" data-state=${state}>
    ${toolIcon}<span class="tool-line">${(!part.receipt && part.summary) || TOOL_NAMES[part.tool] || part.tool}${tail ? html` <span class="muted">· ${tail}</span>` : nothing}</span>
  </p>`;
}

/** No guessed percentages: after a while the step is named, later the time that passed. */
function waiting(turn: Turn): TemplateResult {
  const seconds = Math.floor((now().getTime() - Date.parse(turn.startedAt ?? turn.queuedAt)) / 1000);
  const running = turn.parts.findLast((part): part is ToolPart => part.type === "tool" && part.outcome === null);
  const step = turn.progress || running?.summary || (turn.status === "queued" ? "Waiting for the assistant" : "Working on it");
  return html`<p class="waiting"><span class="dots" aria-hidden="true"></span>
    ${seconds >= NAMED_AFTER_S ? step : nothing} ${seconds >= TIMED_AFTER_S ? html`<span class="muted">${seconds} s</span>` : nothing}</p>`;
}

function provenance(from: Provenance): TemplateResult {
  const tools = from.tools.map((tool) => TOOL_NAMES[tool.name] ?? tool.name).filter((name, index, all) => all.indexOf(name) === index);
  const counts = Object.entries(from.counts).map(([name, count]) => counted(count, name));
  const bits = [
    tools.length ? tools.join(", ").toLowerCase() : "no tools used",
    ...counts,
    from.truncated ? "shortened" : "",
    from.provider === "builtin" ? "built-in assistant" : [from.provider, from.model].filter(Boolean).join(" "),
  ].filter(Boolean);
  return html`<div class="provenance">
    <p>Based on: ${bits.join(" · ")}</p>
    ${from.ungrounded.length
      ? html`<p class="ungrounded">${warnIcon} Not found in your data: ${from.ungrounded.join("; ")}</p>`
      : nothing}
  </div>`;
}
