import { request } from 'node:http'
import { type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { watchMemory } from '../pairs.ts'
import type { ForwarderSite } from './site.ts'

/** More than the budget of a process has room for: 64 MiB are some thousand questions of the largest size. */
const QUESTIONS = 1500
const DEADLINE_MS = 60_000

export interface Crowd {
  /** Questions that found no room. */
  readonly refused: number
  /** Questions whose plugin did not answer in time. */
  readonly unanswered: number
  /** Questions whose connection was reset. */
  readonly broken: number
  /** Questions with any other answer. */
  readonly unexpected: number
  readonly isUsable: boolean
  readonly rssMb: number
}

/**
 * The largest questions to plugins that do not answer, as many callers of many plugins could send them. All but the last
 * byte of each is sent first, so that those that the budget allows are in flight at once.
 */
export async function sendCrowd(context: ScenarioContext, site: ForwarderSite): Promise<Crowd> {
  const { url, pid } = await site.startUnlimited()
  const slow = site.hostile.filter(({ kind }) => kind === 'slow').map(({ id }) => id)
  const pass = await site.peer.pass('flow', [...slow, ...site.honest])
  const begin = (plugin: string, question: string): Begun =>
    beginCall(`${url}/call`, JSON.stringify({ pass, plugin_id: plugin, request: question }))
  const watched = watchMemory(pid)
  context.onEnd(async () => watched.stop())
  const crowd = Array.from({ length: QUESTIONS }, (_, number) =>
    begin(slow[number % slow.length] ?? '', site.longRequest),
  )
  await waitUntil('a question finds no room', DEADLINE_MS, () => crowd.some((call) => call.isAnswered()))
  await Promise.all(crowd.map(({ sent }) => sent))
  for (const call of crowd) call.end()
  const statuses = await Promise.all(crowd.map(({ status }) => status))
  const count = (...wanted: readonly number[]): number => statuses.filter((status) => wanted.includes(status)).length
  const after = begin(site.honest[0] ?? '', site.request)
  after.end()
  return {
    refused: count(503),
    unanswered: count(502),
    broken: count(0),
    unexpected: QUESTIONS - count(0, 502, 503),
    isUsable: (await after.status) === 200,
    rssMb: watched.mostMb(),
  }
}

interface Begun {
  /** Resolves when all but the last byte is on its way, or the call has ended. */
  readonly sent: Promise<unknown>
  /** 0 when the connection broke. */
  readonly status: Promise<number>
  isAnswered(): boolean
  end(): void
}

function beginCall(url: string, body: string): Begun {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const call = request(url, { method: 'POST', headers, agent: false, timeout: DEADLINE_MS })
  const { promise: status, resolve } = Promise.withResolvers<number>()
  const written = Promise.withResolvers<void>()
  let isAnswered = false
  call.once('timeout', () => call.destroy())
  call.once('error', () => resolve(0))
  call.once('response', (response) => {
    isAnswered = true
    resolve(response.statusCode ?? 0)
    response.resume()
  })
  call.write(body.slice(0, -1), () => written.resolve())
  return {
    sent: Promise.race([written.promise, status]),
    status,
    isAnswered: () => isAnswered,
    end: () => void call.end(body.slice(-1)),
  }
}
