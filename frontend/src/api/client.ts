/**
 * One way to call the server: JSON in and out, CSRF from the cookie, refusals as Problem.
 *
 * A write carries an idempotency key. The key is made once for each action of a person and stays the same over
 * retries after a lost answer, so that an action happens once however often it is sent.
 */

import { offline, problemOf } from "./problem";

export interface RequestOptions {
  body?: unknown;
  /** Idempotency-Key; a request that has one is safe to send again. */
  key?: string;
  signal?: AbortSignal;
}

const RETRY_DELAYS_MS = [400, 1500, 4000];

export function newKey(): string {
  return randomBase32(26);
}

/** Crockford base 32 from the browser's secure random source; also usable as the tail of an id. */
export function randomBase32(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[byte & 31]).join("");
}

export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const repeatable = method === "GET" || options.key !== undefined;
  for (let attempt = 0; ; attempt += 1) {
    const response = await send(method, path, options);
    const delay = RETRY_DELAYS_MS[attempt];
    const lost = response === null || response.status === 502 || response.status === 504;
    if (lost && repeatable && delay !== undefined) {
      await pause(delay * (0.75 + Math.random() / 2), options.signal);
      continue;
    }
    if (response === null) throw offline();
    if (!response.ok) throw await problemOf(response);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
}

async function send(method: string, path: string, options: RequestOptions): Promise<Response | null> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.key !== undefined) headers["Idempotency-Key"] = options.key;
  const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;
  try {
    return await fetch(path, init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  }
}

/** Read at each use: opening a workspace in another tab may have changed it. */
export function csrfToken(): string {
  const match = /(?:^|;\s*)(?:__Host-|__Secure-)?csrftoken=([^;]+)/.exec(document.cookie);
  if (match?.[1]) return decodeURIComponent(match[1]);
  return document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
