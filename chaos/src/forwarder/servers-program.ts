import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { constants, setPriority } from 'node:os'
import { readPlan } from '../load-program.ts'
import { hostOf, type Kind, type ServersPlan } from './plan.ts'

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
if (plan.role === 'hostile') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

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
    while (!response.destroyed)
      if (!response.write(CHUNK)) await Promise.race([once(response, 'drain'), once(response, 'close')])
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

const byHost = new Map<string, Answer>(Object.entries(answers).map(([kind, answer]) => [hostOf(kind), answer]))
const honest = reply(plan.reply)

const server = createServer({ cert: plan.certificate, key: plan.key }, (request, response) => {
  const host = request.headers.host ?? ''
  counts[host] = (counts[host] ?? 0) + 1
  response.on('error', () => {})
  request.resume().once('end', () => void (byHost.get(host) ?? honest)(request, response))
})
server.on('clientError', (_error, socket) => void socket.destroy())
server.listen(plan.port, '127.0.0.1')
process.once('message', () => process.send?.(counts, () => process.exit(0)))
