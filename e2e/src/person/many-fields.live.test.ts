import { PublicKey } from '@sealpost/sdk'
import { scaled } from '@sealpost/testkit'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn } from './acts.ts'
import { clientOf } from './client-of.ts'
import { openPersonApp } from './person-app.ts'

const FIELDS = 500
const BAR_MS = 200
const app = await openPersonApp()
const person = await app.world.person({ region: 'us', displayName: 'Mara Lind' })
await clientOf(person).contactData.put(person.field('first_name'), 'Mara')

interface List {
  readonly items: readonly Record<string, unknown>[]
  readonly next_cursor?: string | null
}

/**
 * An account has at most 200 own fields, so further ones are added to the platform's answers on their way. Their values
 * are sealed to the key of the person, as every other.
 */
async function addFields(context: BrowserContext): Promise<void> {
  const own = await PublicKey.import(person.keys.publicKey)
  const numbers = Array.from({ length: FIELDS }, (_, at) => at)
  const values = await Promise.all(numbers.map((at) => own.seal(`Value ${at}`)))
  const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const lists = [
    {
      path: /\/api\/contact-fields(\?.*)?$/,
      of: (at: number) => ({ id: idOf(at), slug: `own_${at}`, label: `Own ${at}` }),
    },
    {
      path: /\/api\/contact-data(\?.*)?$/,
      of: (at: number) => ({ field_id: idOf(at), slug: `own_${at}`, value: values[at] }),
    },
  ]
  for (const { path, of } of lists)
    await context.route(path, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      const list = (await response.json()) as List
      const alike = list.items.find(({ slug }) => slug === 'first_name') ?? {}
      const isLast = list.next_cursor === undefined || list.next_cursor === null
      const items = isLast ? numbers.map((at) => ({ ...alike, is_system: false, type: 'text', ...of(at) })) : []
      return route.fulfill({ response, json: { ...list, items: [...list.items, ...items] } })
    })
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of CPU time of the thread. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Milliseconds of the longest task on the main thread of a page. CPU time: on a busy machine a task also waits for its
 * turn, and an observer of long tasks counts that.
 */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
  const main = new Set(traceEvents.filter(isMain).map(threadOf))
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && main.has(threadOf(event)))
  // A task that had not ended when the trace did has no duration.
  const durations = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]))
  expect(durations.length).toBeGreaterThan(FIELDS)
  return durations.reduce((longest, duration) => Math.max(longest, duration), 0)
}

test(`the page stays responsive while ${FIELDS} fields are opened`, { timeout: scaled(240_000) }, async () => {
  const { page, context, complaints } = await app.device()
  await addFields(context)
  await app.browser.startTracing(page, { categories: ['toplevel'] })
  await signIn(page, person.email, person.password)
  await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()
  const began = performance.now()
  await page.getByRole('link', { name: 'My data' }).click()
  await page.getByText(`Value ${FIELDS - 1}`, { exact: true }).waitFor()
  const took = Math.round(performance.now() - began)
  const longest = longestTask(await app.browser.stopTracing())
  console.log(
    `${FIELDS} fields: the longest task of the page took ${Math.round(longest)} ms of CPU, the list was drawn in ${took} ms; ` +
      `the bar is ${BAR_MS} ms, here ${scaled(BAR_MS)} ms`,
  )
  expect(longest).toBeLessThan(scaled(BAR_MS))
  expect(complaints).toEqual([])
})
