import type { ClientId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openClientLookUp } from './look-up-client.ts'

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const { database, ids } = world.frontDoor.platform
const lookUp = openClientLookUp(database)

test('of many concurrent look-ups each finds its own client, an unknown id finds none', async () => {
  const unknown = ids.clientId('svc')
  const wanted = Array.from({ length: 300 }, (_, n) => [northwind.clientId, harborline.clientId, unknown][n % 3])
  const found = await Promise.all(wanted.map((clientId = unknown) => lookUp.find(clientId)))
  expect(found.map((row) => row?.client_id)).toEqual(wanted.map((id) => (id === unknown ? undefined : id)))
})

test('more clients than fit into one read are all found', async () => {
  const many = Array.from({ length: 400 }, () => ids.clientId('svc'))
  const found = await Promise.all([...many, northwind.clientId].map((clientId) => lookUp.find(clientId)))
  expect(found.filter((row) => row !== null).map((row) => row.client_id)).toEqual([northwind.clientId])
})

test('a look-up after a change sees it, however many reads are running', async () => {
  const crowd = new AbortController()
  const busy = Array.from({ length: 8 }, async () => {
    while (!crowd.signal.aborted) await lookUp.find(northwind.clientId)
  })
  const seen: boolean[] = []
  for (let change = 0; change < 100; change += 1) {
    const epoch = await raiseEpoch(northwind.clientId)
    seen.push(((await lookUp.find(northwind.clientId))?.epoch ?? 0) >= epoch)
  }
  crowd.abort()
  await Promise.all(busy)
  expect(seen).toEqual(seen.map(() => true))
})

test('look-ups fail while the directory is away and succeed once it is back', async () => {
  let isAway = true
  const flaky = openClientLookUp({
    ...database,
    read: (work) => (isAway ? Promise.reject(new Error('away')) : database.read(work)),
  })
  await expect(Promise.all([flaky.find(northwind.clientId), flaky.find(harborline.clientId)])).rejects.toThrow('away')
  isAway = false
  expect((await flaky.find(northwind.clientId))?.client_id).toBe(northwind.clientId)
})

async function raiseEpoch(clientId: ClientId): Promise<number> {
  const sql = 'update directory.client set epoch = epoch + 1 where client_id = $1 returning epoch'
  const [row] = await database.transaction((tx) => runStatement<{ epoch: number }>(tx, sql, [clientId]))
  return row?.epoch ?? 0
}
