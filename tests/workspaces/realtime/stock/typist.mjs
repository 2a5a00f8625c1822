// A client as anybody would write it with Yjs and its stock WebSocket provider, led by the test that started it.
//
// Standard input, a JSON object a line: first {"server", "room", "link"}, then {"do": …}. Each is answered by one line:
// what this client sees. y-websocket cannot be given a header in Node, but it takes the class of its sockets: `ws` can.

import { createInterface } from "node:readline";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

const doc = new Y.Doc();
let provider;
let closed = null;

function connect({ server, room, link, params = {} }) {
  class WithLink extends WebSocket {
    constructor(address, protocols) {
      super(address, protocols, { headers: { Authorization: `Bearer ${link}` } });
    }
  }
  provider = new WebsocketProvider(server, room, doc, {
    WebSocketPolyfill: WithLink,
    params,
    disableBc: true,
    maxBackoffTime: 400,
  });
  provider.on("connection-close", (event) => (closed = event?.code ?? null));
}

const textOf = (name) => doc.getMap("texts").get(name);

const actions = {
  look: () => undefined,
  insert: ({ text, at, content }) => textOf(text).insert(at, content),
  remove: ({ text, at, count }) => textOf(text).delete(at, count),
  // One transaction, and so one update, a character.
  type: ({ text, content }) => [...content].forEach((character) => textOf(text).insert(textOf(text).length, character)),
  field: ({ name, value }) => doc.getMap("fields").set(name, value),
  state: ({ state }) => provider.awareness.setLocalState(state),
  connect: () => provider.connect(),
  disconnect: () => provider.disconnect(),
};

function seen() {
  const others = {};
  for (const [client, state] of provider.awareness.getStates()) if (client !== doc.clientID) others[client] = state;
  return {
    synced: provider.synced,
    connected: provider.wsconnected,
    closed,
    client: doc.clientID,
    texts: doc.getMap("texts").toJSON(),
    fields: doc.getMap("fields").toJSON(),
    others,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (provider) actions[order.do](order);
  else connect(order);
  console.log(JSON.stringify(seen()));
}
process.exit(0);
