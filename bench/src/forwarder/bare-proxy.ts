import { createServer, type IncomingMessage } from 'node:http'
import { Pool } from 'undici'

/**
 * The same hop without the product: takes a call, sends its question to the plugin over kept TLS connections and answers
 * with the reply. No pass, no limit, no check of address or sizes, no log.
 */
const { PORT = '0', PLUGIN_URL = '' } = process.env
const pool = new Pool(PLUGIN_URL, { pipelining: 1 })

async function carry(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) if (chunk instanceof Buffer) chunks.push(chunk)
  const { request } = membersOf(Buffer.concat(chunks).toString())
  const { body } = await pool.request({
    method: 'POST',
    path: '/call',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request }),
  })
  const { reply } = membersOf(await body.text())
  return JSON.stringify({ reply })
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

createServer((incoming, response) => {
  void carry(incoming).then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
}).listen(Number(PORT), '127.0.0.1')
