import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { SiteService } from '../roles/services.ts'
import type { Arrival } from './ledger.ts'

/** A backend that pulls the plain channel of one service, always under an attempt's name. */
export interface Consumer {
  readonly service: number
  readonly arrivals: readonly Arrival[]
  readonly counts: { pages: number; cut: number; aborted: number; unanswered: number; refused: number }
  /** Drains until nothing waits any more. */
  end(): Promise<void>
}

/** How a call is treated by its own caller. */
type Treatment = 'whole' | 'cut' | 'abort'

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

/** Odd ones break a part of their own calls, by leaving before the answer and in its midst. */
export function startConsumer(service: SiteService, apiUrl: string): Consumer {
  const run = { isEnding: false }
  const arrivals: Arrival[] = []
  const counts = { pages: 0, cut: 0, aborted: 0, unanswered: 0, refused: 0 }
  const follow = async (): Promise<void> => {
    for (let attempt = 0, empty = 0; !run.isEnding || empty < EMPTY_POLLS_AT_END; attempt += 1) {
      const limit = LIMITS[attempt % LIMITS.length] ?? 100
      const path = `/api/company-data/changes?limit=${limit}&attempt_id=${service.number}-${attempt}`
      const page = await demandPage(`${apiUrl}${path}`, service, counts)
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

/** The same attempt again and again until its answer is here as a whole. */
async function demandPage(url: string, service: SiteService, counts: Consumer['counts']): Promise<Page> {
  for (;;) {
    const treatment = treat(service)
    if (treatment === 'cut') counts.cut += 1
    if (treatment === 'abort') counts.aborted += 1
    const answer = await ask(url, service.dataToken, treatment)
    if (answer !== null && answer.status === 200) return readPage(answer.text)
    if (answer !== null) counts.refused += 1
    else if (treatment === 'whole') counts.unanswered += 1
    await pause(RETRY_MS)
  }
}

function treat({ number }: SiteService): Treatment {
  if (number % 2 === 0 || Math.random() > BREAK_RATE) return 'whole'
  return Math.random() < 0.5 ? 'cut' : 'abort'
}

interface Answered {
  readonly status: number
  readonly text: string
}

function ask(url: string, token: string, treatment: Treatment): Promise<Answered | null> {
  return new Promise((resolve) => {
    const request = get(url, { headers: { authorization: `Bearer ${token}` }, timeout: DEADLINE_MS }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (treatment === 'cut') request.destroy()
      })
      answer.once('end', () => {
        if (treatment !== 'whole') resolve(null)
        else resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      })
      answer.on('error', () => {})
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
    request.once('close', () => resolve(null))
    if (treatment === 'abort') setTimeout(() => request.destroy(), Math.random() * 40)
  })
}

function readPage(text: string): Page {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  return JSON.parse(text) as Page
}
