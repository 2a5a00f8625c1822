// Many clients in one document that speak the y-protocols, and one of them types:
//   node crowd.mjs '{"port", "path", "bearer", "dialect": "y" | "hocuspocus", "text": ["map", "key"] | "name",
//                    "clients", "messages", "rate"}'
// `rate` 0 types as fast as the slowest client takes it; otherwise that many updates a second. One JSON line at the end:
// {"per_s", "p50_ms", "p95_ms", "delivered"}. Every update inserts "#" and a number of seven digits; the listeners count
// the marks in the bytes and decode nothing, so that it is the server that is measured.
import net from 'node:net'
import crypto from 'node:crypto'
import * as Y from 'yjs'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { readSyncMessage, writeSyncStep1, writeUpdate } from 'y-protocols/sync'

const plan = JSON.parse(process.argv[2])
const WINDOW = 150
const HASH = 35
const SYNC = 0
const DOCUMENT = 'measured'
const now = () => performance.now()
const sentAt = new Float64Array(plan.messages)
const delays = []

/** The start of a message in the server's dialect: Hocuspocus names the document first. */
const begin = () => {
  const encoder = encoding.createEncoder()
  if (plan.dialect === 'hocuspocus') encoding.writeVarString(encoder, DOCUMENT)
  return encoder
}

class Client {
  constructor (listening) {
    this.listening = listening
    this.marks = 0
    this.buffer = Buffer.alloc(0)
    this.open = false
    this.fragments = []
    this.synced = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject })
    this.socket = net.connect(plan.port, '127.0.0.1', () => {
      const lines = [
        `GET ${plan.path} HTTP/1.1`, `Host: 127.0.0.1:${plan.port}`, 'Upgrade: websocket', 'Connection: Upgrade',
        `Sec-WebSocket-Key: ${crypto.randomBytes(16).toString('base64')}`, 'Sec-WebSocket-Version: 13'
      ]
      if (plan.bearer) lines.push(`Authorization: Bearer ${plan.bearer}`)
      this.socket.write(lines.join('\r\n') + '\r\n\r\n')
    })
    this.socket.setNoDelay(true)
    this.socket.on('data', data => this.received(data))
    this.socket.on('error', error => this.reject(error))
    this.socket.on('close', () => this.reject(new Error('closed')))
  }

  send (payload, opcode = 2) {
    // A mask of zeros is a mask.
    const length = payload.length
    const head = length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | length, 0, 0, 0, 0])
      : Buffer.from([0x80 | opcode, 0x80 | 126, length >> 8, length & 255, 0, 0, 0, 0])
    this.socket.write(Buffer.concat([head, payload]))
  }

  received (data) {
    let buffer = this.buffer.length ? Buffer.concat([this.buffer, data]) : data
    if (!this.open) {
      const end = buffer.indexOf('\r\n\r\n')
      if (end < 0) { this.buffer = buffer; return }
      if (!buffer.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) throw new Error(`refused: ${buffer.subarray(0, 60)}`)
      this.open = true
      buffer = buffer.subarray(end + 4)
      this.greet()
    }
    let at = 0
    while (buffer.length - at >= 2) {
      let length = buffer[at + 1] & 127
      let head = 2
      if (length === 126) { if (buffer.length - at < 4) break; length = buffer.readUInt16BE(at + 2); head = 4 }
      else if (length === 127) { if (buffer.length - at < 10) break; length = Number(buffer.readBigUInt64BE(at + 2)); head = 10 }
      if (buffer.length - at < head + length) break
      const payload = buffer.subarray(at + head, at + head + length)
      const opcode = buffer[at] & 15
      if (opcode === 9) this.send(Buffer.from(payload), 10)
      else if (opcode === 8) throw new Error(`closed with ${payload.length >= 2 ? payload.readUInt16BE(0) : 'nothing'}`)
      else if (opcode === 1 || opcode === 2 || opcode === 0) this.frame(payload)
      at += head + length
    }
    this.buffer = Buffer.from(buffer.subarray(at))
  }

  greet () {
    if (plan.dialect === 'hocuspocus') {
      const auth = begin()
      encoding.writeVarUint(auth, 2)
      encoding.writeVarUint(auth, 0)
      encoding.writeVarString(auth, '')
      this.send(Buffer.from(encoding.toUint8Array(auth)))
    }
    const step = begin()
    encoding.writeVarUint(step, SYNC)
    writeSyncStep1(step, this.listening ? new Y.Doc() : doc)
    this.send(Buffer.from(encoding.toUint8Array(step)))
  }

  frame (payload) {
    if (this.greeted && this.listening) { this.count(payload); return }
    const decoder = decoding.createDecoder(payload)
    if (plan.dialect === 'hocuspocus') decoding.readVarString(decoder)
    if (decoding.readVarUint(decoder) !== SYNC) return
    const answer = begin()
    encoding.writeVarUint(answer, SYNC)
    const before = encoding.length(answer)
    const kind = readSyncMessage(decoder, answer, this.listening ? new Y.Doc() : doc, this)
    if (encoding.length(answer) > before) this.send(Buffer.from(encoding.toUint8Array(answer)))
    if (kind === 1) { this.greeted = true; this.resolve() }
  }

  count (payload) {
    for (let at = payload.indexOf(HASH); at >= 0; at = payload.indexOf(HASH, at + 1)) {
      const number = Number(payload.subarray(at + 1, at + 8).toString('latin1'))
      if (!(number < plan.messages)) continue
      this.marks += 1
      if (plan.rate) delays.push(now() - sentAt[number])
    }
  }
}

const doc = new Y.Doc()
const writer = new Client(false)
await writer.synced
const text = Array.isArray(plan.text) ? doc.getMap(plan.text[0]).get(plan.text[1]) : doc.getText(plan.text)
// What an earlier crowd typed: a text has its limit.
const left = text.length
doc.on('update', (update, origin) => {
  if (origin === writer) return
  const message = begin()
  encoding.writeVarUint(message, SYNC)
  writeUpdate(message, update)
  writer.send(Buffer.from(encoding.toUint8Array(message)))
})
if (left) text.delete(0, left)
const listeners = []
for (let index = 0; index < plan.clients; index++) {
  listeners.push(new Client(true))
  if (index % 20 === 19) await Promise.all(listeners.map(listener => listener.synced))
}
await Promise.all(listeners.map(listener => listener.synced))
await new Promise(resolve => setTimeout(resolve, 1000))

const slowest = () => Math.min(...listeners.map(listener => listener.marks))
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
const type = index => {
  sentAt[index] = now()
  text.insert(index % 4000 * 8, `#${String(index).padStart(7, '0')}`)
  // A page of text, typed over again: the document stays of one size.
  if (index % 4000 === 3999) text.delete(0, text.length)
}
const started = now()
for (let index = 0; index < plan.messages;) {
  if (plan.rate) {
    type(index++)
    const due = started + index * 1000 / plan.rate
    await pause(Math.max(0, due - now()))
  } else if (index - slowest() < WINDOW) {
    for (let many = 0; many < 10 && index < plan.messages; many++) type(index++)
    await new Promise(resolve => setImmediate(resolve))
  } else {
    await pause(1)
  }
}
const deadline = now() + 60_000
while (slowest() < plan.messages) {
  if (now() > deadline) throw new Error(`the slowest client has ${slowest()} of ${plan.messages}`)
  await pause(1)
}
const seconds = (now() - started) / 1000
delays.sort((a, b) => a - b)
const delivered = listeners.reduce((sum, listener) => sum + listener.marks, 0)
const at = share => delays.length ? delays[Math.floor(delays.length * share)] : 0
console.log(JSON.stringify({ delivered, per_s: delivered / seconds, p50_ms: at(0.5), p95_ms: at(0.95) }))
process.exit(0)
