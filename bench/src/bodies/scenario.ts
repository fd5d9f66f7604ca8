import {
  type LoggedIn,
  logIn,
  processMegabytes,
  type Scenario,
  type ScenarioContext,
  signUp,
  startInstallation,
  type Installation,
  UNLIMITED_RATES,
  zero,
} from '@sealpost/testkit'
import { holdBodies } from './held-bodies.ts'
import { expensiveKinds, type Kind } from './kinds.ts'
import { loopTime, shareOf } from './process-figures.ts'
import type { User } from './user.ts'

interface Size {
  /** How often each kind of request is sent. */
  readonly rounds: number
  readonly baseline: number
}

/** Two large bodies for each of them are the budget of a process. */
const HOLDERS = 4

/**
 * Sends the most expensive requests that the limits admit to one region, one at a time, and reads the longest delay of its
 * event loop after each; then as many large bodies at once as the budget admits, and reads its memory.
 */
export const bodiesScenario: Scenario<Size> = {
  name: 'bodies',
  about: 'the most expensive bodies: how long they hold the event loop, and how much memory they take',
  sizes: { small: { rounds: 2, baseline: 20 }, full: { rounds: 10, baseline: 200 } },
  bars: [
    ...zero('failed_calls', 'held_failed'),
    { figure: 'requests', atLeast: 200, small: 40 },
    { figure: 'longest_cpu_ms', atMost: 150, small: 300 },
    { figure: 'held_served', atLeast: 8, small: 2 },
    { figure: 'top_memory_mb', atMost: 1000 },
  ],
  async run(context, size) {
    const installation = await startInstallation({
      settings: UNLIMITED_RATES,
      onStep: (step) => context.progress(step),
    })
    context.onEnd(() => installation.stop())
    const users = await Promise.all(Array.from({ length: HOLDERS }, () => newUser(installation)))
    const [first] = users
    if (first === undefined) throw new Error('no user')
    const loop = { installation, user: first }
    const baselineMs = await delayOfSmallCalls(loop, size.baseline)
    context.progress(`small calls hold the loop for up to ${baselineMs} ms`)
    const slowest = await sendAll(context, loop, size.rounds)
    const memory = await holdBodies(context, installation, users)
    return {
      ...slowest,
      baseline_cpu_ms: baselineMs,
      ...memory,
    }
  },
}

async function newUser(installation: Installation): Promise<User> {
  const account = await signUp(installation, { userType: 'person', region: 'eu', displayName: 'Ana' })
  const session = await logIn(installation, account)
  const answer = await fetch(`${session.apiUrl}/api/contact-fields?limit=500`, { headers: bearer(session) })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract of the route
  const { items } = (await answer.json()) as { items: readonly { id: string; type: string }[] }
  const field = items.find(({ type }) => type === 'document') ?? items.find(({ type }) => type === 'photo')
  if (field === undefined) throw new Error('a person has no field for files')
  return { ...session, fileField: field.id }
}

interface Loop {
  readonly installation: Installation
  readonly user: User
}

async function delayOfSmallCalls(loop: Loop, count: number): Promise<number> {
  let longest = 0
  for (let sent = 0; sent < count; sent += 1) {
    longest = Math.max(longest, (await send(loop, { name: 'small', method: 'GET', path: '/api/account' })).cpuMs)
  }
  return longest
}

async function sendAll(context: ScenarioContext, loop: Loop, rounds: number) {
  const kinds = expensiveKinds(loop.user.fileField)
  const longest = { ms: 0, name: '' }
  let longestDelay = 0
  let failed = 0
  for (const kind of kinds) {
    const seen: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { status, delayMs, cpuMs, ms } = await send(loop, kind)
      if (status >= 500) failed += 1
      if (cpuMs > longest.ms) Object.assign(longest, { ms: cpuMs, name: kind.name })
      longestDelay = Math.max(longestDelay, delayMs)
      seen.push(`${status} in ${ms} ms, held for ${delayMs} ms, ${cpuMs} of them on a CPU`)
    }
    context.progress(`${kind.name}: ${seen.join('; ')}; ${processMegabytes(loop.installation.eu.pid())} MB`)
  }
  return {
    requests: kinds.length * rounds,
    failed_calls: failed,
    longest_cpu_ms: longest.ms,
    longest_delay_ms: longestDelay,
    longest_kind: longest.name.replaceAll(' ', '_'),
  }
}

async function send({ installation, user }: Loop, { method, path, headers = {}, make }: Kind) {
  const body = make?.()
  // A read of the metrics starts the next measurement.
  await longestDelayMs(installation)
  const before = loopTime(installation.eu.pid())
  const startedAt = performance.now()
  const { status } = await fetch(`${user.apiUrl}${path}`, {
    method,
    headers: { ...bearer(user), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  }).then(async (answer) => ({ status: answer.status, bytes: await answer.arrayBuffer() }))
  const ms = Math.round(performance.now() - startedAt)
  const after = loopTime(installation.eu.pid())
  const delayMs = await longestDelayMs(installation)
  return { status, ms, delayMs, cpuMs: Math.round(delayMs * shareOf(before, after)) }
}

function bearer({ token }: Pick<LoggedIn, 'token'>): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` }
}

async function longestDelayMs({ eu }: Installation): Promise<number> {
  const metrics = await (await fetch(`${eu.internalUrl}/internal/metrics`)).text()
  const [, seconds] = /^event_loop_delay_max_seconds\S* (\S+)$/m.exec(metrics) ?? []
  if (seconds === undefined) throw new Error('the region reports no delay of its event loop')
  return Math.round(Number(seconds) * 1000)
}
