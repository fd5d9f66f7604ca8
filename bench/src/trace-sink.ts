import { createServer } from 'node:http'
import { reservePort, type ScenarioContext } from '@sealpost/testkit'

/** Accepts traces like a collector, so that the cost of exporting them is measured. Returns its URL. */
export async function startTraceSink(context: ScenarioContext): Promise<string> {
  const { port } = await reservePort()
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  context.onEnd(async () => void server.close())
  return `http://127.0.0.1:${port}/v1/traces`
}
