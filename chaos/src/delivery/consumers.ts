import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { SiteService } from '../roles/services.ts'
import type { Arrival } from './balance.ts'

/** A backend that pulls the plain channel of one service, always with an attempt id. */
export interface Consumer {
  readonly service: number
  readonly arrivals: readonly Arrival[]
  readonly counts: { pages: number; cut: number; aborted: number; unanswered: number; refused: number }
  /** Drains until nothing waits. */
  end(): Promise<void>
}

/** Whether the caller reads the answer, closes the connection during the answer, or before it. */
type Reading = 'whole' | 'cut' | 'abort'

interface Page {
  readonly changes: readonly { readonly id: string }[]
  readonly has_more: boolean
}

const PAUSE_MS = 300
const RETRY_MS = 150
const DEADLINE_MS = 20_000
const EMPTY_POLLS_AT_END = 3
const BREAK_RATE = 0.25
const LIMITS = [20, 100, 250, 500]

/** Consumers with an odd number close a part of their own connections before or during the answer. */
export function startConsumer(service: SiteService, apiUrl: string): Consumer {
  const run = { isEnding: false }
  const arrivals: Arrival[] = []
  const counts = { pages: 0, cut: 0, aborted: 0, unanswered: 0, refused: 0 }
  const follow = async (): Promise<void> => {
    for (let attempt = 0, empty = 0; !run.isEnding || empty < EMPTY_POLLS_AT_END; attempt += 1) {
      const limit = LIMITS[attempt % LIMITS.length] ?? 100
      const path = `/api/company-data/changes?limit=${limit}&attempt_id=${service.number}-${attempt}`
      const page = await fetchPage(`${apiUrl}${path}`, service, counts)
      const atMs = Date.now()
      counts.pages += 1
      arrivals.push(...page.changes.map(({ id }) => ({ id, atMs, outcome: 'taken' as const, page: attempt })))
      empty = run.isEnding && page.changes.length === 0 ? empty + 1 : 0
      if (!page.has_more) await pause(PAUSE_MS)
    }
  }
  const running = follow()
  return {
    service: service.number,
    arrivals,
    counts,
    async end() {
      run.isEnding = true
      await running
    },
  }
}

/** Repeats the attempt until a whole answer arrives. */
async function fetchPage(url: string, service: SiteService, counts: Consumer['counts']): Promise<Page> {
  for (;;) {
    const reading = pickReading(service)
    if (reading === 'cut') counts.cut += 1
    if (reading === 'abort') counts.aborted += 1
    const answer = await send(url, service.dataToken, reading)
    if (answer !== null && answer.status === 200) return readPage(answer.text)
    if (answer !== null) counts.refused += 1
    else if (reading === 'whole') counts.unanswered += 1
    await pause(RETRY_MS)
  }
}

function pickReading({ number }: SiteService): Reading {
  if (number % 2 === 0 || Math.random() > BREAK_RATE) return 'whole'
  return Math.random() < 0.5 ? 'cut' : 'abort'
}

interface Answered {
  readonly status: number
  readonly text: string
}

function send(url: string, token: string, reading: Reading): Promise<Answered | null> {
  return new Promise((resolve) => {
    const request = get(url, { headers: { authorization: `Bearer ${token}` }, timeout: DEADLINE_MS }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (reading === 'cut') request.destroy()
      })
      answer.once('end', () => {
        if (reading !== 'whole') resolve(null)
        else resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      })
      answer.on('error', () => {})
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
    request.once('close', () => resolve(null))
    if (reading === 'abort') setTimeout(() => request.destroy(), Math.random() * 40)
  })
}

function readPage(text: string): Page {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  return JSON.parse(text) as Page
}
