import { END, flowOf, step } from '../outlets/machine.ts'
import { type Draws, drawsOf } from './draws.ts'
import { DAY_MS } from './outlet-log.ts'
import { Violation } from './outlet-oracle.ts'
import { Workers } from './outlet-workers.ts'
import { GRACE_MS, type Machine, World } from './outlet-world.ts'

const LONGEST = 80
/** Whoever has not come to an end by then never will. */
const ROUNDS = 2000

type Happening = (world: World, draws: Draws, workers: Workers) => void

/** The more often one is listed, the more often it happens. */
const HAPPENINGS: readonly [Happening, ...Happening[]] = [
  ...often(8, (world) => world.append()),
  ...often(12, (_world, draws, workers) => void workers.claim(draws.below(2))),
  ...often(40, (_world, draws, workers) => void workers.work(draws.below(2))),
  ...often(12, (_world, draws, workers) => workers.land(draws.below(2))),
  ...often(3, (_world, draws, workers) => workers.kill(draws.below(2))),
  ...often(10, (world, draws) => world.pass(draws.pick([1000, 5000, 15_000, 40_000]))),
  ...often(4, (world) => world.pass(GRACE_MS)),
  (world, draws) => world.pass(draws.pick([DAY_MS, 3 * DAY_MS, 7 * DAY_MS])),
  ...often(5, (world, draws) => {
    world.isWell = draws.once(2)
  }),
  ...often(4, (world, draws) => world.take(1 + draws.below(3))),
  ...often(3, (world) => world.giveBack(true)),
  ...often(2, (world) => world.giveBack(false)),
  (world) => world.turn({ isEnabled: false }),
  ...often(2, (world) => world.turn({ isEnabled: true })),
  (world) => world.turn({ isPaused: true }),
  ...often(2, (world) => world.turn({ isPaused: false })),
  (world) => world.turn({ isSuspended: true }),
  ...often(2, (world) => world.turn({ isSuspended: false })),
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

/** Null when everything went as it must; otherwise what did not. The same seed tells the same history. */
export function tellHistory(seed: number, machine: Machine = step): string | null {
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

/** Everything that can be sent is sent: then nothing that was owed may be left. */
function end(world: World, workers: Workers): string | null {
  world.isWell = true
  for (const worker of [0, 1]) workers.kill(worker)
  while (world.pages.length > 0) world.giveBack(false)
  world.pass(60_000)
  for (const to of [{ isEnabled: true }, { isSuspended: false }, { isPaused: false }]) world.turn(to)
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!workers.claim(0) && !workers.work(0)) {
      const left = world.oracle.left(world.now)
      if (left.length === 0) return complainOf(world)
      if (round > ROUNDS / 2) return `${left.map(({ no }) => no).join()} never came`
      world.pass(GRACE_MS)
    }
    workers.land(0)
  }
  return 'it never ends'
}

function complainOf({ outlet, log }: World): string | null {
  if (flowOf(outlet) !== 'open') return 'it is not open'
  if (outlet.isLeased) return 'somebody holds it although nothing is left'
  if (outlet.parkedTo === END && outlet.state === 'running') return 'it runs and everything that comes is parked'
  return outlet.cursor > log.length ? 'the cursor is beyond the log' : null
}
