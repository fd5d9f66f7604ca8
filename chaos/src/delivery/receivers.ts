import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { markIn } from '../roles/events.ts'
import type { Arrival, Fault } from './balance.ts'
import { failWith, outcomeOf, type FailureMode, FAILURE_MODES } from './failure-modes.ts'

/** `erratic` receivers fail at random in any mode, `flapping` ones for seconds at a time, `down` ones always. */
export type Behaviour = 'healthy' | 'erratic' | 'flapping' | 'down'

export interface SeenArrival extends Arrival {
  outcome: Arrival['outcome']
  /** The mark in the body; null where the body is sealed or was rendered at delivery. */
  readonly mark: string | null
}

/** The endpoints of all webhooks. */
export interface Receivers {
  url(webhook: number): string
  /** In order. */
  arrivals(webhook: number): readonly SeenArrival[]
  readonly counts: ReceiverCounts
  /** POSTs to a webhook while another one was open: from the start of the first to the start of the second. */
  readonly overlaps: readonly Fault[]
  /** How often each mode was used. */
  readonly failures: ReadonlyMap<FailureMode, number>
  /** From now on all but the ones that are down answer 200. */
  recover(): void
  close(): Promise<void>
}

interface ReceiverCounts {
  requests: number
  badSignatures: number
}

export interface ReceiverOptions {
  readonly behaviours: readonly Behaviour[]
  /** The share of requests that an erratic receiver fails. */
  readonly failureRate: number
}

const FLAP_MS = 5000
const FLAP_EVERY_MS = 45_000
const SLOW_RATE = 0.01
const SLOW_MS = 1500

export function secretOf(webhook: number): string {
  return `the-secret-of-webhook-${webhook}`
}

export async function openReceivers({ behaviours, failureRate }: ReceiverOptions): Promise<Receivers> {
  const recorded = behaviours.map((): SeenArrival[] => [])
  const open = watchOpen()
  const counts: ReceiverCounts = { requests: 0, badSignatures: 0 }
  const failures = new Map<FailureMode, number>()
  let isRecovered = false
  const choose = (webhook: number): FailureMode | null => {
    const behaviour = behaviours[webhook]
    if (behaviour === 'down') return webhook % 2 === 0 ? 503 : 'hang'
    if (isRecovered || behaviour === 'healthy') return null
    if (behaviour === 'flapping') return (Date.now() + 991 * webhook) % FLAP_EVERY_MS < FLAP_MS ? 500 : null
    return Math.random() < failureRate ? pickMode(failures) : null
  }
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, answer) => {
    const webhook = Number(request.url?.split('/').at(-1))
    counts.requests += 1
    open.enter(webhook, answer)
    request.on('error', () => {})
    void readBody(request).then((body) => {
      if (body === null) return
      if (!isSigned(request, webhook, body)) counts.badSignatures += 1
      const mode = choose(webhook)
      if (mode !== null) failures.set(mode, (failures.get(mode) ?? 0) + 1)
      const id = String(request.headers['webhook-id'])
      const arrival: SeenArrival = {
        id,
        atMs: Date.now(),
        outcome: mode === null ? 'unsure' : outcomeOf(mode),
        mark: markIn(body),
      }
      recorded[webhook]?.push(arrival)
      if (mode === null) answerOk(answer, arrival)
      else failWith(mode, answer)
    })
  })
  // Callers are killed on purpose; their broken connections are not reported.
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: (webhook) => `http://127.0.0.1:${port}/webhook/${webhook}`,
    arrivals: (webhook) => recorded[webhook] ?? [],
    counts,
    overlaps: open.overlaps,
    failures,
    recover() {
      isRecovered = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function watchOpen() {
  const open = new Map<number, number[]>()
  const overlaps: Fault[] = []
  return {
    overlaps,
    enter(webhook: number, answer: ServerResponse): void {
      const nowMs = Date.now()
      const before = open.get(webhook) ?? []
      for (const fromMs of before) overlaps.push({ fromMs, toMs: nowMs })
      open.set(webhook, [...before, nowMs])
      answer.once('close', () => {
        const rest = open.get(webhook) ?? []
        open.set(webhook, rest.toSpliced(rest.indexOf(nowMs), 1))
      })
    },
  }
}

/** The event counts as taken when the whole answer is written. */
function answerOk(answer: ServerResponse, arrival: SeenArrival): void {
  answer.once('finish', () => {
    arrival.outcome = 'taken'
  })
  if (Math.random() < SLOW_RATE) setTimeout(() => answer.end('ok'), Math.random() * SLOW_MS).unref()
  else answer.end('ok')
}

/** Prefers the mode used least, so that every mode occurs in a run. */
function pickMode(used: ReadonlyMap<FailureMode, number>): FailureMode {
  const leastUsed = FAILURE_MODES.toSorted((one, other) => (used.get(one) ?? 0) - (used.get(other) ?? 0))
  const pick = Math.random() < 0.5 ? 0 : Math.floor(Math.random() * leastUsed.length)
  return leastUsed[pick] ?? 500
}

function isSigned({ headers }: IncomingMessage, webhook: number, body: string): boolean {
  const signature = headers['x-platform-signature']
  if (signature === undefined) return true
  return signature === createHmac('sha256', secretOf(webhook)).update(body).digest('hex')
}

/** Null when the caller closed the connection before the end. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a request without an encoding gives buffers
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return request.complete ? Buffer.concat(chunks).toString('utf8') : null
  } catch {
    return null
  }
}
