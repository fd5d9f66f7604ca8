import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readPlan, STARTED } from '../load-program.ts'
import { type HostilePlan, KINDS, type Kind } from './plan.ts'

/** Clients of the hostile plugins, who call them as often as they may until they are told to stop. */
const plan = readPlan<HostilePlan>()
const RESTED_MS = 200
const GIVE_UP_MS = 30_000
const counts: Record<string, number> = {}
const state = { isOver: false, isStarted: false }
/** Kinds that have not answered yet. */
const waiting = new Set<Kind>(KINDS)
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.once('message', () => {
  state.isOver = true
})

await Promise.all(
  KINDS.flatMap((kind) => Array.from({ length: plan.callsInFlight }, (_, number) => repeat(kind, number))),
)
process.send?.(counts, () => process.exit(0))

async function repeat(kind: Kind, number: number): Promise<void> {
  while (!state.isOver) {
    const status = await send(kind, number)
    waiting.delete(kind)
    if (waiting.size === 0 && !state.isStarted) {
      state.isStarted = true
      process.send?.(STARTED)
    }
    counts[`${kind}_${status}`] = (counts[`${kind}_${status}`] ?? 0) + 1
    await pause(RESTED_MS)
  }
}

/** Every second caller of the plugin with the large description asks for that itself. */
async function send(kind: Kind, number: number): Promise<number> {
  const isRefresh = kind === 'manifest' && number % 2 === 0
  const named = { plugin_id: plan.plugins[kind] }
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
