import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitUntil } from './engines/wait-until.ts'

export interface SinkSms {
  readonly id: string
  readonly to: string
  readonly text: string
}

/** A gateway for text messages on loopback that keeps what it takes. */
export interface SmsSink {
  readonly url: string
  readonly taken: readonly SinkSms[]
  /** The `authorization` header of the last message. */
  readonly authorization: () => string | undefined
  /** The six digits in the newest message to this number; waits until there is one. */
  waitForCode(number: string): Promise<string>
  /** From now on messages are answered with this status. */
  answerWith(status: number): void
  close(): Promise<void>
}

const DEADLINE_MS = 10_000

export async function startSmsSink(): Promise<SmsSink> {
  const taken: SinkSms[] = []
  let authorization: string | undefined
  let status = 200
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      authorization = request.headers.authorization
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test compares what came
      if (status < 300) taken.push(JSON.parse(body) as SinkSms)
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const newestTo = (number: string): string | undefined => taken.findLast(({ to }) => to === number)?.text
  return {
    url: `http://127.0.0.1:${port}/send`,
    taken,
    authorization: () => authorization,
    async waitForCode(number) {
      await waitUntil(`a message to ${number} came`, DEADLINE_MS, async () => newestTo(number) !== undefined)
      return /\b\d{6}\b/.exec(newestTo(number) ?? '')?.[0] ?? ''
    },
    answerWith(next) {
      status = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
