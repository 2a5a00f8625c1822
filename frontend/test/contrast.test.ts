import { expect, test } from "vitest";
import css from "../src/styles/tokens.css?raw";

// WCAG 2.2 AA as numbers, on the tokens themselves: text 4.5, borders of controls and marks of meaning 3.
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [name!, [light!, dark!] as const]),
);

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

const GROUNDS = ["ground", "surface", "raised", "sunken"];
const STAGES = ["saved", "preparing", "applied", "screening", "interviewing", "offer", "accepted", "rejected", "withdrawn"];
const PAIRS: [string, string, number][] = [
  ...["text", "muted", "accent", "bad"].flatMap((ink) => GROUNDS.map((ground): [string, string, number] => [ink, ground, 4.5])),
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-hover", 4.5],
  ["accent", "accent-soft", 4.5],
  ["text", "accent-soft", 4.5],
  ["good", "good-soft", 4.5],
  ["good", "surface", 4.5],
  ["bad", "bad-soft", 4.5],
  ["warn", "warn-soft", 4.5],
  ["warn", "surface", 4.5],
  ["text", "warn-soft", 4.5],
  ["line-strong", "surface", 3],
  ["line-strong", "ground", 3],
  ...STAGES.flatMap((stage): [string, string, number][] => [
    [`stage-${stage}`, "sunken", 3],
    [`stage-${stage}`, "surface", 3],
  ]),
];

test.each(PAIRS)("%s on %s", (ink, ground, least) => {
  for (const scheme of [0, 1] as const) {
    const pair = [tokens.get(ink)![scheme], tokens.get(ground)![scheme]] as const;
    expect(contrast(...pair), `${["light", "dark"][scheme]}: ${pair.join(" on ")}`).toBeGreaterThanOrEqual(least);
  }
});
