import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { constants, setPriority } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { readPlan } from '../load-program.ts'
import { type Kind, kindOf, type ServersPlan } from './plan.ts'

/** The servers of plugins, by the host that a request is for, until it is told to stop. */
const plan = readPlan<ServersPlan>()
const MEGABYTE = 1024 * 1024
const DRIP_MS = 50
const counts: Record<string, number> = {}
const JSON_TYPE = { 'content-type': 'application/json' }
const HUGE = Buffer.alloc(10 * MEGABYTE, 'a')
const CHUNK = Buffer.alloc(64 * 1024, 'a')
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
// A stranger has a machine of its own: its server takes only what the others leave of this one.
if (plan.role === 'hostile') setPriority(constants.priority.PRIORITY_LOW)

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const reply = (text: string): Answer => {
  const body = JSON.stringify({ reply: text })
  return (_request, response) => void response.writeHead(200, JSON_TYPE).end(body)
}

const answers: Readonly<Record<Kind, Answer>> = {
  huge: (_request, response) => void response.writeHead(200, JSON_TYPE).end(HUGE),
  // One byte at a time: each arrives in time, the answer never does.
  slow(_request, response) {
    response.writeHead(200, JSON_TYPE)
    const timer = setInterval(() => response.write('a'), DRIP_MS)
    response.once('close', () => clearInterval(timer))
  },
  async endless(_request, response) {
    response.writeHead(200, JSON_TYPE)
    // It ends when the other side hangs up.
    await pipeline(repeat(CHUNK), response).catch(() => {})
  },
  malformed: (_request, response) => void response.writeHead(200, JSON_TYPE).end(DEEP),
  redirecting: (_request, response) => void response.writeHead(307, { location: 'https://10.0.0.7/call' }).end(),
  'wrong-key': reply(plan.foreignReply),
  replaying: reply(plan.reply),
  // Says that its key has changed, and then has a description of 10 MB.
  manifest(request, response) {
    if (request.url !== '/call') return void response.writeHead(200, JSON_TYPE).end(HUGE)
    response.writeHead(409, JSON_TYPE).end(JSON.stringify({ error: 'key_unknown' }))
  },
  rebinding: reply(plan.reply),
}

function* repeat(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk
}

const honest = reply(plan.reply)

const server = createServer({ cert: plan.certificate, key: plan.key }, (request, response) => {
  const kind = kindOf(request.headers.host ?? '')
  if (kind !== null) counts[kind] = (counts[kind] ?? 0) + 1
  response.on('error', () => {})
  request.resume().once('end', () => void (kind === null ? honest : answers[kind])(request, response))
})
server.on('clientError', (_error, socket) => void socket.destroy())
server.listen(plan.port, '127.0.0.1')
process.once('message', () => process.send?.(counts, () => process.exit(0)))
