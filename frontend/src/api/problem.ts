/** Every refusal and failure as one error type. `code` is the contract's, or `offline` when no answer came. */

import type { ProblemBody, Conflict } from "./types";

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly errors: ProblemBody["errors"];
  /** Seconds to wait, from Retry-After. */
  readonly retryAfter: number | null;

  constructor(body: Partial<ProblemBody> & { code: string }, retryAfter: number | null = null) {
    super(body.detail || body.title || "Something went wrong.");
    this.name = "Problem";
    this.status = body.status ?? 0;
    this.code = body.code;
    this.details = body.details ?? {};
    this.errors = body.errors ?? [];
    this.retryAfter = retryAfter;
  }

  get conflicts(): Conflict[] {
    const entries = this.details["conflicts"];
    return Array.isArray(entries) ? (entries as Conflict[]) : [];
  }
}

export const offline = (): Problem =>
  new Problem({ code: "offline", detail: "CareerVector cannot be reached right now. Nothing was lost." });

/** The problem in an answer that is not 2xx; an answer that is no problem document becomes one by its status. */
export async function problemOf(response: Response): Promise<Problem> {
  const seconds = Number(response.headers.get("Retry-After"));
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  let body: unknown = null;
  try {
    body = await response.json();
  } catch {
    // A proxy's error page is not JSON; the status says enough.
  }
  if (isProblemBody(body)) return new Problem(body, retryAfter);
  return new Problem({ code: `http_${response.status}`, status: response.status, detail: plain(response.status) }, retryAfter);
}

function isProblemBody(body: unknown): body is ProblemBody {
  return typeof body === "object" && body !== null && typeof (body as ProblemBody).code === "string";
}

function plain(status: number): string {
  if (status >= 500) return "The server could not answer. Please try again in a moment.";
  return `The server refused this (${status}).`;
}

/** What a person should read about any thrown thing: the message, then what is wrong with which field. */
export function describe(error: unknown): string {
  if (!(error instanceof Problem)) return "Something went wrong in this page. Reload it and try again.";
  if (error.code === "rate_limited" && error.retryAfter !== null) {
    return `Too many requests. Try again in ${error.retryAfter} s.`;
  }
  const flaws = error.errors.map((flaw) => flaw.message).filter((message) => message && message !== error.message);
  return [error.message, ...new Set(flaws)].join(" ");
}
