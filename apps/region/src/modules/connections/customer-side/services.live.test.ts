import { createHash } from 'node:crypto'
import { type ConnectionId, instant, type RequestFieldId, type ServiceId, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import type { AskedRow, ServiceFacts } from '@sealpost/protocol'
import {
  demand,
  keyOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection, ServiceAddress } from './model.ts'
import { hearFacts, hearServiceEnded, learnFacts } from './operations/learn-facts.ts'
import { findCard } from './store/cards.ts'
import { insertConnection } from './store/connections.ts'
import { changeCount, countConnections } from './store/customers.ts'
import { listMappings, putMapping } from './store/mappings.ts'

let two: TwoRegions
let person: TestCustomer

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
})
afterAll(() => two.close())

describe('a card photo', () => {
  const JPEG_1PX =
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////' +
    'wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z'

  test("is fetched from the company's region, and answers 404 after it is removed from the card", async () => {
    const desk = await openDesk(two, [])
    const id = await person.connected(desk, [])
    const photo = await demand(
      desk.portal('POST', '/api/photos', { body: { file: `data:image/jpeg;base64,${JPEG_1PX}` } }),
      201,
    )
    const photoId = String(photo['id'])
    const at = `/api/services/${desk.serviceId}/share-photos`
    const path = `/api/company-connections/${id}/photos/${photoId}`
    const early = await person.calls('GET', path)
    expect([early.status, keyOf(early)]).toEqual([404, 'company_data.file_not_found'])
    await demand(desk.portal('POST', at, { body: { photo_id: photoId } }), 201)
    await waitUntil('the card has it', 15_000, async () => {
      return JSON.stringify((await person.read(id))['photo_ids']) === JSON.stringify([photoId])
    })
    const answer = await fetch(`${person.owner.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${person.owner.token}` },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(answer.headers.get('x-platform-content-sha256')).toBe(createHash('sha256').update(bytes).digest('hex'))
    await demand(desk.portal('DELETE', at, { body: { photo_id: photoId } }), 204)
    await waitUntil('it is gone', 15_000, async () => (await person.calls('GET', path)).status === 404)
  })
})

describe('an edit and a new mapping at the same moment', () => {
  test('never leave an old value in the slot', async () => {
    const desk = await openDesk(two, [{ slug: 'name' }])
    await demand(person.put('first_name', 'attempt 0'), 200)
    const id = await person.connected(desk, [])
    const path = `/api/company-connections/${id}/services/${id}/mappings`
    const seen = new Set<string>()
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      two.clock.advance(1000)
      const field = (await person.calls('GET', `/api/contact-data/${person.field('first_name')}`)).body
      const decision = {
        ...(await person.linked(desk, 'name', 'first_name', `attempt ${attempt - 1}`)),
        source_updated_at: field['updated_at'],
      }
      const [mapped, edited] = await Promise.all([
        person.calls('PUT', path, { body: { decisions: [decision] } }),
        person.put('first_name', `attempt ${attempt}`),
      ])
      seen.add(`${mapped.status} ${edited.status}`)
      if (mapped.status === 200) {
        expect(keyOf(edited)).toBe('contact_data.shares_incomplete')
        await demand(person.put('first_name', `attempt ${attempt}`, [{ desk, connectionId: id, slug: 'name' }]), 200)
        await desk.waitForValue(id, 'name', `attempt ${attempt}`)
        await demand(person.calls('PUT', path, { body: { decisions: [] } }), 200)
      } else
        expect([mapped.status, keyOf(mapped), edited.status]).toEqual([409, 'company_connections.source_changed', 200])
    }
    expect(seen).not.toContain('200 200')
  }, 60_000)
})

describe('a change of a whole service', () => {
  const serviceId = '019a0000-0000-7000-8000-00000000f001' as ServiceId
  const companyId = '019a0000-0000-7000-8000-00000000f002' as UserId
  const address: ServiceAddress = { serviceId, companyId, companyRegion: 'eu' }
  const row = (no: number): AskedRow => ({
    id: `019a0000-0000-7000-8000-00000000f1${no}0`,
    slug: `row_${no}`,
    label: 'A row',
    type: 'text',
    field_type: {},
    lane: 'inline',
    one_time: false,
    mandatory_provide: false,
    mandatory_connected: false,
    audience: 'both',
    verified: false,
    verified_max_age_days: null,
    plugin: null,
  })
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
  const idOf = (kind: 'a' | 'c', no: number) => `019a0000-0000-7000-8000-0000${kind}${no.toString(16).padStart(7, '0')}`
  const connectionOf = (no: number): Connection => ({
    ...address,
    accountId: idOf('a', no) as UserId,
    id: idOf('c', no) as ConnectionId,
    userType: no % 2 === 0 ? 'company' : 'person',
    state: 'open',
    companyPublicKey: null,
    servicePublicKey: 'a key',
    displayName: 'A customer',
    openedBy: null,
    requestId: null,
    rev: 1,
    createdAt: instant(0),
    connectedAt: instant(0),
  })

  beforeAll(async () => {
    await two.us.platform.database.transaction(async (tx) => {
      await learnFacts(two.us.platform, tx, address, facts(1))
      for (let no = 0; no < MANY; no += 1) {
        const connection = connectionOf(no)
        await insertConnection(tx, connection)
        await changeCount(tx, connection.accountId, 1)
        const mapping = { state: 'answered', kind: 'typed', live: true, sourceFieldId: null, rev: 1 } as const
        const requestFieldId = row(2).id as RequestFieldId
        await putMapping(tx, connection, { ...mapping, requestFieldId, providedAt: instant(0) })
      }
    })
  })

  async function count(sql: string, owner: string): Promise<number> {
    return (await two.us.platform.database.read((read) => runStatement(read, sql, [owner]))).length
  }
  const countFanOuts = () => count('select 1 from jobs.job where key = $1', serviceId)
  const countEvents = (accountId: UserId) => count('select 1 from feed.event where owner_id = $1', accountId)

  const tell = (newFacts: ServiceFacts, from: ServiceAddress = address) =>
    two.us.platform.database.transaction((tx) => hearFacts(two.us.platform, tx, from, newFacts))

  async function fanOutDone(): Promise<void> {
    await two.us.platform.jobs.runDue()
    await waitUntil('the work is done', 20_000, async () => (await countFanOuts()) === 0)
  }

  test('reaches every connection once, from a reply or a tell, also when repeated', async () => {
    const newFacts = facts(5, { rows: [row(1), row(3)], card: [{ slug: 'a', label: 'A', type: 'text', value: 'a' }] })
    await tell(newFacts)
    await tell(facts(4, { rows: [] }))
    await tell(newFacts)
    await fanOutDone()
    const { database } = two.us.platform
    for (const no of [0, 1, 499, 500, MANY - 1]) {
      const { accountId, id, userType } = connectionOf(no)
      expect(await database.read((read) => listMappings(read, accountId, [id]))).toEqual([])
      expect(await countEvents(accountId)).toBe(userType === 'company' ? 2 : 0)
    }
    expect((await database.read((read) => findCard(read, serviceId)))?.rev).toBe(5)
  })

  test("is accepted from the service's own region only", async () => {
    await tell(facts(9), { ...address, companyRegion: 'us' })
    await tell(facts(9), { ...address, companyId: idOf('a', 1) as UserId })
    expect((await two.us.platform.database.read((read) => findCard(read, serviceId)))?.rev).toBe(5)
    const unknown = { ...address, serviceId: idOf('c', 999_999) as ServiceId }
    await tell(facts(9), unknown)
    expect(await two.us.platform.database.read((read) => findCard(read, unknown.serviceId))).toBeNull()
  })

  test('can be its end, which reaches every connection; no connection opens after it', async () => {
    const { database } = two.us.platform
    await database.transaction((tx) => hearServiceEnded(two.us.platform, tx, { ...address, companyRegion: 'us' }))
    expect(await countFanOuts()).toBe(0)
    await database.transaction((tx) => hearServiceEnded(two.us.platform, tx, address))
    await database.transaction((tx) => hearServiceEnded(two.us.platform, tx, address))
    await fanOutDone()
    const { accountId } = connectionOf(MANY - 2)
    expect(await database.read((read) => countConnections(read, accountId))).toBe(0)
    expect(await countEvents(accountId)).toBe(3)
    await tell(facts(20))
    expect((await database.read((read) => findCard(read, serviceId)))?.rev).toBe(5)
  })
})
