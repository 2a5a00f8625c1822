/** What the assistant did lately, so that a card can say by whom it was last changed. */

import type { AuditEvent, LastEvent, WorkspaceDocument } from "../api/types";
import type { WorkspaceApi } from "../api/workspace_api";
import { Signal } from "./signal";

export class EventStore extends Signal {
  private readonly api: WorkspaceApi;
  private readonly byId = new Map<string, AuditEvent>();

  constructor(api: WorkspaceApi) {
    super();
    this.api = api;
  }

  async load(): Promise<void> {
    const page = await this.api.listEvents({ actor_class: "agent", limit: "100" });
    for (const event of page.items) this.put(event);
  }

  put(event: AuditEvent): void {
    this.byId.set(event.id, event);
    this.emit();
  }

  /** The event that changed the document last, if it is known here. */
  lastOf(document: WorkspaceDocument): LastEvent | undefined {
    const last = document.last_event;
    return typeof last === "string" ? this.byId.get(last) : (last ?? undefined);
  }
}
