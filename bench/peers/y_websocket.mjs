// The reference server of y-websocket, in memory, on a port of its own: `node y_websocket.mjs PORT`.
import http from 'node:http'
import { WebSocketServer } from 'ws'
import { setupWSConnection } from '@y/websocket-server/utils'

const server = http.createServer((_request, response) => response.end('ok'))
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', setupWSConnection)
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'))
