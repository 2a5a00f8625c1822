import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveSocket, type SocketState } from "../../src/live/socket";

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(code = 1005): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let states: SocketState[] = [];
let handled: unknown[] = [];
let live: LiveSocket;
let attempt = 0;

const newest = (): FakeSocket => FakeSocket.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  states = [];
  handled = [];
  attempt = 0;
  live = new LiveSocket({
    address: () => `ws://x/?try=${(attempt += 1)}`,
    onMessage: (message) => void handled.push(message),
    onState: (state) => states.push(state),
  });
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a lost connection is tried again, and the address is asked for anew", async () => {
  newest().open();
  newest().close(1006);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(FakeSocket.all.map((socket) => socket.address)).toEqual(["ws://x/?try=1", "ws://x/?try=2"]);
  expect(states).toEqual(["connecting", "open", "waiting", "connecting"]);
});

test("the pauses between attempts grow and stay bounded", async () => {
  for (let round = 0; round < 12; round += 1) {
    newest().close(1006);
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(FakeSocket.all.length).toBe(13);
  newest().close(1006);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(FakeSocket.all.length).toBe(13);
});

test.each([4401, 4403, 4404, 4410])("after %i nothing is tried any more", async (code) => {
  newest().open();
  newest().close(code);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(FakeSocket.all.length).toBe(1);
  expect(states.at(-1)).toBe("closed");
});

test("a connection that falls silent is given up", async () => {
  newest().open();
  await vi.advanceTimersByTimeAsync(40_000);
  newest().say({ type: "heartbeat" });
  await vi.advanceTimersByTimeAsync(40_000);
  expect(FakeSocket.all.length).toBe(1);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(FakeSocket.all.length).toBe(2);
});

test("a slow handler does not let later messages overtake earlier ones", async () => {
  live.close();
  const order: string[] = [];
  live = new LiveSocket({
    address: () => "ws://x/",
    onMessage: async (message) => {
      if (message["n"] === 1) await new Promise((resolve) => setTimeout(resolve, 50));
      order.push(String(message["n"]));
    },
    onState: () => undefined,
  });
  newest().open();
  for (const n of [1, 2, 3]) newest().say({ n });
  await vi.advanceTimersByTimeAsync(100);
  expect(order).toEqual(["1", "2", "3"]);
});

test("a message that cannot be read does not end the rest", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  newest().open();
  newest().onmessage?.({ data: "{not json" });
  newest().say({ n: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(handled).toEqual([{ n: 1 }]);
  expect(warn).toHaveBeenCalledOnce();
});

test("closing ends it", async () => {
  newest().open();
  live.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(FakeSocket.all.length).toBe(1);
});
