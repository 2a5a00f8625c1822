import { expect, test } from "vitest";
import { secretIn } from "../../src/api/links";

const SECRET = `cvl_${"aB3-_".repeat(8)}xyz`;

test.each([SECRET, `http://127.0.0.1:8000/w/#${SECRET}`, `Here it is: ${SECRET}, keep it.`, `#${SECRET}`])("%s holds the secret", (text) => {
  expect(secretIn(text)).toBe(SECRET);
});

test.each(["", "cvl_short", `${SECRET}x`, "https://example.org/"])("%j holds none", (text) => {
  expect(secretIn(text)).toBeNull();
});
