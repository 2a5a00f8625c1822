/**
 * An edited long text as one small operation, and two people's edits of it brought together. Pure.
 *
 * The server takes `text.append`, or `text.replace` whose `old` occurs exactly once; both keep what others typed
 * elsewhere in the text untouched, which sending the whole text would not.
 */

import type { Operation } from "../api/types";

interface Span {
  start: number;
  end: number;
  insert: string;
}

const SURROGATE_LOW = /[\uDC00-\uDFFF]/;

/** The operation that turns `before` into `after`, or null when they are equal. */
export function textOperation(document: string, text: string, before: string, after: string): Operation | null {
  if (before === after) return null;
  const span = changedSpan(before, after);
  if (span.start === before.length) return { kind: "text.append", document, text, content: span.insert };
  let { start, end } = span;
  while (!occursOnce(before, before.slice(start, end))) {
    // Grow by whole characters on both sides until the stretch is unique; the whole text always is.
    start = stepBack(before, start);
    end = stepForward(before, end);
  }
  return {
    kind: "text.replace",
    document,
    text,
    old: before.slice(start, end),
    new: before.slice(start, span.start) + span.insert + before.slice(span.end, end),
  };
}

/** Mine on top of theirs where the two changed different stretches of `base`; null when they overlap. */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  if (base === theirs || mine === theirs) return mine;
  if (base === mine) return theirs;
  const a = changedSpan(base, mine);
  const b = changedSpan(base, theirs);
  if (a.end < b.start || (a.end === b.start && a.start !== b.start && b.end !== b.start)) return splice(splice(base, b), a);
  if (b.end < a.start || (b.end === a.start && b.start !== a.start && a.end !== a.start)) return splice(splice(base, a), b);
  return null;
}

function splice(text: string, span: Span): string {
  return text.slice(0, span.start) + span.insert + text.slice(span.end);
}

function changedSpan(before: string, after: string): Span {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  while (head > 0 && splitsPair(before, head, after)) head -= 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  while (tail > 0 && splitsPair(before, before.length - tail, after, after.length - tail)) tail -= 1;
  return { start: head, end: before.length - tail, insert: after.slice(head, after.length - tail) };
}

function splitsPair(before: string, at: number, after: string, atAfter = at): boolean {
  return SURROGATE_LOW.test(before[at] ?? "") || SURROGATE_LOW.test(after[atAfter] ?? "");
}

function occursOnce(text: string, part: string): boolean {
  if (part === "") return text === "";
  const first = text.indexOf(part);
  return first >= 0 && text.indexOf(part, first + 1) < 0;
}

function stepBack(text: string, at: number): number {
  const next = Math.max(0, at - 1);
  return SURROGATE_LOW.test(text[next] ?? "") ? Math.max(0, next - 1) : next;
}

function stepForward(text: string, at: number): number {
  const next = Math.min(text.length, at + 1);
  return SURROGATE_LOW.test(text[next] ?? "") ? next + 1 : next;
}
