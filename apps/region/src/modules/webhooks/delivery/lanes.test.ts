import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type ClaimedOutlet, mayTake } from '../../feed/index.ts'
import type { LaneWatch } from './lane.ts'
import { type Lanes, openLanes } from './lanes.ts'

const ids = fixedIds(fixedClock())

function claimedOf(companyId: UserId, state: ClaimedOutlet['state'] = 'running'): ClaimedOutlet {
  const name = { companyId, serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
  return { name, channel: 1, token: 1, epoch: 1, state, leasedForMs: 30_000, transition: null }
}

interface OpenLane {
  readonly watch: LaneWatch
  end(): Promise<void>
}

function openLane(lanes: Lanes, claimed: ClaimedOutlet): OpenLane {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watches: LaneWatch[] = []
  lanes.add(claimed, (watch) => {
    watches.push(watch)
    return promise
  })
  const [watch] = watches
  if (watch === undefined) throw new Error('a lane did not start')
  return {
    watch,
    async end() {
      resolve()
      await new Promise((done) => void setImmediate(done))
    },
  }
}

test('a company that has too much as others come lets go of exactly that much', async () => {
  const lanes = openLanes({ live: 8 }, () => 0)
  const [big, small, other] = [ids.uuid<UserId>(), ids.uuid<UserId>(), ids.uuid<UserId>()]
  const all = Array.from({ length: 6 }, () => openLane(lanes, claimedOf(big)))
  expect(all.every(({ watch }) => watch.mayStay())).toBe(true)
  const last = openLane(lanes, claimedOf(small))
  // Six of eight are too many with one left, five with two are not.
  expect(all.map(({ watch }) => watch.mayStay())).toEqual([false, true, true, true, true, true])
  expect(last.watch.mayStay()).toBe(true)
  expect(lanes.shares().free).toBe(2)
  expect([big, small].map((company) => lanes.shares().held.get(company))).toEqual([5, 1])
  openLane(lanes, claimedOf(other))
  expect(all.slice(1).map(({ watch }) => watch.mayStay())).toEqual([false, true, true, true, true])
  for (const lane of all) await lane.end()
  expect(lanes.counts).toMatchObject({ live: 2, probes: 0 })
})

test('while there is room nobody has to go, and when there is none everybody after its turn, a few at a time', () => {
  let nowMs = 0
  const lanes = openLanes({ live: 40 }, () => nowMs)
  const half = Array.from({ length: 20 }, () => openLane(lanes, claimedOf(ids.uuid<UserId>())))
  nowMs = 3_600_000
  expect(half.every(({ watch }) => watch.mayStay())).toBe(true)
  const rest = Array.from({ length: 20 }, () => openLane(lanes, claimedOf(ids.uuid<UserId>())))
  nowMs += 9_999
  expect(rest.every(({ watch }) => watch.mayStay())).toBe(true)
  expect(half.filter(({ watch }) => !watch.mayStay())).toHaveLength(2)
  expect(lanes.shares().free).toBe(2)
})

test('a probe stays whatever its company has, and counts with the others once it is answered', async () => {
  const lanes = openLanes({ live: 4 }, () => 0)
  const company = ids.uuid<UserId>()
  for (let made = 0; made < 3; made += 1) openLane(lanes, claimedOf(company))
  const probe = openLane(lanes, claimedOf(company, 'unknown'))
  expect(probe.watch.mayStay()).toBe(true)
  probe.watch.stateIs('running')
  expect(lanes.counts).toMatchObject({ live: 4, probes: 0 })
  expect(probe.watch.mayStay()).toBe(false)
  await probe.end()
  expect(lanes.counts).toMatchObject({ live: 3, probes: 0 })
})

test('a company that has all that it may have takes turns with itself, although there is room for others', async () => {
  for (const live of [2, 4, 40]) {
    let nowMs = 0
    const lanes = openLanes({ live }, () => nowMs)
    const company = ids.uuid<UserId>()
    const { held } = lanes.shares()
    const all: OpenLane[] = []
    while (mayTake(held.get(company) ?? 0, lanes.shares().free)) all.push(openLane(lanes, claimedOf(company)))
    nowMs = 9_999
    expect(all.every(({ watch }) => watch.mayStay())).toBe(true)
    nowMs = 10_000
    // One at a time: the next one goes when this one's place is taken.
    expect(all.filter(({ watch }) => !watch.mayStay())).toHaveLength(1)
    expect(mayTake(held.get(company) ?? 0, lanes.shares().free)).toBe(true)
  }
})
