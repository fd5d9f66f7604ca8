import { parseParty } from '@sealpost/bus'
import { formatInstant } from '@sealpost/kernel'
import { objectKey } from '@sealpost/objects'
import { runStatement, withAnswerStore } from '@sealpost/postgres'
import { slotsChangedTell } from '@sealpost/protocol'
import {
  connectTo,
  demand,
  newShopper,
  openShop,
  openShopService,
  type Owner,
  rowIdOf,
  sealTo,
  type Shop,
  startTwoRegions,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestConnection } from './operations/connect-requests.ts'
import { takeFile } from './operations/take-file.ts'

const INBOX = '/api/customer/connect-requests'
const EU = parseParty('eu')

let two: TwoRegions
let shop: Shop

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', RATE_CHANGES: '6000' })
  shop = await openShop(two, [
    { slug: 'mail', type: 'email' },
    { slug: 'face', type: 'photo' },
  ])
})
afterAll(() => two.close())

const nameOf = ({ company, service }: Shop) => ({ companyId: company.userId, serviceId: service.serviceId })
const invite = (at: Shop, person: Owner) =>
  at.data('POST', '/api/company-data/connect-requests', { body: { share_code: person.user.shareCode } })

async function inboxOf(person: Owner): Promise<readonly unknown[]> {
  const { connect_requests } = await demand(person.call('GET', INBOX))
  return connect_requests as unknown[]
}

/** Resolves when a transaction waits for a lock, or when `isOver` returns true. */
async function waitForLock(isOver: () => boolean): Promise<void> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('it waits or is over', 10_000, async () => {
    return isOver() || (await two.eu.platform.database.read((read) => runStatement(read, sql, []))).length > 0
  })
}

describe('a connect request', () => {
  test('is closed when its service is deleted, also in a region without customers', async () => {
    const ending = await openShopService(two, shop.company, shop.portal)
    const person = await newShopper(two)
    await demand(invite(ending, person), 201)
    await waitUntil('the request has come', 20_000, async () => (await inboxOf(person)).length === 1)
    await demand(ending.portal('DELETE', `/api/services/${ending.service.serviceId}`), 204)
    await waitUntil('the request is gone', 20_000, async () => (await inboxOf(person)).length === 0)
  })

  test('is refused if its service is being deleted', async () => {
    const ending = await openShopService(two, shop.company, shop.portal)
    const person = await newShopper(two)
    const { companyId, serviceId } = nameOf(ending)
    const [marked, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deleting = two.eu.platform.database.transaction(async (tx) => {
      const sql = `update services.service set state = 'deleting' where company_id = $1 and id = $2`
      await runStatement(tx, sql, [companyId, serviceId])
      marked.resolve()
      await finish.promise
    })
    await marked.promise
    let isAnswered = false
    const sending = invite(ending, person).finally(() => {
      isAnswered = true
    })
    await waitForLock(() => isAnswered)
    finish.resolve()
    await deleting
    expect((await sending).status).toBe(401)
    const left = await two.eu.platform.database.read((read) =>
      runStatement(read, 'select 1 from connections_service.connect_request where service_id = $1', [serviceId]),
    )
    expect(left).toEqual([])
  })

  test('is closed when the person connects at the same moment', async () => {
    const fresh = await openShopService(two, shop.company, shop.portal)
    const person = await newShopper(two)
    const [asked, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const invitation = { shareCode: person.user.shareCode, message: null }
    const delayCommit = async (): Promise<void> => {
      asked.resolve()
      await finish.promise
    }
    const asking = withAnswerStore(delayCommit, () =>
      requestConnection(two.eu.modules.connections.service, nameOf(fresh), invitation),
    )
    await asked.promise
    let isConnected = false
    const connecting = connectTo(fresh, person).finally(() => {
      isConnected = true
    })
    await waitForLock(() => isConnected)
    finish.resolve()
    await Promise.all([asking, connecting])
    const states = await two.eu.platform.database.read((read) =>
      runStatement<{ state: string }>(
        read,
        'select state from connections_service.connect_request where service_id = $1',
        [fresh.service.serviceId],
      ),
    )
    expect(states).toEqual([{ state: 'closed' }])
    await waitUntil('the request is gone', 20_000, async () => (await inboxOf(person)).length === 0)
  }, 30_000)
})

test('an invalid tell blocks the lane of its own connection only, and is logged', async () => {
  const [odd, sound] = [await newShopper(two), await newShopper(two)]
  const [blocked, free] = [await connectTo(shop, odd), await connectTo(shop, sound)]
  const at = formatInstant(two.clock.now())
  const value = await sealTo(shop.service.publicKey, 'mara@home.example')
  const base = { rev: 3, live: true, is_private: true, file: null, attested: null, at, value }
  const tell = async (connection_id: string, slug: string, change: object = {}) => {
    const answer = { ...base, request_field_id: await rowIdOf(shop, slug), ...change }
    const names = { company_id: shop.company.userId, service_id: shop.service.serviceId, connection_id }
    const body = slotsChangedTell.parse({ ...names, changes: [{ act: 'set', cause: 'edit', answer }] })
    await two.us.platform.database.transaction((tx) =>
      two.us.platform.bus.tell(tx, slotsChangedTell, { to: EU, key: connection_id, body }),
    )
  }
  const file = { form: 'sealed', content_type: 'application/json', sha256: 'a'.repeat(64), bytes: 3 }
  await tell(blocked, 'face', { value: null, file })
  await tell(blocked, 'mail')
  await tell(free, 'mail')
  const valuesOf = async (id: string) =>
    Object.keys(Object(await demand(shop.data('GET', `/api/company-data/connections/${id}`)))['values'] as object)
  await waitUntil('the other connection has its value', 20_000, async () => (await valuesOf(free)).includes('mail'))
  await waitUntil('the log reports the blocked lane', 20_000, () =>
    two.telemetry.text().includes('the attachment of a slot change is missing or is not the announced file'),
  )
  expect(await valuesOf(blocked)).toEqual([])
}, 60_000)

test('a file copied by a process that crashed is removed later', async () => {
  const { service: context } = two.eu.modules.connections
  const key = objectKey(two.us.modules.connections.service.random)
  const stored = await two.us.platform.objects.put(key, Buffer.from('a file'), { contentType: 'text/plain' })
  if (!stored.ok) expect.fail('not stored')
  const url = await two.us.platform.objects.presignGet(key, 60)
  let isCopied = false
  const objects: typeof context.objects = {
    ...context.objects,
    async putStream(...given) {
      const outcome = await context.objects.putStream(...given)
      isCopied = true
      return outcome
    },
  }
  const database: typeof context.database = {
    ...context.database,
    transaction: (work) => (isCopied ? Promise.reject(new Error('dead')) : context.database.transaction(work)),
  }
  const { sha256, sizeBytes: bytes } = stored.value
  const listed = () =>
    context.database.read((read) =>
      runStatement<{ object_key: string }>(read, 'select object_key from vault.garbage', []),
    )
  const before = new Set((await listed()).map((row) => row.object_key))
  await expect(takeFile({ ...context, objects, database }, { ...nameOf(shop), url, sha256, bytes })).rejects.toThrow(
    'dead',
  )
  const added = (await listed()).filter((row) => !before.has(row.object_key))
  expect(added).toHaveLength(1)
})
