import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readPlan } from '../load-program.ts'
import type { HostilePlan } from './plan.ts'

/** One tenant that uses everything it may, at once, until it is told to stop. */
const plan = readPlan<HostilePlan>()
const target = new URL(plan.apiUrl)
const counts: Record<string, number> = {}
const sockets = new Set<Socket>()
// A stranger has a machine of its own: its program takes only what the server's processes leave of this one.
setPriority(constants.priority.PRIORITY_LOW)
const state = { isOver: false }
process.once('message', () => {
  state.isOver = true
})

const JSON_TYPE = { 'content-type': 'application/json' }
const CONNECTIONS = '/api/company-data/connections?limit=500'
const FILE = `/api/contact-data/${plan.fileFieldId}/file`
const GIVE_UP_MS = 60_000
const REOPEN_MS = 11_000
const RESTED_MS = 200
const BODY = Buffer.from(`{"value":"${'x'.repeat(plan.bodyBytes)}"}`)

await Promise.all([
  ...repeat(plan.callsInFlight, publish),
  ...repeat(plan.bodiesInFlight, (number) => (number % 2 === 0 ? sendBody() : holdBody())),
  ...repeat(plan.pagesInFlight, readPage),
  ...repeat(plan.unreadDownloads, () => leaveOpen('download', REOPEN_MS, requestOf(FILE))),
  ...repeat(plan.slowReaders, readSlowly),
  ...repeat(plan.halfOpen, () => leaveOpen('half_open', REOPEN_MS, 'GET /api/company-data/whoami HTTP/1.1\r\nHo')),
])
for (const socket of sockets) socket.destroy()
process.send?.(counts, () => process.exit(0))

/** So many loops, each of which does its act again and again. */
function repeat(times: number, act: (number: number) => Promise<void>): readonly Promise<void>[] {
  return Array.from({ length: times }, async (_, number) => {
    while (!state.isOver) await act(number)
  })
}

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

async function send(what: string, path: string, token: string, init: RequestInit = {}): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) }
    const signal = AbortSignal.timeout(GIVE_UP_MS)
    const answer = await fetch(`${plan.apiUrl}${path}`, { ...init, headers, signal })
    for await (const _chunk of answer.body ?? []) if (state.isOver) break
    count(`${what}_${answer.status}`)
    if (answer.status === 429 || answer.status === 503) await pause(RESTED_MS)
  } catch {
    count(`${what}_broken`)
    await pause(RESTED_MS)
  }
}

/** Each waits for the lock of the same service. */
function publish(number: number): Promise<void> {
  if (number % 2 === 0) {
    const body = JSON.stringify({ display_name: `Hostile ${number}` })
    return send('call', '/api/profile', plan.portalToken, { method: 'PUT', body, headers: JSON_TYPE })
  }
  const body = JSON.stringify({ config_token: plan.configToken, request_fields: [] })
  return send('call', '/api/company-data/request-fields', plan.dataToken, { method: 'PUT', body, headers: JSON_TYPE })
}

function sendBody(): Promise<void> {
  const path = `/api/contact-data/${plan.fileFieldId}`
  return send('body', path, plan.portalToken, { method: 'PUT', body: BODY, headers: JSON_TYPE })
}

/** Sends all of a body but its last byte. */
function holdBody(): Promise<void> {
  const head = `PUT /api/contact-data/${plan.fileFieldId} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const length = `Content-Length: ${BODY.length + 1}\r\nAuthorization: Bearer ${plan.portalToken}\r\n\r\n`
  return leaveOpen('held_body', REOPEN_MS, `${head}${length}`, BODY)
}

async function readPage(number: number): Promise<void> {
  const accept = number % 2 === 0 ? 'application/json' : 'application/xml'
  const query = number % 4 < 2 ? '&offset=0' : ''
  await send('page', `${CONNECTIONS}${query}`, plan.dataToken, { headers: { accept } })
}

function requestOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${plan.portalToken}\r\n\r\n`
}

/** A connection that sends this and reads nothing, for a while. */
async function leaveOpen(what: string, forMs: number, ...parts: readonly (string | Buffer)[]): Promise<void> {
  const socket = open(...parts)
  count(what)
  for (let waited = 0; waited < forMs && !state.isOver && !socket.destroyed; waited += RESTED_MS) await pause(RESTED_MS)
  close(socket)
}

async function readSlowly(): Promise<void> {
  const socket = open(requestOf(FILE))
  count('slow_reader')
  while (!state.isOver && !socket.destroyed && !socket.readableEnded) {
    socket.read(4096)
    await pause(RESTED_MS)
  }
  close(socket)
}

function open(...parts: readonly (string | Buffer)[]): Socket {
  const socket = connect({ host: target.hostname, port: Number(target.port) })
  sockets.add(socket)
  socket.pause()
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  return socket
}

function close(socket: Socket): void {
  sockets.delete(socket)
  socket.destroy()
}
