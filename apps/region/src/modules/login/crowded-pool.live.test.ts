import { runStatement } from '@sealpost/postgres'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, onTestFinished, test } from 'vitest'

const POOL = 8
const world = await openWorld({ settings: { DATABASE_POOL: String(POOL), DATABASE_WAIT_MS: '4000' } })
const { database } = world.us.platform
const person = await world.person({ region: 'us' })

/** Ordinary work that takes every connection it can get and keeps it until the test ends. */
async function crowd(): Promise<void> {
  const end = Promise.withResolvers<void>()
  const hold = (): Promise<void> => end.promise
  const held = Array.from({ length: 3 * POOL }, () => [database.transaction(hold), database.read(hold)]).flat()
  const ended = Promise.allSettled(held)
  onTestFinished(async () => {
    end.resolve()
    await ended
  })
  const isCrowded = (): boolean => Object.values(database.poolUse()).every(({ waiting }) => waiting > 0)
  await expect.poll(isCrowded).toBe(true)
}

test(
  'logins and token checks find a connection while ordinary calls hold all that they may have',
  async () => {
    await crowd()
    for (let login = 0; login < 3; login += 1) expect((await person.logIn()).token).toEqual(expect.any(String))
    const refused = await person.calls('PUT', '/api/profile', { body: { display_name: 'Another' } })
    expect(refused.status).toBe(503)
  },
  scaled(30_000),
)

test(
  'calls of one account that all wait for the same row leave connections to other accounts',
  async () => {
    const other = await world.person({ region: 'us' })
    const locked = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const holder = database.reserved.transaction(async (tx) => {
      await runStatement(tx, 'select from account.account where id = $1 for update', [person.userId])
      locked.resolve()
      await end.promise
    })
    await locked.promise
    const ended: number[] = []
    const waiting = Array.from({ length: 2 * POOL }, async () => {
      const { status } = await person.calls('PUT', '/api/profile', { body: { display_name: 'Another' } })
      ended.push(status)
    })
    await expect.poll(() => database.poolUse().write.waiting).toBeGreaterThan(0)

    const answer = await other.calls('PUT', '/api/profile', { body: { display_name: 'Grace' } })
    const endedBefore = [...ended]
    end.resolve()
    await Promise.allSettled([holder, ...waiting])
    expect(answer.status).toBe(200)
    expect(endedBefore).toEqual([])
  },
  scaled(30_000),
)
