import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { recordingTelemetry } from '@sealpost/telemetry'
import { SOCKET_LIMITS, watchSockets } from '../sockets.ts'

/**
 * Runs in a network of its own, whose addresses it may choose. Each argument is an address that connects and stays; prints
 * for each whether the server kept it.
 */
const addresses = process.argv.slice(2)
const server = createServer((_, response) => response.end())
watchSockets(server, { ...SOCKET_LIMITS, maxPerAddress: 2 }, [], recordingTelemetry())
server.listen(0, '::')
await once(server, 'listening')
const bound = server.address()
const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0
const kept: boolean[] = []
for (const localAddress of addresses) {
  const socket = connect({ host: localAddress, port, localAddress })
  // An answer shows that the connection was kept, its end that it was not.
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  kept.push(await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]))
}
process.stdout.write(JSON.stringify(kept), () => process.exit(0))
