import { expect, test } from "vitest";
import { shorten, wordDiff } from "../../src/text/word_diff";

test("a changed word in the middle", () => {
  expect(wordDiff("call them on Friday", "call them on Monday")).toEqual([
    { kind: "same", text: "call them on " },
    { kind: "del", text: "Friday" },
    { kind: "ins", text: "Monday" },
  ]);
});

test("words that were all replaced are shown as one change, not as a puzzle", () => {
  expect(wordDiff("Send the design step", "My own step")).toEqual([
    { kind: "del", text: "Send the design" },
    { kind: "ins", text: "My own" },
    { kind: "same", text: " step" },
  ]);
});

test("equal texts have no change", () => {
  expect(wordDiff("same", "same")).toEqual([{ kind: "same", text: "same" }]);
  expect(wordDiff("", "")).toEqual([]);
});

test("an empty side is all put in or all taken out", () => {
  expect(wordDiff("", "new words")).toEqual([{ kind: "ins", text: "new words" }]);
  expect(wordDiff("old words", "")).toEqual([{ kind: "del", text: "old words" }]);
});

test("each side can be read back from the parts", () => {
  const before = "Sie haben angerufen. Größe: 3 🙂\nNächster Schritt: warten";
  const after = "Sie haben heute angerufen. Größe: 4 🙂🙂\nNächster Schritt: zusagen";
  const parts = wordDiff(before, after);
  const side = (skip: string): string => parts.filter((part) => part.kind !== skip).map((part) => part.text).join("");
  expect(side("ins")).toBe(before);
  expect(side("del")).toBe(after);
});

test("two huge unlike texts are shown as replaced instead of taking for ever", () => {
  const before = Array.from({ length: 3000 }, (_, index) => `a${index}`).join(" ");
  const after = Array.from({ length: 3000 }, (_, index) => `b${index}`).join(" ");
  expect(wordDiff(before, after).map((part) => part.kind)).toEqual(["del", "ins"]);
});

test("long unchanged stretches are shortened, changes are not", () => {
  const long = "x".repeat(500);
  expect(shorten([{ kind: "same", text: long }, { kind: "ins", text: long }], 10)).toEqual([
    { kind: "same", text: ` … ${"x".repeat(10)}` },
    { kind: "ins", text: long },
  ]);
});
