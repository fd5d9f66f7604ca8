import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeHandler, openReceiver, type WebhookEvent } from '@sealpost/sdk/webhooks'

/** The endpoint of the clinic. */
export interface Endpoint {
  readonly url: string
  readonly taken: readonly WebhookEvent[]
  /** Set when the webhook is created. */
  expect(secret: string): Promise<void>
  isBroken: boolean
  close(): Promise<void>
}

export async function openEndpoint(): Promise<Endpoint> {
  const taken: WebhookEvent[] = []
  let handle: ReturnType<typeof nodeHandler> | null = null
  const server = createServer((request, response) => {
    if (endpoint.isBroken || handle === null) response.writeHead(503).end()
    else void handle(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/hook`,
    taken,
    isBroken: false,
    async expect(secret) {
      handle = nodeHandler(await openReceiver({ secrets: [secret], handle: (event) => void taken.push(event) }))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return endpoint
}
