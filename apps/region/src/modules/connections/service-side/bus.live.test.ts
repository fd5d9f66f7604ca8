import { parseParty } from '@sealpost/bus'
import { formatInstant } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  connectAsk,
  customerGoneTell,
  endConnectionAsk,
  lookUpServiceAsk,
  type SlotAnswer,
  slotsChangedTell,
  takeFileAsk,
} from '@sealpost/protocol'
import {
  connectTo,
  demand,
  drainFeed,
  newShopper,
  newOwner,
  openSealed,
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

/** Messages that the code of another region might not send: the service side validates them itself. */
const EU = parseParty('eu')
const rows = [
  { slug: 'mail', type: 'email' },
  { slug: 'face', type: 'photo' },
]

let two: TwoRegions
let shop: Shop

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', RATE_CHANGES: '6000' })
  shop = await openShop(two, rows)
})
afterAll(() => two.close())

function named(at: Shop = shop) {
  return { company_id: at.company.userId, service_id: at.service.serviceId }
}

function facts({ user }: Owner, region = 'us') {
  return {
    user_id: user.userId,
    user_type: user.userType,
    region,
    share_code: user.shareCode,
    display_name: user.displayName,
    public_key: user.keys.publicKey,
  }
}

async function answerTo(slug: string, given: Partial<SlotAnswer> = {}): Promise<SlotAnswer> {
  const at = formatInstant(two.clock.now())
  const value = await sealTo(shop.service.publicKey, 'mara@home.example')
  const request_field_id = await rowIdOf(shop, slug)
  return { request_field_id, rev: 1, live: true, is_private: true, value, file: null, attested: null, at, ...given }
}

interface Wish {
  readonly id?: string
  readonly answers?: SlotAnswer[]
  readonly files?: Record<string, string>
  readonly at?: Shop
  readonly region?: string
  readonly requestId?: string
}

function ask(
  person: Owner,
  { id = two.us.platform.ids.uuid(), answers = [], files = {}, at = shop, ...more }: Wish = {},
) {
  const { region, requestId = null } = more
  const customer = facts(person, region)
  const body = { ...named(at), connection_id: id, customer, answers, files, request_id: requestId }
  return two.us.platform.bus.ask(connectAsk, { to: EU, id: `connect:${two.us.platform.ids.uuid()}`, body })
}

async function tell(connection_id: string, changes: Parameters<typeof tellChanges>[1]): Promise<void> {
  await tellChanges(connection_id, changes)
  // A lane is ordered: when this change has been applied, all earlier ones have been, too.
  await waitUntil('the tells have been applied', 20_000, async () => {
    const [row] = await two.us.platform.database.read((read) =>
      runStatement<{ open: number }>(
        read,
        'select count(*)::int as open from bus.lane where key = $1 and confirmed_seq < last_seq',
        [connection_id],
      ),
    )
    return row?.open === 0
  })
}

function tellChanges(connection_id: string, changes: ReturnType<typeof slotsChangedTell.parse>['changes']) {
  return two.us.platform.database.transaction((tx) =>
    two.us.platform.bus.tell(tx, slotsChangedTell, {
      to: EU,
      key: connection_id,
      body: { ...named(), connection_id, changes },
    }),
  )
}

async function valueOf(id: string, slug: string): Promise<string | null> {
  const { values } = await demand(shop.data('GET', `/api/company-data/connections/${id}`))
  const value = (values as Record<string, Record<string, unknown>>)[slug]?.['value']
  return value === undefined ? null : openSealed(shop, value)
}

describe('the look-up of a service', () => {
  test('returns the facts by code or by id', async () => {
    const look = (code: string | null, service_id: string | null) =>
      two.us.platform.bus.ask(lookUpServiceAsk, { to: EU, body: { company_id: shop.company.userId, code, service_id } })
    const { facts: byCode } = await look(shop.code.split('/')[1] ?? '', null)
    expect(byCode).toMatchObject({
      ...named(),
      company: { display_name: 'A shop', share_code: shop.company.shareCode },
      public_key: shop.service.publicKey,
      rows: [
        { slug: 'mail', lane: 'inline', field_type: { input: 'line', known: true } },
        { slug: 'face', lane: 'photo' },
      ],
    })
    expect(await look(null, shop.service.serviceId)).toEqual({ facts: byCode })
    expect(await look('NONE', null)).toEqual({ facts: null })
  })
})

describe('connecting', () => {
  test('is idempotent; an ask with another id is answered with the first connection', async () => {
    const person = await newShopper(two)
    const id = await connectTo(shop, person)
    expect(await ask(person, { id })).toMatchObject({ outcome: 'connected' })
    expect(await ask(person)).toMatchObject({ outcome: 'exists', connection_id: id })
    const created = (await drainFeed(shop)).filter((event) => event['connection_id'] === id)
    expect(created.map(({ event }) => event)).toEqual(['connection_created'])
  })

  test('is validated again on the service side: type of customer, rows, sealing, request', async () => {
    const person = await newShopper(two)
    const clear = await answerTo('mail', { value: 'mara@home.example' })
    expect(await ask(person, { answers: [clear] })).toMatchObject({ outcome: 'invalid' })
    const unasked = { ...(await answerTo('mail')), request_field_id: two.us.platform.ids.uuid() }
    expect(await ask(person, { answers: [unasked] })).toMatchObject({ outcome: 'invalid' })
    expect(await ask(person, { requestId: two.us.platform.ids.uuid() })).toEqual({ outcome: 'no_request' })
    const gone = { ...shop, service: { ...shop.service, serviceId: two.us.platform.ids.uuid() as never } }
    expect(await ask(person, { at: gone })).toEqual({ outcome: 'no_service' })
    const must = await openShopService(two, shop.company, shop.portal, [
      { slug: 'need', type: 'text', mandatory_provide: true },
      { slug: 'vat', type: 'text', mandatory_provide: true, audience: 'company' },
    ])
    expect(await ask(person, { at: must })).toEqual({ outcome: 'mandatory_missing', slugs: ['need'] })
    const path = `/api/services/${must.service.serviceId}`
    await demand(shop.portal('PUT', path, { body: { name: 'B2B', audience: 'company' } }))
    expect(await ask(person, { at: must })).toEqual({ outcome: 'audience' })
    expect((await demand(shop.data('GET', '/api/company-data/connections')))['total']).toBe(1)
  })

  test('is refused for a customer of another region than the asking one', async () => {
    await expect(ask(await newShopper(two), { region: 'eu' })).rejects.toThrow()
  })

  test('requires that each file was taken for this service and is the named one', async () => {
    const person = await newShopper(two)
    const sha256 = 'a'.repeat(64)
    const file = { form: 'sealed', content_type: 'application/json', sha256, bytes: 3 } as const
    const answer = await answerTo('face', { value: null, file })
    const files = { [answer.request_field_id]: 'ab'.repeat(24) }
    expect(await ask(person, { answers: [answer], files })).toMatchObject({ outcome: 'invalid' })
    const unreachable = { ...named(), url: 'http://127.0.0.1:9/none', sha256, bytes: 3 }
    const taken = await two.us.platform.bus.ask(takeFileAsk, { to: EU, body: unreachable })
    expect(taken).toEqual({ object_key: null })
  })
})

describe('changes of slots', () => {
  test('an older change never replaces a newer one', async () => {
    const person = await newShopper(two)
    const id = await connectTo(shop, person)
    const set = async (rev: number, text: string) => ({
      act: 'set' as const,
      cause: 'edit' as const,
      answer: await answerTo('mail', { rev, value: await sealTo(shop.service.publicKey, text) }),
    })
    await tell(id, [await set(7, 'new@home.example')])
    await tell(id, [await set(6, 'old@home.example')])
    expect(await valueOf(id, 'mail')).toBe('new@home.example')
    const drop = {
      act: 'drop' as const,
      request_field_id: await rowIdOf(shop, 'mail'),
      at: formatInstant(two.clock.now()),
    }
    await tell(id, [{ ...drop, rev: 5 }])
    expect(await valueOf(id, 'mail')).toBe('new@home.example')
    await tell(id, [{ ...drop, rev: 8 }])
    expect(await valueOf(id, 'mail')).toBeNull()
  })

  test('a change of a missing connection or row has no effect', async () => {
    const person = await newShopper(two)
    const id = await connectTo(shop, person)
    await drainFeed(shop)
    const answer = { ...(await answerTo('mail', { rev: 3 })), request_field_id: two.us.platform.ids.uuid() }
    await tell(id, [{ act: 'set', cause: 'edit', answer }])
    await tell(two.us.platform.ids.uuid(), [{ act: 'set', cause: 'edit', answer: await answerTo('mail') }])
    expect(await drainFeed(shop)).toEqual([])
  })
})

describe('ending', () => {
  test('the customer side can end its connection; a repetition is answered `gone`', async () => {
    const person = await newShopper(two)
    const id = await connectTo(shop, person)
    const end = (customer_id: string) =>
      two.us.platform.bus.ask(endConnectionAsk, {
        to: EU,
        id: `end:${two.us.platform.ids.uuid()}`,
        body: { ...named(), connection_id: id, customer_id },
      })
    expect(await end(two.us.platform.ids.uuid())).toEqual({ outcome: 'gone' })
    expect(await end(person.user.userId)).toEqual({ outcome: 'ended' })
    expect(await end(person.user.userId)).toEqual({ outcome: 'gone' })
  })

  test("a region cannot end another region's customers", async () => {
    const local = await newOwner(two, { userType: 'person', region: 'eu' })
    const id = await connectTo(shop, local)
    const body = { ...named(), connection_id: id, customer_id: local.user.userId }
    const answer = await two.us.platform.bus.ask(endConnectionAsk, {
      to: EU,
      id: `end:${two.us.platform.ids.uuid()}`,
      body,
    })
    expect(answer).toEqual({ outcome: 'gone' })
    await two.us.platform.database.transaction((tx) =>
      two.us.platform.bus.tell(tx, customerGoneTell, { to: EU, key: id, body: { ...body, is_erased: true } }),
    )
    await tell(id, [])
    expect((await shop.data('GET', `/api/company-data/connections/${id}`)).status).toBe(200)
  })

  test('the deletion of a service deletes its connections on both sides and its files', async () => {
    const ending = await openShopService(two, shop.company, shop.portal, [{ slug: 'face', type: 'photo' }])
    const person = await newShopper(two)
    const file = { value: await sealTo(ending.service.publicKey, 'a face') }
    const id = await connectTo(ending, person, [{ slug: 'face', file }])
    await demand(ending.portal('DELETE', `/api/services/${ending.service.serviceId}`), 204)
    await waitUntil('the customer has heard', 20_000, async () => {
      return (await person.call('GET', `/api/company-connections/${id}`)).status === 404
    })
    const left = () =>
      two.eu.platform.database.read((read) =>
        runStatement<{ rows: number }>(
          read,
          `select (select count(*) from connections_service.connection where service_id = $1)
            + (select count(*) from connections_service.slot where service_id = $1)
            + (select count(*) from connections_service.customer_region where service_id = $1) as rows`,
          [ending.service.serviceId],
        ),
      )
    await waitUntil('nothing is left', 20_000, async () => (await left())[0]?.rows === 0)
  })
})
