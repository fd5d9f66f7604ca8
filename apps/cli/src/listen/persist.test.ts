import { instant } from '@sealpost/kernel'
import { NetworkError, SealpostError, UnexpectedAnswerError } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import type { Terminal } from '../terminal.ts'
import { isOutageAtFirst, persist } from './persist.ts'

const never = new AbortController().signal

function watch(): { readonly terminal: Terminal; readonly logged: string[]; readonly waits: number[] } {
  const [logged, waits]: [string[], number[]] = [[], []]
  const terminal: Terminal = {
    environment: {},
    folder: '',
    homeFolder: '',
    print() {},
    log: (line) => void logged.push(line),
    clock: { now: () => instant(0) },
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    untilInterrupted: () => never,
    isInteractive: false,
    openBrowser: () => Promise.resolve(false),
    ask: () => Promise.resolve(''),
  }
  return { terminal, logged, waits }
}

/** Fails with each of these in turn, then succeeds. */
function failing(...errors: readonly Error[]): () => Promise<string> {
  const left = [...errors]
  return () => {
    const next = left.shift()
    return next === undefined ? Promise.resolve('done') : Promise.reject(next)
  }
}

function refusal(status: number, key: string, retryAfterSeconds?: number): SealpostError {
  return new SealpostError(`refused by ${key}`, { key, status, details: {}, requestId: 'r', retryAfterSeconds })
}
let calls = 0
const silence = (): NetworkError => new NetworkError('no answer', `r-${(calls += 1)}`, null)
const oddAnswer = (status: number): UnexpectedAnswerError =>
  new UnexpectedAnswerError('odd', { status, requestId: 'r', retryAfterSeconds: undefined })

test('waits as long as the platform asks, else longer each time, and never gives up', async () => {
  const { terminal, logged, waits } = watch()
  const outage = Array.from({ length: 8 }, silence)
  const call = failing(refusal(429, 'rate.limited', 7), refusal(503, 'db.writes_paused', 30), ...outage, oddAnswer(502))
  expect(await persist(terminal, never, call)).toBe('done')
  expect(waits.map((ms) => ms / 1000)).toEqual([7, 30, 4, 8, 15, 30, 30, 30, 30, 30, 30])
  expect(logged).toEqual([
    'refused by rate.limited (rate.limited); trying again (in 7 s)',
    'refused by db.writes_paused (db.writes_paused); trying again (in 30 s)',
    'no answer; trying again (in 4 s)',
    'odd; trying again (in 30 s)',
    'connected again',
  ])
})

test.each([
  [refusal(401, 'oauth.bad_client')],
  [refusal(403, 'auth.client_endpoint_forbidden')],
  [refusal(400, 'request.invalid')],
  [new TypeError('a fault of ours')],
])('an error that a retry cannot fix ends it: %s', async (error) => {
  const { terminal, waits } = watch()
  await expect(persist(terminal, never, failing(error))).rejects.toBe(error)
  expect(waits).toEqual([])
})

test('an unexpected answer to the first call is a wrong address, unless the server is starting', async () => {
  const { terminal } = watch()
  const first = (error: Error) => persist(terminal, never, failing(error), isOutageAtFirst)
  await expect(first(oddAnswer(200))).rejects.toThrow('odd')
  expect(await first(oddAnswer(502))).toBe('done')
  expect(await first(silence())).toBe('done')
})

test('ends at once when it is interrupted', async () => {
  const { terminal, waits } = watch()
  const interruption = new AbortController()
  const call = (): Promise<never> => {
    interruption.abort(new Error('Ctrl-C'))
    return Promise.reject(silence())
  }
  await expect(persist(terminal, interruption.signal, call)).rejects.toThrow('Ctrl-C')
  expect(waits).toEqual([])
})
