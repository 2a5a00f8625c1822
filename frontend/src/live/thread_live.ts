/** A thread's socket: events after the last one seen. A gap makes it connect again, which replays what is missing. */

import type { ThreadEvent } from "../api/types";
import { LiveSocket, socketAddress, type SocketState } from "./socket";

export interface ThreadLiveHandlers {
  /** The last `seq` that the page has. */
  seq(): number;
  /** False when events before this one are missing. */
  onEvent(event: ThreadEvent): boolean;
  onState(state: SocketState, closeCode: number | null): void;
}

export class ThreadLive {
  private readonly socket: LiveSocket;

  constructor(workspace: string, thread: string, handlers: ThreadLiveHandlers) {
    const path = `/ws/workspaces/${encodeURIComponent(workspace)}/threads/${encodeURIComponent(thread)}/`;
    this.socket = new LiveSocket({
      address: () => socketAddress(`${path}?after=${handlers.seq()}`),
      onMessage: (message) => {
        const event = eventOf(message);
        if (event && !handlers.onEvent(event)) this.socket.reconnect();
      },
      onState: handlers.onState,
    });
  }

  close(): void {
    this.socket.close();
  }
}

function eventOf(message: Record<string, unknown>): ThreadEvent | null {
  const candidate = (message["type"] === "event" ? message["event"] : message) as ThreadEvent;
  return typeof candidate?.seq === "number" && typeof candidate.kind === "string" ? candidate : null;
}
