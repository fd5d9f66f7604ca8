import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { markIn } from '../roles/events.ts'
import type { Arrival, Fault } from './ledger.ts'
import { makeTrouble, outcomeOf, type Trouble, TROUBLES } from './troubles.ts'

/** `moody` ones fail now and then in any way, `flaky` ones for a while at a time, `dead` ones always. */
export type Temper = 'good' | 'moody' | 'flaky' | 'dead'

export interface SeenArrival extends Arrival {
  outcome: Arrival['outcome']
  /** What the body names; null where it is sealed, or tells a state at delivery. */
  readonly mark: string | null
}

/** The endpoints of all webhooks, each with its own temper. */
export interface Receivers {
  url(hook: number): string
  /** What came to one webhook, in order. */
  arrivals(hook: number): readonly SeenArrival[]
  readonly counts: ReceiverCounts
  /** Second POSTs of a webhook while the first was open: when the first came, and when the second. */
  readonly overlaps: readonly Fault[]
  /** How often each trouble was made. */
  readonly troubles: ReadonlyMap<Trouble, number>
  /** From now on all but the dead ones answer well. */
  calm(): void
  close(): Promise<void>
}

interface ReceiverCounts {
  requests: number
  badSignatures: number
}

export interface ReceiverOptions {
  readonly tempers: readonly Temper[]
  /** Of a moody one per request. */
  readonly troubleRate: number
}

const SPELL_MS = 5000
const SPELLS_EVERY_MS = 45_000
const SLOW_RATE = 0.01
const SLOW_MS = 1500

export function secretOf(hook: number): string {
  return `the-secret-of-webhook-${hook}`
}

export async function openReceivers({ tempers, troubleRate }: ReceiverOptions): Promise<Receivers> {
  const books = tempers.map((): SeenArrival[] => [])
  const open = watchOpen()
  const counts: ReceiverCounts = { requests: 0, badSignatures: 0 }
  const troubles = new Map<Trouble, number>()
  let isCalm = false
  const choose = (hook: number): Trouble | null => {
    const temper = tempers[hook]
    if (temper === 'dead') return hook % 2 === 0 ? 503 : 'hang'
    if (isCalm || temper === 'good') return null
    if (temper === 'flaky') return (Date.now() + 991 * hook) % SPELLS_EVERY_MS < SPELL_MS ? 500 : null
    return Math.random() < troubleRate ? anyTrouble(troubles) : null
  }
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, answer) => {
    const hook = Number(request.url?.split('/').at(-1))
    counts.requests += 1
    open.enter(hook, answer)
    request.on('error', () => {})
    void readBody(request).then((body) => {
      if (body === null) return
      if (!isSigned(request, hook, body)) counts.badSignatures += 1
      const trouble = choose(hook)
      if (trouble !== null) troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1)
      const id = String(request.headers['webhook-id'])
      const arrival: SeenArrival = {
        id,
        atMs: Date.now(),
        outcome: trouble === null ? 'unsure' : outcomeOf(trouble),
        mark: markIn(body),
      }
      books[hook]?.push(arrival)
      if (trouble === null) takeWell(answer, arrival)
      else makeTrouble(trouble, answer)
    })
  })
  // Every broken caller would be reported otherwise; they are killed on purpose here.
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: (hook) => `http://127.0.0.1:${port}/hook/${hook}`,
    arrivals: (hook) => books[hook] ?? [],
    counts,
    overlaps: open.overlaps,
    troubles,
    calm() {
      isCalm = true
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
    enter(hook: number, answer: ServerResponse): void {
      const nowMs = Date.now()
      const before = open.get(hook) ?? []
      for (const fromMs of before) overlaps.push({ fromMs, toMs: nowMs })
      open.set(hook, [...before, nowMs])
      answer.once('close', () => {
        const rest = open.get(hook) ?? []
        open.set(hook, rest.toSpliced(rest.indexOf(nowMs), 1))
      })
    },
  }
}

/** It counts as taken when the answer is out in whole; until then it is not known whether it will get there. */
function takeWell(answer: ServerResponse, arrival: SeenArrival): void {
  answer.once('finish', () => {
    arrival.outcome = 'taken'
  })
  if (Math.random() < SLOW_RATE) setTimeout(() => answer.end('ok'), Math.random() * SLOW_MS).unref()
  else answer.end('ok')
}

/** The rare ones first: every way should happen in a run. */
function anyTrouble(made: ReadonlyMap<Trouble, number>): Trouble {
  const rarest = TROUBLES.toSorted((one, other) => (made.get(one) ?? 0) - (made.get(other) ?? 0))
  const pick = Math.random() < 0.5 ? 0 : Math.floor(Math.random() * rarest.length)
  return rarest[pick] ?? 500
}

function isSigned({ headers }: IncomingMessage, hook: number, body: string): boolean {
  const signature = headers['x-platform-signature']
  if (signature === undefined) return true
  return signature === createHmac('sha256', secretOf(hook)).update(body).digest('hex')
}

/** Null when the caller went away before its end. */
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
