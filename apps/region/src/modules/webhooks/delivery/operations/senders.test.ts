import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type ClaimedQueue, mayTakeSlot } from '../../../feed/index.ts'
import type { SenderWatch } from './sender.ts'
import { openSenders, type Senders } from './senders.ts'

const ids = fixedIds(fixedClock())

function claimedOf(companyId: UserId, state: ClaimedQueue['state'] = 'running'): ClaimedQueue {
  const name = { companyId, serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
  return { name, channel: 1, token: 1, epoch: 1, state, leasedForMs: 30_000, transition: null }
}

interface OpenSender {
  readonly watch: SenderWatch
  end(): Promise<void>
}

function openSender(senders: Senders, claimed: ClaimedQueue): OpenSender {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watches: SenderWatch[] = []
  senders.add(claimed, (watch) => {
    watches.push(watch)
    return promise
  })
  const [watch] = watches
  if (watch === undefined) throw new Error('a sender did not start')
  return {
    watch,
    async end() {
      resolve()
      await new Promise((done) => void setImmediate(done))
    },
  }
}

test('a company beyond its share, because others came, frees exactly the surplus', async () => {
  const senders = openSenders({ live: 8 }, () => 0)
  const [big, small, other] = [ids.uuid<UserId>(), ids.uuid<UserId>(), ids.uuid<UserId>()]
  const all = Array.from({ length: 6 }, () => openSender(senders, claimedOf(big)))
  expect(all.every(({ watch }) => watch.mayStay())).toBe(true)
  const last = openSender(senders, claimedOf(small))
  // Six of eight are too many with one free, five with two are not.
  expect(all.map(({ watch }) => watch.mayStay())).toEqual([false, true, true, true, true, true])
  expect(last.watch.mayStay()).toBe(true)
  expect(senders.shares().free).toBe(2)
  expect([big, small].map((company) => senders.shares().held.get(company))).toEqual([5, 1])
  openSender(senders, claimedOf(other))
  expect(all.slice(1).map(({ watch }) => watch.mayStay())).toEqual([false, true, true, true, true])
  for (const sender of all) await sender.end()
  expect(senders.counts).toMatchObject({ live: 2, probes: 0 })
})

test('while slots are free no sender ends; when they are scarce, senders end after their turn, a few at a time', () => {
  let nowMs = 0
  const senders = openSenders({ live: 40 }, () => nowMs)
  const half = Array.from({ length: 20 }, () => openSender(senders, claimedOf(ids.uuid<UserId>())))
  nowMs = 3_600_000
  expect(half.every(({ watch }) => watch.mayStay())).toBe(true)
  const rest = Array.from({ length: 20 }, () => openSender(senders, claimedOf(ids.uuid<UserId>())))
  nowMs += 9_999
  expect(rest.every(({ watch }) => watch.mayStay())).toBe(true)
  expect(half.filter(({ watch }) => !watch.mayStay())).toHaveLength(2)
  expect(senders.shares().free).toBe(2)
})

test('a probe stays regardless of its company’s share, and counts as running once it is answered', async () => {
  const senders = openSenders({ live: 4 }, () => 0)
  const company = ids.uuid<UserId>()
  for (let made = 0; made < 3; made += 1) openSender(senders, claimedOf(company))
  const probe = openSender(senders, claimedOf(company, 'unknown'))
  expect(probe.watch.mayStay()).toBe(true)
  probe.watch.stateIs('running')
  expect(senders.counts).toMatchObject({ live: 4, probes: 0 })
  expect(probe.watch.mayStay()).toBe(false)
  await probe.end()
  expect(senders.counts).toMatchObject({ live: 3, probes: 0 })
})

test('a company at its share rotates its own queues, although slots are free for others', async () => {
  for (const live of [2, 4, 40]) {
    let nowMs = 0
    const senders = openSenders({ live }, () => nowMs)
    const company = ids.uuid<UserId>()
    const { held } = senders.shares()
    const all: OpenSender[] = []
    while (mayTakeSlot(held.get(company) ?? 0, senders.shares().free)) all.push(openSender(senders, claimedOf(company)))
    nowMs = 9_999
    expect(all.every(({ watch }) => watch.mayStay())).toBe(true)
    nowMs = 10_000
    // One at a time: the next one ends when this slot is taken again.
    expect(all.filter(({ watch }) => !watch.mayStay())).toHaveLength(1)
    expect(mayTakeSlot(held.get(company) ?? 0, senders.shares().free)).toBe(true)
  }
})
