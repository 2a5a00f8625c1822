/** A change of one place as a reader sees it: words taken out struck through, words put in underlined. */

import { html, nothing, type TemplateResult } from "lit";
import type { Change, Value } from "../api/types";
import { kindLabel, label, pathParts, text } from "../text/labels";
import { shorten, wordDiff } from "../text/word_diff";

/** `nameOf` says what a person calls a document, given its id: values may refer to others. */
export function changeView(change: Change, nameOf: (id: string) => string): TemplateResult {
  const before = plain(change.before as Value, nameOf);
  const after = plain(change.after as Value, nameOf);
  const { document, rest, label: place } = pathParts(change.path);
  return html`<div class="change">
    <span class="change-place">${rest ? place : `${before ? "" : "New "}${kindLabel(document).toLowerCase()}`}</span>
    <p class="diff">${diffOf(before, after)}</p>
  </div>`;
}

function diffOf(before: string, after: string): TemplateResult | TemplateResult[] {
  if (!before && !after) return html`<span class="muted">empty</span>`;
  // Short values read better side by side than as a puzzle of words.
  if (!before.includes(" ") && !after.includes(" ")) {
    return html`${before ? html`<del>${before}</del>` : nothing} ${after ? html`<ins>${after}</ins>` : nothing}`;
  }
  return shorten(wordDiff(before, after)).map((part) =>
    part.kind === "ins" ? html`<ins>${part.text}</ins>` : part.kind === "del" ? html`<del>${part.text}</del>` : html`${part.text}`,
  );
}

/** A document or an entry is told by its filled fields. */
function plain(value: Value, nameOf: (id: string) => string): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string" && DOCUMENT_ID.test(value)) return nameOf(value);
  if (typeof value !== "object" || Array.isArray(value)) return text(value);
  return Object.entries(value)
    .filter(([name, entry]) => name !== "id" && name !== "rank" && entry !== null && entry !== "" && JSON.stringify(entry) !== "{}")
    .map(([name, entry]) => (isRecord(entry) ? plain(entry as Value, nameOf) : `${label(name)}: ${plain(entry as Value, nameOf)}`))
    .join("\n");
}

const DOCUMENT_ID = /^(?:application|note|letter):[0-9A-HJKMNP-TV-Z]{26}$/;
const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
