import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

/** Answers every POST with 200 at once. `port` and `count` on stdin are answered with the port and the number of POSTs. */
let received = 0
const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    received += 1
    response.end()
  })
})
server.keepAliveTimeout = 60_000
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : null
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${line === 'port' ? port : received}\n`)
}
