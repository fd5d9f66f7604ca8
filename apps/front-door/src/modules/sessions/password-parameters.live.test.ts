import { runStatement } from '@sealpost/postgres'
import { callSession, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

// Of its own, because the parameters of all accounts decide.
const world = await openWorld({ own: true })
const people = [await world.person(), await world.person(), await world.person(), await world.person()]
/** The operator has raised the cost of new passwords since these people registered. */
const raised = await world.anotherFrontDoor({ KDF_MEMORY_KIB: '131072', KDF_PASSES: '4' })

async function costOf(email: string): Promise<string> {
  const { status, body } = await callSession(raised.url, 'GET', `/api/session/params?email=${email}`)
  expect(status).toBe(200)
  return JSON.stringify({ ...Object(body['kdf']), salt: '' })
}

const unknown = Array.from({ length: 40 }, (_, number) => `unknown-${number}@people.example`)
const unknownCosts = async () => {
  const costs: string[] = []
  for (const email of unknown) costs.push(await costOf(email))
  return costs
}

test('after the cost was raised, an address without an account looks like the accounts that exist', async () => {
  const known = new Set<string>()
  for (const { email } of people) known.add(await costOf(email))
  expect(known.size).toBe(1)
  expect(new Set(await unknownCosts())).toEqual(known)
})

test('addresses without an account have the costs that are in use, each address always the same', async () => {
  const before = await unknownCosts()
  const half = people.slice(0, 2).map(({ userId }) => userId)
  // As these two would look after a change of password: no other account of the installation has this cost.
  await raised.platform.database.transaction((tx) =>
    runStatement(
      tx,
      `update directory.account set kdf = kdf || '{"memory_kib": 131072, "passes": 4}' where user_id = any ($1)`,
      [half],
    ),
  )
  const after = await unknownCosts()
  expect(await unknownCosts()).toEqual(after)
  const inUse = new Set([before[0], await costOf(people[0]?.email ?? '')])
  expect(inUse.size).toBe(2)
  for (const cost of after) expect(inUse).toContain(cost)
})
