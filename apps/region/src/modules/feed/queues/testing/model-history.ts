import { END } from '../../rules/ranges.ts'
import { type Draws, drawsOf } from '../../testing/draws.ts'
import { flowOf } from '../model.ts'
import { step } from '../rules/machine.ts'
import { DAY_MS } from './model-log.ts'
import { Violation } from './model-oracle.ts'
import { Workers } from './model-workers.ts'
import { PROBE_DELAY_MS, type Machine, World } from './model-world.ts'

const LONGEST = 80
/** A history that has not ended by then never will. */
const MAX_STEPS = 2000

type Happening = (world: World, draws: Draws, workers: Workers) => void

/** A happening that is listed more often happens more often. */
const HAPPENINGS: readonly [Happening, ...Happening[]] = [
  ...often(8, (world) => world.append()),
  ...often(12, (_world, draws, workers) => void workers.claim(draws.below(2))),
  ...often(40, (_world, draws, workers) => void workers.work(draws.below(2))),
  ...often(12, (_world, draws, workers) => workers.land(draws.below(2))),
  ...often(3, (_world, draws, workers) => workers.kill(draws.below(2))),
  ...often(10, (world, draws) => world.pass(draws.pick([1000, 5000, 15_000, 40_000]))),
  ...often(4, (world) => world.pass(PROBE_DELAY_MS)),
  (world, draws) => world.pass(draws.pick([DAY_MS, 3 * DAY_MS, 7 * DAY_MS])),
  ...often(5, (world, draws) => {
    world.isWell = draws.once(2)
  }),
  ...often(4, (world, draws) => world.drain(1 + draws.below(3))),
  ...often(3, (world) => world.completePage(true)),
  ...often(2, (world) => world.completePage(false)),
  (world) => world.switch({ isEnabled: false }),
  ...often(2, (world) => world.switch({ isEnabled: true })),
  (world) => world.switch({ isPaused: true }),
  ...often(2, (world) => world.switch({ isPaused: false })),
  (world) => world.switch({ isSuspended: true }),
  ...often(2, (world) => world.switch({ isSuspended: false })),
  (world) => world.retarget(),
  (world) => world.probe(),
  (world, draws) => world.subscribe(draws.pick([null, ['a'], ['a', 'b']])),
  (world) => world.replay(null),
  (world, draws) => world.replay(draws.below(world.log.length + 1)),
  (world) => world.purge(),
]

function often(times: number, happening: Happening): readonly [Happening, ...Happening[]] {
  return [happening, ...Array.from({ length: times - 1 }, () => happening)]
}

/** Null, or the violation. The same seed makes the same history. */
export function runHistory(seed: number, machine: Machine = step): string | null {
  const draws = drawsOf(seed)
  const world = new World(machine, draws)
  const workers = new Workers(world, draws)
  try {
    for (let left = 10 + draws.below(LONGEST); left > 0; left -= 1) {
      draws.pick(HAPPENINGS)(world, draws, workers)
      workers.landOld()
    }
    return end(world, workers)
  } catch (error) {
    if (error instanceof Violation) return error.message
    throw error
  }
}

/** Sends everything that can be sent: then no owed event may be left. */
function end(world: World, workers: Workers): string | null {
  world.isWell = true
  for (const worker of [0, 1]) workers.kill(worker)
  while (world.pages.length > 0) world.completePage(false)
  world.pass(60_000)
  for (const to of [{ isEnabled: true }, { isSuspended: false }, { isPaused: false }]) world.switch(to)
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (!workers.claim(0) && !workers.work(0)) {
      const left = world.oracle.left(world.now)
      if (left.length === 0) return complainOf(world)
      if (steps > MAX_STEPS / 2) return `${left.map(({ no }) => no).join()} never came`
      world.pass(PROBE_DELAY_MS)
    }
    workers.land(0)
  }
  return 'it never ends'
}

function complainOf({ queue, log }: World): string | null {
  if (flowOf(queue) !== 'open') return 'it is not open'
  if (queue.isLeased) return 'a worker holds it although nothing is left'
  if (queue.parkedTo === END && queue.state === 'running') return 'it runs and all later events are parked'
  return queue.cursor > log.length ? 'the cursor is beyond the log' : null
}
