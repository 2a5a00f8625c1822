import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newKey, request } from "../../src/api/client";
import { describe as describeProblem, Problem } from "../../src/api/problem";

const sent: { path: string; init: RequestInit }[] = [];
let answers: (Response | Error)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push({ path, init });
    const answer = answers.shift() ?? new Error("no answer left");
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  document.cookie = "csrftoken=abc%3D";
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response => new Response(JSON.stringify(body), { status, headers });

async function settled<T>(run: Promise<T>): Promise<T | Error> {
  const outcome = run.catch((error: unknown) => error as Error);
  await vi.runAllTimersAsync();
  return outcome;
}

test("a write carries the CSRF token, the key and JSON", async () => {
  answers = [json({ ok: true })];
  expect(await settled(request("POST", "/x", { body: { a: 1 }, key: "K" }))).toEqual({ ok: true });
  expect(sent[0]?.init).toMatchObject({
    method: "POST",
    body: '{"a":1}',
    headers: { "X-CSRFToken": "abc=", "Idempotency-Key": "K", "Content-Type": "application/json" },
  });
});

test("a write whose answer was lost is sent again under the same key", async () => {
  answers = [new TypeError("network"), new Response("", { status: 502 }), json({ replayed: true })];
  expect(await settled(request("POST", "/x", { body: {}, key: "K" }))).toEqual({ replayed: true });
  expect(sent.map(({ init }) => (init.headers as Record<string, string>)["Idempotency-Key"])).toEqual(["K", "K", "K"]);
});

test("a write without a key is never sent twice", async () => {
  answers = [new TypeError("network")];
  const outcome = await settled(request("POST", "/x", { body: {} }));
  expect(outcome).toMatchObject({ code: "offline", status: 0 });
  expect(sent.length).toBe(1);
});

test("a refusal is not repeated and keeps its code and details", async () => {
  const problem = {
    type: "urn:careervector:problem:undo_conflict",
    title: "Later work would be lost",
    status: 409,
    code: "undo_conflict",
    detail: "Later work would be lost",
    details: { conflicts: [{ path: "plan/fields/work_mode", later_event: "evt_2", actor_class: "human", at: "2026-11-30T09:00:00Z" }] },
    errors: [],
  };
  answers = [json(problem, 409)];
  const outcome = await settled(request("POST", "/x", { body: {}, key: "K" }));
  expect(outcome).toBeInstanceOf(Problem);
  expect(outcome).toMatchObject({ status: 409, code: "undo_conflict" });
  expect((outcome as Problem).conflicts.map((conflict) => conflict.path)).toEqual(["plan/fields/work_mode"]);
  expect(sent.length).toBe(1);
});

test("a rate limit says when to try again", async () => {
  answers = [json({ code: "rate_limited", title: "Too many requests", status: 429 }, 429, { "Retry-After": "12" })];
  expect(describeProblem(await settled(request("GET", "/x")))).toBe("Too many requests. Try again in 12 s.");
});

test("an answer that is no problem document still becomes a readable problem", async () => {
  answers = [new Response("<h1>oops</h1>", { status: 500 })];
  const outcome = await settled(request("POST", "/x", { body: {} }));
  expect(outcome).toMatchObject({ code: "http_500", message: "The server could not answer. Please try again in a moment." });
});

test("what is wrong with which field is told after the message", () => {
  const problem = new Problem({
    code: "invalid_operation",
    detail: "An operation is not valid.",
    errors: [{ path: "operations/0/value", code: "date", message: "This must be a date such as 2026-11-30." }],
  });
  expect(describeProblem(problem)).toBe("An operation is not valid. This must be a date such as 2026-11-30.");
});

test("no answer at all is empty for 204", async () => {
  answers = [new Response(null, { status: 204 })];
  expect(await settled(request("DELETE", "/x"))).toBeUndefined();
});

test("keys are long, visible ASCII and different", () => {
  const keys = new Set(Array.from({ length: 100 }, newKey));
  expect(keys.size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
});
