import { setTimeout as pause } from 'node:timers/promises'
import { waitUntil } from '@sealpost/testkit'
import type { Dice } from '@sealpost/testkit/dice'
import type { Fault } from '../inject-faults.ts'
import type { Consumer } from './consumer.ts'
import type { Position } from './position.ts'
import { rewindReaders } from './rewind.ts'
import type { PumpSite } from './site.ts'

/** Counts faults that had their effect. */
export interface Felt {
  count: number
}

const FELT_MS = 60_000
const HOURS_MS = 2 * 3_600_000
/** So many changes show that the pump handles them while the worker is away. */
const GOES_ON = 20
/** Fewer than were handled before the fault, and than a pump remembers. */
const REWOUND = 100
/** Within the five minutes that a receiver allows. */
const SMALL_JUMP_MS = 4 * 60_000
const NO_SPACE = /ENOSPC|no space left/
const TROUBLE = /trouble while reading|trying again/
const REFUSED = /oauth\.bad_client|client id and its secret|bad_client/

/** All kinds of faults in turn. */
export function planFaults(
  site: PumpSite,
  rounds: number,
  felt: Felt,
  positions: Readonly<Record<'pump' | 'receiver', Position>>,
): readonly Fault[] {
  const round = [
    apiKill(site, felt),
    readersRewound(site, felt),
    diskFull(site, felt),
    clockJump(site, felt, HOURS_MS),
    frontDoorKill(site, felt),
    secretReplaced(site, felt),
    workerKill(site, felt, positions),
    clockJump(site, felt, -HOURS_MS),
  ].filter((fault) => fault !== null)
  return Array.from({ length: rounds }, () => round).flat()
}

function apiKill({ site, pump, listen }: PumpSite, felt: Felt): Fault {
  return {
    name: 'the API process of the region was killed',
    async begin() {
      await site.api.kill()
      await untilPrinted(felt, TROUBLE, [pump, listen])
      return () => site.api.start()
    },
  }
}

/** The readers get changes again that they have handled, under the same ids. */
function readersRewound({ site, service }: PumpSite, felt: Felt): Fault {
  return {
    name: 'the readers were set back',
    async begin() {
      await rewindReaders(site.databaseUrl, service.serviceId, REWOUND, FELT_MS).then(
        () => (felt.count += 1),
        (error: unknown) => console.error(String(error)),
      )
      return () => Promise.resolve()
    },
  }
}

/** Consumers that start meanwhile get no token. */
function frontDoorKill({ site, pump, listen }: PumpSite, felt: Felt): Fault {
  return {
    name: 'the front door was killed',
    async begin() {
      await site.frontDoor.kill()
      const noticed = untilPrinted(felt, TROUBLE, [pump, listen])
      await Promise.all([pump.kill(), listen.kill()])
      await noticed
      return () => site.frontDoor.start()
    },
  }
}

/** Felt when the pump goes on and the receiver of the webhook does not. */
function workerKill(
  { site }: PumpSite,
  felt: Felt,
  { pump, receiver }: Readonly<Record<'pump' | 'receiver', Position>>,
): Fault {
  return {
    name: 'the worker of the region was killed',
    async begin() {
      for (const worker of site.workers) await worker.kill()
      try {
        // Deliveries in flight arrive meanwhile.
        await untilItGoesOn(pump)
        const before = receiver.reached()
        await untilItGoesOn(pump)
        if (receiver.reached() === before) felt.count += 1
      } catch (error) {
        console.error(String(error))
      }
      return async () => void (await Promise.all(site.workers.map((worker) => worker.start())))
    },
  }
}

async function untilItGoesOn(pump: Position): Promise<void> {
  const before = pump.reached()
  await waitUntil('the pump goes on', FELT_MS, () => pump.reached() >= before + GOES_ON)
}

function diskFull({ disk, pump, receiver, listen }: PumpSite, felt: Felt): Fault | null {
  if (disk === null) return null
  return {
    name: 'the disk of the stores was full',
    async begin() {
      disk.fill()
      await untilPrinted(felt, NO_SPACE, [pump, receiver, listen])
      return () => Promise.resolve(disk.free())
    },
  }
}

/**
 * The receiver refuses every delivery while its clock is wrong, and the platform sends them again. What `listen` signs must
 * be accepted at once, because it goes on after any answer.
 */
function clockJump({ pump, receiver, listen }: PumpSite, felt: Felt, ms: number): Fault {
  return {
    name: `clocks were set ${ms > 0 ? 'forward' : 'back'}`,
    async begin() {
      const noticed = untilPrinted(felt, /answered 401/, [receiver])
      for (const one of [pump, receiver]) one.setClock(ms)
      listen.setClock(Math.sign(ms) * SMALL_JUMP_MS)
      await noticed
      return () => Promise.resolve([pump, receiver, listen].forEach((one) => one.setClock(0)))
    },
  }
}

function secretReplaced(site: PumpSite, felt: Felt): Fault {
  return {
    name: 'the secret was replaced, which ended the token',
    async begin() {
      const noticed = untilPrinted(felt, REFUSED, [site.pump, site.listen])
      await site.replaceSecret()
      await noticed
      return () => Promise.resolve()
    },
  }
}

/** Every one of them prints such a line from now on. */
async function untilPrinted(felt: Felt, pattern: RegExp, consumers: readonly Consumer[]): Promise<void> {
  const before = consumers.map((one) => one.printed(pattern))
  await waitUntil(`${consumers.map(({ name }) => name).join(', ')} print ${pattern}`, FELT_MS, () =>
    consumers.every((one, at) => one.printed(pattern) > (before[at] ?? 0)),
  ).then(
    () => (felt.count += 1),
    (error: unknown) => console.error(String(error)),
  )
}

export interface Kills {
  readonly consumer: Consumer
  /** Changes that it, or the receiver that it posts to, has handled. */
  readonly handled: () => number
  readonly kills: number
  /** Of the whole run. */
  readonly changes: number
}

const LONGEST_DELAY_MS = 400
const KILL_DEADLINE_MS = 900_000

/** Kills a consumer at random moments, spread over what it handles; some of the time while it starts. */
export async function killInTurn({ consumer, handled, kills, changes }: Kills, dice: Dice): Promise<void> {
  const before = consumer.counts.kills
  for (let kill = 0; kill < kills; kill += 1) {
    const due = Math.floor((changes * (kill + dice.below(1000) / 1000)) / kills)
    await waitUntil(`${consumer.name} has handled ${due} changes`, KILL_DEADLINE_MS, () => handled() >= due)
    await pause(dice.below(LONGEST_DELAY_MS))
    while (consumer.counts.kills - before <= kill) await consumer.kill()
  }
}
