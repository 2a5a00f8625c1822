/** The two requests that need no workspace yet: making one and opening one. */

import { request } from "./client";
import type { LinkRole } from "./types";

const SECRET = /cvl_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/;

export interface NewWorkspace {
  workspace: string;
  link: { id: string; secret: string; url: string; role: LinkRole };
}

/** The link's secret in whatever was pasted: the secret alone, the whole address, or a sentence around it. */
export function secretIn(text: string): string | null {
  return SECRET.exec(text)?.[0] ?? null;
}

export function createWorkspace(sample: boolean): Promise<NewWorkspace> {
  return request("POST", "/api/v1/workspaces", { body: { sample } });
}

export function openLink(link: string): Promise<{ workspace: string; role: LinkRole }> {
  return request("POST", "/api/v1/session", { body: { link } });
}
