import { type FieldId, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import {
  demand,
  type Desk,
  keyOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockAccount } from '../../account/index.ts'
import { changeMappings } from './operations/change-mappings.ts'
import { lockAllOf } from './store/connections.ts'

let two: TwoRegions
let person: TestCustomer
let desk: Desk
let accountId: UserId
let fieldId: FieldId
let connectionId: string

beforeAll(async () => {
  two = await startWithoutLimits()
})
afterAll(() => two.close())
beforeEach(async () => {
  person = await openCustomer(two)
  accountId = person.owner.user.userId
  fieldId = parseUuid<FieldId>(person.field('first_name')) ?? expect.fail('no field')
  desk = await openDesk(two, [{ slug: 'name' }])
  await demand(person.put('first_name', 'Ada'), 200)
  connectionId = await person.connected(desk, [])
})

/** A transaction that runs `work` and commits on `finish`. */
async function begin<T>(first: (tx: Tx) => Promise<void>, then: (tx: Tx) => Promise<T>) {
  const [isDone, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const over = two.us.platform.database.transaction(async (tx) => {
    await first(tx)
    isDone.resolve()
    await goOn.promise
    return then(tx)
  })
  await Promise.race([isDone.promise, over])
  return {
    finish() {
      goOn.resolve()
      return over
    },
  }
}

async function waitForLock(isOver: () => boolean): Promise<void> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('it waits or is over', 10_000, async () => {
    return isOver() || (await two.us.platform.database.read((read) => runStatement(read, sql, []))).length > 0
  })
}

/** Whether the row can be locked without waiting. */
async function isValueFree(tx: Tx): Promise<boolean> {
  const sql = `select 1 from vault.value where account_id = $1 and field_id = $2 for update skip locked`
  return (await runStatement(tx, sql, [accountId, fieldId])).length === 1
}

describe('a change of an account waits for its deletion before it locks a row that the deletion needs:', () => {
  const erasing = () =>
    begin(
      async (tx) => {
        await lockAccount(tx, accountId)
        await lockAllOf(tx, accountId)
      },
      (tx) => isValueFree(tx),
    )

  test('the deletion of a value', async () => {
    const decision = await person.linked(desk, 'name', 'first_name', 'Ada')
    const path = `/api/company-connections/${connectionId}/services/${connectionId}/mappings`
    await demand(person.calls('PUT', path, { body: { decisions: [decision] } }), 200)
    const erasure = await erasing()
    let isOver = false
    const removing = person.calls('DELETE', `/api/contact-data/${fieldId}`).finally(() => {
      isOver = true
    })
    await waitForLock(() => isOver)
    expect(await erasure.finish()).toBe(true)
    expect((await removing).status).toBe(204)
  })

  test('a re-map of a slot', async () => {
    const decision = await person.linked(desk, 'name', 'first_name', 'Ada')
    const name = { accountId, id: connectionId as Parameters<typeof changeMappings>[1]['id'] }
    const erasure = await erasing()
    let isOver = false
    const mapping = changeMappings(two.us.modules.connections.customer, name, [decision]).finally(() => {
      isOver = true
    })
    await waitForLock(() => isOver)
    expect(await erasure.finish()).toBe(true)
    await mapping
  })
})

describe('an edit and a new mapping at the same moment', () => {
  test('the edit waits for the mapping and must then send a share for it', async () => {
    const { customer } = two.us.modules.connections
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const messages: typeof customer.messages = {
      ...customer.messages,
      async tellSlots(...given) {
        reached.resolve()
        await goOn.promise
        await customer.messages.tellSlots(...given)
      },
    }
    const name = { accountId, id: connectionId as Parameters<typeof changeMappings>[1]['id'] }
    const decision = await person.linked(desk, 'name', 'first_name', 'Ada')
    const mapping = changeMappings({ ...customer, messages }, name, [decision])
    await reached.promise
    let isOver = false
    const editing = person.put('first_name', 'Grace').finally(() => {
      isOver = true
    })
    await waitForLock(() => isOver)
    expect(isOver).toBe(false)
    goOn.resolve()
    await mapping
    expect(keyOf(await editing)).toBe('contact_data.shares_incomplete')
    await desk.waitForValue(connectionId, 'name', 'Ada')
  })

  test('the mapping waits for the edit and is then refused: it sealed the old value', async () => {
    const decision = await person.linked(desk, 'name', 'first_name', 'Ada')
    const path = `/api/company-connections/${connectionId}/services/${connectionId}/mappings`
    const edit = await begin(
      async (tx) => {
        const sql = `update vault.value set rev = rev + 1 where account_id = $1 and field_id = $2`
        await runStatement(tx, sql, [accountId, fieldId])
      },
      async () => {},
    )
    let isOver = false
    const mapping = person.calls('PUT', path, { body: { decisions: [decision] } }).finally(() => {
      isOver = true
    })
    await waitForLock(() => isOver)
    expect(isOver).toBe(false)
    await edit.finish()
    const answer = await mapping
    expect([answer.status, keyOf(answer)]).toEqual([409, 'company_connections.source_changed'])
  })
})

test('the deletion of a photo locks the service before any row of its card', async () => {
  const photo =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const { id } = await demand(desk.portal('POST', '/api/photos', { body: { file: photo } }), 201)
  const serviceId = desk.serviceId as ServiceId
  await demand(desk.portal('POST', `/api/services/${serviceId}/share-photos`, { body: { photo_id: id } }), 201)
  const { database } = two.eu.platform
  const [isHeld, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const takingOff = database.transaction(async (tx) => {
    await runStatement(tx, 'select 1 from services.service where id = $1 for update', [serviceId])
    isHeld.resolve()
    await goOn.promise
    const sql = 'select 1 from services.share_photo where service_id = $1 and photo_id = $2 for update skip locked'
    return (await runStatement(tx, sql, [serviceId, id])).length === 1
  })
  await isHeld.promise
  let isOver = false
  const deleting = desk.portal('DELETE', `/api/photos/${String(id)}`).finally(() => {
    isOver = true
  })
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('it waits', 10_000, async () => {
    return isOver || (await database.read((read) => runStatement(read, waiting, []))).length > 0
  })
  goOn.resolve()
  expect(await takingOff).toBe(true)
  expect((await deleting).status).toBe(204)
}, 30_000)

test('a call that waits too long for a lock answers 503 with Retry-After', async () => {
  const locking = await begin(
    (tx) => lockAccount(tx, accountId),
    async () => {},
  )
  const answer = await person.put('first_name', 'Grace')
  await locking.finish()
  expect([answer.status, keyOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'region.unreachable', '5'])
}, 30_000)
