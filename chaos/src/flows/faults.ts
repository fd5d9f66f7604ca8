import { setTimeout as pause } from 'node:timers/promises'
import { S3_ERROR } from '@sealpost/testkit'
import type { Dice } from '@sealpost/testkit/dice'
import { type Fault, regionFault, wireFault } from '../inject-faults.ts'
import type { Site } from './site.ts'

/** Equally many of each kind, in a random order, each for a random time. `more`: further kinds. */
export function orderFaults(
  site: Site,
  count: number,
  dice: Dice,
  more: readonly (() => Fault)[] = [],
): readonly Fault[] {
  const { installation, stores } = site
  const kinds = [
    () => regionFault(installation, 'eu'),
    () => regionFault(installation, 'us'),
    () => natsFault(site),
    () => wireFault('the file store of eu answered errors', stores.eu, { kind: 'answering', bytes: S3_ERROR }),
    () => wireFault('the file store of us answered errors', stores.us, { kind: 'answering', bytes: S3_ERROR }),
    () => wireFault('the file store of eu was silent', stores.eu, { kind: 'frozen' }),
    ...more,
  ] as const
  const inTurn = Array.from({ length: count }, (_, index) => kinds[index % kinds.length] ?? kinds[0])
  return shuffled(inTurn, dice).map((make) => lasting(make(), dice.below(LONGEST_MS)))
}

const LONGEST_MS = 1500

function shuffled<T>(items: readonly T[], dice: Dice): readonly T[] {
  return items
    .map((item) => ({ item, place: dice.below(2 ** 32) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

function lasting(fault: Fault, ms: number): Fault {
  return {
    name: fault.name,
    async begin(isFelt) {
      const end = await fault.begin(isFelt)
      await pause(ms)
      return end
    },
  }
}

/** Both servers: each carries a part of what the regions tell and ask each other. */
function natsFault({ nats }: Site): Fault {
  return {
    name: 'NATS was killed',
    async begin() {
      await Promise.all(nats.map((server) => server.kill()))
      return async () => void (await Promise.all(nats.map((server) => server.start())))
    },
  }
}
