import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readPlan, STARTED } from '../load-program.ts'
import { type HostilePlan, type HostilePlugin, KINDS, type Kind } from './plan.ts'

/** Clients of the hostile plugins, who keep each plugin just under its limits until they are told to stop. */
const plan = readPlan<HostilePlan>()
/** Calls that a plugin has in flight. */
const PLACES = 8
/** At most 56 calls in any minute. */
const EVERY_MS = 8600
const GIVE_UP_MS = 30_000
const counts: Record<string, number> = {}
const over = new AbortController()
/** Kinds that have not answered yet. */
const waiting = new Set<Kind>(KINDS)
setPriority(constants.priority.PRIORITY_LOW)
process.once('message', () => over.abort())

await Promise.all(
  // Plugins of different companies are not called at the same moment.
  plan.plugins.map(async (plugin, index) => {
    await rest((EVERY_MS * index) / plan.plugins.length)
    while (!over.signal.aborted) await Promise.all([useAllPlaces(plugin), rest(EVERY_MS)])
  }),
)
process.send?.(counts, () => process.exit(0))

/** Ends at once when the attack is over. */
async function rest(ms: number): Promise<void> {
  await pause(ms, undefined, { signal: over.signal }).catch(() => {})
}

async function useAllPlaces(plugin: HostilePlugin): Promise<void> {
  const { kind } = plugin
  const statuses = await Promise.all(Array.from({ length: PLACES }, (_, number) => send(plugin, number)))
  for (const status of statuses) counts[`${kind}_${status}`] = (counts[`${kind}_${status}`] ?? 0) + 1
  const isLast = waiting.delete(kind) && waiting.size === 0
  if (isLast) process.send?.(STARTED)
}

/** Every second caller of the plugin with the large description asks for that itself. */
async function send({ kind, id }: HostilePlugin, number: number): Promise<number> {
  const isRefresh = kind === 'manifest' && number % 2 === 0
  const named = { plugin_id: id }
  const members = isRefresh ? { pass: plan.registryPass } : { pass: plan.pass, request: plan.request }
  try {
    const answer = await fetch(isRefresh ? plan.registryUrl : plan.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...named, ...members }),
      signal: AbortSignal.timeout(GIVE_UP_MS),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
