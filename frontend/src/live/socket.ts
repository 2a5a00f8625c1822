/**
 * A socket that stays: reconnects with growing, jittered pauses, notices a silent peer, and handles one message at a
 * time. Messages are queued behind the handler, because an asynchronous handler would otherwise let the end of an
 * answer overtake its middle.
 */

export type SocketState = "connecting" | "open" | "waiting" | "closed";

export interface SocketOptions {
  /** Asked at each attempt: the address carries where to resume. */
  address: () => string;
  onMessage: (message: Record<string, unknown>) => void | Promise<void>;
  onState: (state: SocketState, closeCode: number | null) => void;
  onOpen?: (send: (message: unknown) => void) => void;
}

// Codes after which another attempt cannot succeed: link gone, not allowed, not found, erased.
const FINAL_CODES = new Set([4401, 4403, 4404, 4410]);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
const STABLE_MS = 5_000;
// The server says something every 20 s; a connection that says nothing for longer is dead, though nobody closed it.
const SILENCE_MS = 50_000;

export class LiveSocket {
  private readonly options: SocketOptions;
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private openedAt = 0;
  private stopped = false;
  private queue: Promise<void> = Promise.resolve();
  private readonly wake = (): void => this.retryNow();

  constructor(options: SocketOptions) {
    this.options = options;
    addEventListener("online", this.wake);
    this.connect();
  }

  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.stopped = true;
    removeEventListener("online", this.wake);
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    this.socket?.close(1000);
    this.socket = null;
  }

  /** Drop this connection and start again at once: used when messages turn out to be missing. */
  reconnect(): void {
    this.socket?.close(1000);
  }

  private retryNow(): void {
    if (this.stopped || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  }

  private connect(): void {
    this.options.onState("connecting", null);
    const socket = new WebSocket(this.options.address());
    this.socket = socket;
    this.awaitWord(socket);
    socket.onopen = () => {
      this.openedAt = Date.now();
      this.options.onState("open", null);
      this.options.onOpen?.((message) => this.send(message));
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      this.awaitWord(socket);
      if (typeof event.data !== "string") return;
      const text = event.data;
      this.queue = this.queue
        .then(() => (this.socket === socket ? this.options.onMessage(JSON.parse(text) as Record<string, unknown>) : undefined))
        .catch((error: unknown) => {
          // A message that this page cannot read must not end the connection for those that it can.
          console.warn("A live message could not be handled.", error);
        });
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.closed(event.code);
    };
  }

  private awaitWord(socket: WebSocket): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      if (this.socket !== socket) return;
      // Closing a dead connection takes its time; the next attempt does not wait for it.
      this.closed(1006);
      socket.close();
    }, SILENCE_MS);
  }

  private closed(code: number): void {
    this.socket = null;
    clearTimeout(this.watchdog);
    if (this.stopped) return;
    if (FINAL_CODES.has(code)) {
      this.stopped = true;
      this.options.onState("closed", code);
      return;
    }
    if (this.openedAt && Date.now() - this.openedAt > STABLE_MS) this.failures = 0;
    this.openedAt = 0;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures) * (0.5 + Math.random());
    this.failures += 1;
    this.options.onState("waiting", code);
    this.timer = setTimeout(() => this.connect(), pause);
  }
}

export function socketAddress(path: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${path}`;
}
