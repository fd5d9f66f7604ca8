import { parseParty } from '@sealpost/bus'
import { objectKey } from '@sealpost/objects'
import { runStatement, withAnswerStore } from '@sealpost/postgres'
import { slotsChangedTell } from '@sealpost/protocol'
import {
  holdTransaction,
  membersOf,
  openWorld,
  type Person,
  scaled,
  type Service,
  untilBlocked,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { requestConnection } from './operations/connect-requests.ts'
import { takeFile } from './operations/take-file.ts'

const EU = parseParty('eu')
const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld({ own: true })
const { database } = world.eu.platform
const { service: context } = world.eu.modules.connections
const service = await world.service([
  { slug: 'mail', type: 'email' },
  { slug: 'face', type: 'photo' },
])

const nameOf = ({ company, serviceId }: Service) => ({ companyId: company.companyId, serviceId })
const invite = (at: Service, { shareCode }: Person) =>
  at.data('POST', '/api/company-data/connect-requests', { body: { share_code: shareCode } })

describe('a connect request', () => {
  test('is closed when its service is deleted, also in a region without customers', async () => {
    const ending = await world.service([], { company: service.company })
    const person = await world.person()
    expect((await invite(ending, person)).status).toBe(201)
    await expect.poll(() => person.connectRequests(), IN_TIME).toHaveLength(1)
    expect((await ending.portal('DELETE', ending.path)).status).toBe(204)
    await expect.poll(() => person.connectRequests(), IN_TIME).toEqual([])
  })

  test('is refused if its service is being deleted', async () => {
    const ending = await world.service([], { company: service.company })
    const person = await world.person()
    const { companyId, serviceId } = nameOf(ending)
    const deletion = await holdTransaction(database, (tx) => {
      const sql = `update services.service set state = 'deleting' where company_id = $1 and id = $2`
      return runStatement(tx, sql, [companyId, serviceId])
    })
    const sending = await untilBlocked(database, invite(ending, person))
    await deletion.finish()
    expect((await sending.result).status).toBe(401)
    const left = 'select 1 from connections_service.connect_request where service_id = $1'
    expect(await world.rows(left, [serviceId])).toEqual([])
  })

  test('is closed when the person connects at the same moment', async () => {
    const fresh = await world.service([], { company: service.company })
    const person = await world.person()
    const [asked, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const invitation = { shareCode: person.shareCode, message: null }
    const delayCommit = async (): Promise<void> => {
      asked.resolve()
      await finish.promise
    }
    const asking = withAnswerStore(delayCommit, () => requestConnection(context, nameOf(fresh), invitation))
    await asked.promise
    const connecting = await untilBlocked(database, person.connected(fresh))
    finish.resolve()
    await Promise.all([asking, connecting.result])
    const states = await world.rows('select state from connections_service.connect_request where service_id = $1', [
      fresh.serviceId,
    ])
    expect(states).toEqual([{ state: 'closed' }])
    await expect.poll(() => person.connectRequests(), IN_TIME).toEqual([])
  })
})

test('an invalid tell blocks the lane of its own connection only, and is logged', async () => {
  const [blocked, free] = [await world.customer(service), await world.customer(service)]
  const value = await service.seal('mara@home.example')
  const base = { rev: 3, live: true, is_private: true, file: null, attested: null, at: world.time(), value }
  const tell = async ({ connectionId: connection_id }: typeof blocked, slug: string, change: object = {}) => {
    const answer = { ...base, request_field_id: service.row(slug), ...change }
    const names = { company_id: service.company.companyId, service_id: service.serviceId, connection_id }
    const body = slotsChangedTell.parse({ ...names, changes: [{ act: 'set', cause: 'edit', answer }] })
    const { bus, database: sending } = world.us.platform
    await sending.transaction((tx) => bus.tell(tx, slotsChangedTell, { to: EU, key: connection_id, body }))
  }
  await tell(blocked, 'mail', { value: 'in the clear' })
  await tell(blocked, 'mail')
  await tell(free, 'mail')
  await service.waitForValue(free.connectionId, 'mail', 'mara@home.example')
  await expect.poll(() => world.telemetry.text(), IN_TIME).toContain('invalid answer to request field')
  expect(membersOf((await service.read(blocked.connectionId))?.['values'])).toEqual({})
})

test('a file copied by a process that crashed is removed later', async () => {
  const { objects: source } = world.us.platform
  const key = objectKey(world.us.modules.connections.service.random)
  const stored = await source.put(key, Buffer.from('a file'), { contentType: 'text/plain' })
  if (!stored.ok) expect.fail('not stored')
  const url = await source.presignGet(key, 60)
  let isCopied = false
  const objects: typeof context.objects = {
    ...context.objects,
    async putStream(...given) {
      const outcome = await context.objects.putStream(...given)
      isCopied = true
      return outcome
    },
  }
  const crashing: typeof context.database = {
    ...database,
    transaction: (work) => (isCopied ? Promise.reject(new Error('dead')) : database.transaction(work)),
  }
  const { sha256, sizeBytes: bytes } = stored.value
  const listed = async () => {
    const rows = await world.rows<{ object_key: string }>('select object_key from vault.garbage')
    return rows.map((row) => row.object_key)
  }
  const before = new Set(await listed())
  const taking = takeFile({ ...context, objects, database: crashing }, { ...nameOf(service), url, sha256, bytes })
  await expect(taking).rejects.toThrow('dead')
  expect((await listed()).filter((objectKeys) => !before.has(objectKeys))).toHaveLength(1)
})
