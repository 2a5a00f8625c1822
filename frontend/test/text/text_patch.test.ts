import { expect, test } from "vitest";
import type { Operation } from "../../src/api/types";
import { mergeTexts, textOperation } from "../../src/text/text_patch";

const DOC = "application:01JABCDEFGHJKMNPQRSTVWXYZ0";

function applied(text: string, operation: Operation | null): string {
  if (operation === null) return text;
  if (operation.kind === "text.append") return text + operation.content;
  if (operation.kind !== "text.replace") throw new Error(operation.kind);
  // The server's rule: `old` occurs exactly once, overlapping occurrences counted.
  const first = text.indexOf(operation.old);
  expect(first).toBeGreaterThanOrEqual(0);
  expect(operation.old === "" ? text : text.indexOf(operation.old, first + 1)).toBe(operation.old === "" ? "" : -1);
  return text.slice(0, first) + operation.new + text.slice(first + operation.old.length);
}

test("an addition at the end is an append", () => {
  expect(textOperation(DOC, "notes", "They called.", "They called.\nTwice.")).toEqual({
    kind: "text.append",
    document: DOC,
    text: "notes",
    content: "\nTwice.",
  });
});

test("a change in the middle names only what it needs", () => {
  expect(textOperation(DOC, "notes", "call on Friday, early", "call on Monday, early")).toEqual({
    kind: "text.replace",
    document: DOC,
    text: "notes",
    old: "Fri",
    new: "Mon",
  });
});

test("nothing changed is no operation", () => {
  expect(textOperation(DOC, "notes", "same", "same")).toBeNull();
});

test.each([
  ["", "first words"],
  ["gone", ""],
  ["aaaa", "aaa"],
  ["aaaa", "aabaa"],
  ["ab ab ab", "ab xb ab"],
  ["🙂🙂🙂", "🙂🙃🙂"],
  ["a🙂b", "a🙂🙂b"],
  ["🙂", "🙃"],
  ["line\nline\nline\n", "line\nlime\nline\n"],
  ["x", "xx"],
  ["start", "re-start"],
])("%j becomes %j", (before, after) => {
  const operation = textOperation(DOC, "notes", before, after);
  expect(applied(before, operation)).toBe(after);
  expect(JSON.stringify(operation)).not.toMatch(/\\ud[89a-f]/);
});

test("random edits always give an operation that the server can apply", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const letters = ["a", "b", " ", "\n", "🙂", "é"];
  const word = (length: number): string => Array.from({ length }, () => letters[random(letters.length)]).join("");
  for (let round = 0; round < 500; round += 1) {
    const before = word(random(20));
    const points = [...before];
    const at = random(points.length + 1);
    const after = [...points.slice(0, at), ...word(random(4)), ...points.slice(at + random(4))].join("");
    expect(applied(before, textOperation(DOC, "notes", before, after))).toBe(after);
  }
});

test("edits of different stretches come together", () => {
  expect(mergeTexts("one two three", "ONE two three", "one two THREE")).toBe("ONE two THREE");
  expect(mergeTexts("one two three", "one two three four", "zero two three")).toBe("zero two three four");
});

test("edits of the same words do not", () => {
  expect(mergeTexts("one two three", "one TWO three", "one 2 three")).toBeNull();
});

test("two additions at one place do not, since their order is nobody's to guess", () => {
  expect(mergeTexts("end", "end mine", "end theirs")).toBeNull();
});

test("an unchanged side gives way", () => {
  expect(mergeTexts("base", "base", "theirs")).toBe("theirs");
  expect(mergeTexts("base", "mine", "base")).toBe("mine");
  expect(mergeTexts("base", "both", "both")).toBe("both");
});
