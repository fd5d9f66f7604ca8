import { createHash } from 'node:crypto'
import { type ConnectionId, instant, type RequestFieldId, type ServiceId, type UserId } from '@sealpost/kernel'
import type { AskedRow, ServiceFacts } from '@sealpost/protocol'
import { bodyOf, keyOf, openWorld, scaled } from '@sealpost/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Connection, ServiceAddress } from './model.ts'
import { hearFacts, hearServiceEnded, learnFacts } from './operations/learn-facts.ts'
import { findCard } from './store/cards.ts'
import { insertConnection } from './store/connections.ts'
import { changeCount, countConnections } from './store/customers.ts'
import { listMappings, putMapping } from './store/mappings.ts'
import { askedRow } from './testing/asked-row.ts'

const CONNECTIONS = '/api/company-connections'
const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld()
const { platform } = world.us
const { database, ids } = platform
const service = await world.service([{ slug: 'name' }])
const { person, connectionId } = await world.customer(service)

describe('a card photo', () => {
  const JPEG_1PX =
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////' +
    'wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z'

  test("is fetched from the company's region, and answers 404 after it is removed from the card", async () => {
    const file = `data:image/jpeg;base64,${JPEG_1PX}`
    const { id: photo_id } = await bodyOf(service.portal('POST', '/api/photos', { body: { file } }), 201)
    const card = `${service.path}/share-photos`
    const path = `${CONNECTIONS}/${connectionId}/photos/${String(photo_id)}`
    const early = await person.calls('GET', path)
    expect([early.status, keyOf(early)]).toEqual([404, 'company_data.file_not_found'])
    expect(await service.portal('POST', card, { body: { photo_id } })).toMatchObject({ status: 201 })
    await expect.poll(async () => (await person.connection(connectionId))['photo_ids'], IN_TIME).toEqual([photo_id])
    const answer = await fetch(`${person.apiUrl}${path}`, { headers: { authorization: `Bearer ${person.token}` } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(answer.headers.get('x-platform-content-sha256')).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(await service.portal('DELETE', card, { body: { photo_id } })).toMatchObject({ status: 204 })
    await expect.poll(async () => (await person.calls('GET', path)).status, IN_TIME).toBe(404)
  })
})

describe('an edit and a new mapping at the same moment', () => {
  test('never leave an old value in the slot', async () => {
    expect(await person.put('first_name', 'attempt 0')).toMatchObject({ status: 200 })
    const seen = new Set<string>()
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      world.clock.advance(1000)
      const { updated_at } = await bodyOf(person.calls('GET', `/api/contact-data/${person.field('first_name')}`))
      const text = `attempt ${attempt - 1}`
      const sealed = await person.decide(service, [{ slug: 'name', kind: 'linked', source: 'first_name', text }])
      const decisions = sealed.map((decision) => ({ ...decision, source_updated_at: updated_at }))
      const [mapped, edited] = await Promise.all([
        person.remap(service, connectionId, decisions),
        person.put('first_name', `attempt ${attempt}`),
      ])
      seen.add(`${mapped.status} ${edited.status}`)
      if (mapped.status === 200) {
        expect(keyOf(edited)).toBe('contact_data.shares_incomplete')
        expect(
          await person.put('first_name', `attempt ${attempt}`, [{ service, connectionId, slug: 'name' }]),
        ).toMatchObject({ status: 200 })
        await service.waitForValue(connectionId, 'name', `attempt ${attempt}`)
        const withdrawal = { slug: 'name', kind: 'none' } as const
        expect(await person.remap(service, connectionId, [withdrawal])).toMatchObject({ status: 200 })
      } else
        expect([mapped.status, keyOf(mapped), edited.status]).toEqual([409, 'company_connections.source_changed', 200])
    }
    expect(seen).not.toContain('200 200')
  })
})

describe('a change of a whole service', () => {
  const [serviceId, companyId] = [ids.uuid<ServiceId>(), ids.uuid<UserId>()]
  const address: ServiceAddress = { serviceId, companyId, companyRegion: 'eu' }
  const rowIds = Array.from({ length: 4 }, () => ids.uuid<RequestFieldId>())
  const row = (no: number): AskedRow => askedRow(`row_${no}`, { id: rowIds[no] ?? expect.fail('no row') })
  const facts = (rev: number, more: Partial<ServiceFacts> = {}): ServiceFacts => ({
    company_id: companyId,
    service_id: serviceId,
    rev,
    company: { display_name: 'A company', share_code: 'AAAAAA' },
    name: 'A service',
    code: 'A',
    audience: 'both',
    public_key: 'a key',
    rows: [row(1), row(2)],
    card: [],
    photo_ids: [],
    ...more,
  })
  const MANY = 1100
  const connections = Array.from({ length: MANY }, (_, no): Connection => ({
    ...address,
    accountId: ids.uuid<UserId>(),
    id: ids.uuid<ConnectionId>(),
    userType: no % 2 === 0 ? 'company' : 'person',
    state: 'open',
    companyPublicKey: null,
    servicePublicKey: 'a key',
    displayName: 'A customer',
    openedBy: null,
    requestId: null,
    deviceRecord: null,
    rev: 1,
    createdAt: instant(0),
    connectedAt: instant(0),
  }))
  const connectionOf = (no: number): Connection => connections.at(no) ?? expect.fail('no connection')

  beforeAll(async () => {
    await database.transaction(async (tx) => {
      await learnFacts(platform, tx, address, facts(1))
      for (const connection of connections) {
        await insertConnection(tx, connection)
        await changeCount(tx, connection.accountId, 1)
        const mapping = { state: 'answered', kind: 'typed', live: true, sourceFieldId: null, rev: 1 } as const
        const requestFieldId = rowIds[2] ?? expect.fail('no row')
        await putMapping(tx, connection, { ...mapping, requestFieldId, providedAt: instant(0), decisionSha256: null })
      }
    })
  })

  const fanOuts = () => world.rows('select 1 from jobs.job where key = $1', [serviceId], 'us')
  const eventsOf = (accountId: UserId) => world.rows('select 1 from feed.event where owner_id = $1', [accountId], 'us')

  const tell = (newFacts: ServiceFacts, from: ServiceAddress = address) =>
    database.transaction((tx) => hearFacts(platform, tx, from, newFacts))
  const revision = async () => (await database.read((read) => findCard(read, serviceId)))?.rev

  async function fanOutDone(): Promise<void> {
    await platform.jobs.runDue()
    await expect.poll(fanOuts, IN_TIME).toEqual([])
  }

  test('reaches every connection once, from a reply or a tell, also when repeated', async () => {
    const newFacts = facts(5, { rows: [row(1), row(3)], card: [{ slug: 'a', label: 'A', type: 'text', value: 'a' }] })
    await tell(newFacts)
    await tell(facts(4, { rows: [] }))
    await tell(newFacts)
    await fanOutDone()
    for (const no of [0, 1, 499, 500, MANY - 1]) {
      const { accountId, id, userType } = connectionOf(no)
      expect(await database.read((read) => listMappings(read, accountId, [id]))).toEqual([])
      expect(await eventsOf(accountId)).toHaveLength(userType === 'company' ? 2 : 0)
    }
    expect(await revision()).toBe(5)
  })

  test("is accepted from the service's own region only", async () => {
    await tell(facts(9), { ...address, companyRegion: 'us' })
    await tell(facts(9), { ...address, companyId: ids.uuid<UserId>() })
    expect(await revision()).toBe(5)
    const unknown = { ...address, serviceId: ids.uuid<ServiceId>() }
    await tell(facts(9), unknown)
    expect(await database.read((read) => findCard(read, unknown.serviceId))).toBeNull()
  })

  test('can be its end, which reaches every connection; no connection opens after it', async () => {
    await database.transaction((tx) =>
      hearServiceEnded(world.us.modules.connections.customer, tx, { ...address, companyRegion: 'us' }),
    )
    expect(await fanOuts()).toEqual([])
    await database.transaction((tx) => hearServiceEnded(world.us.modules.connections.customer, tx, address))
    await database.transaction((tx) => hearServiceEnded(world.us.modules.connections.customer, tx, address))
    await fanOutDone()
    const { accountId } = connectionOf(MANY - 2)
    expect(await database.read((read) => countConnections(read, accountId))).toBe(0)
    expect(await eventsOf(accountId)).toHaveLength(3)
    await tell(facts(20))
    expect(await revision()).toBe(5)
  })
})
