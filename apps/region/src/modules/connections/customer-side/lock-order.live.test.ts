import { type ConnectionId, type FieldId, parseUuid } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import { bodyOf, dataUri, holdTransaction, keyOf, openWorld, untilBlocked } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { lockAccount } from '../../account/index.ts'
import { changeMappings } from './operations/change-mappings.ts'
import { lockAllOf } from './store/connections.ts'

const LINKED = { slug: 'name', kind: 'linked', source: 'first_name', text: 'Ada' } as const
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const { database } = world.us.platform
const { customer: context } = world.us.modules.connections

/** A person with a first name and a connection that shares nothing yet. */
async function openConnection() {
  const { person, connectionId } = await world.customer(service)
  const fieldId = parseUuid<FieldId>(person.field('first_name')) ?? expect.fail('no field')
  const id = parseUuid<ConnectionId>(connectionId) ?? expect.fail('no connection')
  expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })
  return { person, accountId: person.userId, fieldId, id }
}

type Opened = Awaited<ReturnType<typeof openConnection>>

/** Whether the row can be locked without waiting. */
async function isValueFree(tx: Tx, { accountId, fieldId }: Opened): Promise<boolean> {
  const sql = `select 1 from vault.value where account_id = $1 and field_id = $2 for update skip locked`
  return (await runStatement(tx, sql, [accountId, fieldId])).length === 1
}

describe('a change of an account waits for its deletion before it locks a row that the deletion needs:', () => {
  const erase = (opened: Opened) =>
    holdTransaction(
      database,
      async (tx) => {
        await lockAccount(tx, opened.accountId)
        await lockAllOf(tx, opened.accountId)
      },
      (tx) => isValueFree(tx, opened),
    )

  test('the deletion of a value', async () => {
    const opened = await openConnection()
    const { person, id, fieldId } = opened
    expect(await person.remap(service, id, [LINKED])).toMatchObject({ status: 200 })
    const erasure = await erase(opened)
    const { result } = await untilBlocked(database, person.calls('DELETE', `/api/contact-data/${fieldId}`))
    expect(await erasure.finish()).toBe(true)
    expect((await result).status).toBe(204)
  })

  test('a re-map of a slot', async () => {
    const opened = await openConnection()
    const { person, accountId, id } = opened
    const decisions = await person.decide(service, [LINKED])
    const erasure = await erase(opened)
    const { result } = await untilBlocked(database, changeMappings(context, { accountId, id }, { decisions }))
    expect(await erasure.finish()).toBe(true)
    await result
  })
})

describe('an edit and a new mapping at the same moment', () => {
  test('the edit waits for the mapping and must then send a share for it', async () => {
    const { person, accountId, id } = await openConnection()
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const messages: typeof context.messages = {
      ...context.messages,
      async tellSlots(...given) {
        reached.resolve()
        await goOn.promise
        await context.messages.tellSlots(...given)
      },
    }
    const decisions = await person.decide(service, [LINKED])
    const mapping = changeMappings({ ...context, messages }, { accountId, id }, { decisions })
    await reached.promise
    const editing = await untilBlocked(database, person.put('first_name', 'Grace'))
    expect(editing.isOver).toBe(false)
    goOn.resolve()
    await mapping
    expect(keyOf(await editing.result)).toBe('contact_data.shares_incomplete')
    await service.waitForValue(id, 'name', 'Ada')
  })

  test('the mapping waits for the edit and is then refused: it sealed the old value', async () => {
    const { person, accountId, fieldId, id } = await openConnection()
    const sql = `update vault.value set rev = rev + 1 where account_id = $1 and field_id = $2`
    const edit = await holdTransaction(database, (tx) => runStatement(tx, sql, [accountId, fieldId]))
    const mapping = await untilBlocked(database, person.remap(service, id, [LINKED]))
    expect(mapping.isOver).toBe(false)
    await edit.finish()
    const answer = await mapping.result
    expect([answer.status, keyOf(answer)]).toEqual([409, 'company_connections.source_changed'])
  })
})

test('the deletion of a photo locks the service before any row of its card', async () => {
  const { portal, path, serviceId } = service
  const { id } = await bodyOf(portal('POST', '/api/photos', { body: { file: dataUri('image/png', PNG) } }), 201)
  expect(await portal('POST', `${path}/share-photos`, { body: { photo_id: id } })).toMatchObject({ status: 201 })
  const removal = await holdTransaction(
    world.eu.platform.database,
    (tx) => runStatement(tx, 'select 1 from services.service where id = $1 for update', [serviceId]),
    async (tx) => {
      const sql = 'select 1 from services.share_photo where service_id = $1 and photo_id = $2 for update skip locked'
      return (await runStatement(tx, sql, [serviceId, id])).length === 1
    },
  )
  const deletion = await untilBlocked(world.eu.platform.database, portal('DELETE', `/api/photos/${String(id)}`))
  expect(await removal.finish()).toBe(true)
  expect((await deletion.result).status).toBe(204)
})

test('a call that waits too long for a lock answers 503 with Retry-After', async () => {
  const hasty = await world.another('us', { DATABASE_WAIT_MS: '2000' })
  const { person, accountId, fieldId } = await openConnection()
  const body = { value: await person.sealToSelf('Grace') }
  const locking = await holdTransaction(database, (tx) => lockAccount(tx, accountId))
  const answer = await person.calls('PUT', `/api/contact-data/${fieldId}`, { url: hasty.url ?? '', body })
  await locking.finish()
  expect([answer.status, keyOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'platform.busy', '1'])
})
