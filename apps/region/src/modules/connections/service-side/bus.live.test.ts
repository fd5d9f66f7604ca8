import { parseParty } from '@sealpost/bus'
import type { ServiceId } from '@sealpost/kernel'
import {
  connectAsk,
  customerGoneTell,
  endConnectionAsk,
  lookUpServiceAsk,
  type SlotAnswer,
  slotsChangedTell,
  takeFileAsk,
} from '@sealpost/protocol'
import { openWorld, type Person, scaled, type Service, waitUntil } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

/** Messages that the code of another region might not send: the service side validates them itself. */
const EU = parseParty('eu')
const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld()
const { bus, database, ids } = world.us.platform
const service = await world.service([
  { slug: 'mail', type: 'email' },
  { slug: 'face', type: 'photo' },
])
const { company } = service

function named(at: Service = service) {
  return { company_id: at.company.companyId, service_id: at.serviceId }
}

function facts(person: Person, region = 'us') {
  return {
    user_id: person.userId,
    user_type: person.userType,
    region,
    share_code: person.shareCode,
    display_name: person.displayName,
    public_key: person.keys.publicKey,
  }
}

async function answerTo(slug: string, given: Partial<SlotAnswer> = {}): Promise<SlotAnswer> {
  const value = await service.seal('mara@home.example')
  return {
    request_field_id: service.row(slug),
    rev: 1,
    live: true,
    is_private: true,
    value,
    file: null,
    attested: null,
    at: world.time(),
    ...given,
  }
}

interface Wish {
  readonly id?: string
  readonly answers?: SlotAnswer[]
  readonly files?: Record<string, string>
  readonly names?: ReturnType<typeof named>
  readonly region?: string
  readonly requestId?: string
}

function ask(person: Person, { id = ids.uuid(), answers = [], files = {}, names = named(), ...more }: Wish = {}) {
  const { region, requestId = null } = more
  const customer = facts(person, region)
  const body = { ...names, connection_id: id, customer, answers, files, request_id: requestId }
  return bus.ask(connectAsk, { to: EU, id: `connect:${ids.uuid()}`, body })
}

type Changes = ReturnType<typeof slotsChangedTell.parse>['changes']

async function tell(connection_id: string, changes: Changes): Promise<void> {
  const body = { ...named(), connection_id, changes }
  await database.transaction((tx) => bus.tell(tx, slotsChangedTell, { to: EU, key: connection_id, body }))
  // A lane is ordered: when this change has been applied, all earlier ones have been, too.
  await waitUntil('the tells have been applied', 20_000, async () => {
    const sql = 'select 1 from bus.lane where key = $1 and confirmed_seq < last_seq'
    return (await world.rows(sql, [connection_id], 'us')).length === 0
  })
}

function end(connection_id: string, customer_id: string) {
  const body = { ...named(), connection_id, customer_id }
  return bus.ask(endConnectionAsk, { to: EU, id: `end:${ids.uuid()}`, body })
}

describe('the look-up of a service', () => {
  test('returns the facts by code or by id', async () => {
    const look = (code: string | null, service_id: string | null) =>
      bus.ask(lookUpServiceAsk, { to: EU, body: { company_id: company.companyId, code, service_id } })
    const { facts: byCode } = await look(service.code.split('/')[1] ?? '', null)
    expect(byCode).toMatchObject({
      ...named(),
      company: { display_name: company.companyName, share_code: company.shareCode },
      public_key: service.publicKey,
      rows: [
        { slug: 'mail', lane: 'inline', field_type: { input: 'line', known: true } },
        { slug: 'face', lane: 'photo' },
      ],
    })
    expect(await look(null, service.serviceId)).toEqual({ facts: byCode })
    expect(await look('NONE', null)).toEqual({ facts: null })
  })
})

describe('connecting', () => {
  test('is idempotent; an ask with another id is answered with the first connection', async () => {
    const { person, connectionId: id } = await world.customer(service)
    expect(await ask(person, { id })).toMatchObject({ outcome: 'connected' })
    expect(await ask(person)).toMatchObject({ outcome: 'exists', connection_id: id })
    const created = (await service.drain()).filter((event) => event['connection_id'] === id)
    expect(created.map(({ event }) => event)).toEqual(['connection_created'])
  })

  test('is validated again on the service side: type of customer, rows, sealing, request', async () => {
    const person = await world.person()
    const before = (await service.data('GET', '/api/company-data/connections')).body['total']
    const clear = await answerTo('mail', { value: 'mara@home.example' })
    expect(await ask(person, { answers: [clear] })).toMatchObject({ outcome: 'invalid' })
    const unasked = await answerTo('mail', { request_field_id: ids.uuid() })
    expect(await ask(person, { answers: [unasked] })).toMatchObject({ outcome: 'invalid' })
    expect(await ask(person, { requestId: ids.uuid() })).toEqual({ outcome: 'no_request' })
    const gone = { ...named(), service_id: ids.uuid<ServiceId>() }
    expect(await ask(person, { names: gone })).toEqual({ outcome: 'no_service' })
    const fields = [
      { slug: 'need', mandatory_provide: true },
      { slug: 'vat', mandatory_provide: true, audience: 'company' },
    ]
    const must = await world.service(fields, { company })
    expect(await ask(person, { names: named(must) })).toEqual({ outcome: 'mandatory_missing', slugs: ['need'] })
    const changed = await company.portal('PUT', must.path, { body: { name: 'B2B', audience: 'company' } })
    expect(changed.status).toBe(200)
    expect(await ask(person, { names: named(must) })).toEqual({ outcome: 'audience' })
    expect((await service.data('GET', '/api/company-data/connections')).body['total']).toBe(before)
  })

  test('is refused for a customer of another region than the asking one', async () => {
    await expect(ask(await world.person(), { region: 'eu' })).rejects.toThrow()
  })

  test('requires that each file was taken for this service and is the named one', async () => {
    const person = await world.person()
    const sha256 = 'a'.repeat(64)
    const file = { form: 'sealed', content_type: 'application/json', sha256, bytes: 3 } as const
    const answer = await answerTo('face', { value: null, file })
    const files = { [answer.request_field_id]: 'ab'.repeat(24) }
    expect(await ask(person, { answers: [answer], files })).toMatchObject({ outcome: 'invalid' })
    const unreachable = { ...named(), url: 'http://127.0.0.1:9/none', sha256, bytes: 3 }
    expect(await bus.ask(takeFileAsk, { to: EU, body: unreachable })).toEqual({ object_key: null })
  })
})

describe('changes of slots', () => {
  test('an older change never replaces a newer one', async () => {
    const { connectionId: id } = await world.customer(service)
    const set = async (rev: number, text: string) => ({
      act: 'set' as const,
      cause: 'edit' as const,
      answer: await answerTo('mail', { rev, value: await service.seal(text) }),
    })
    await tell(id, [await set(7, 'new@home.example')])
    await tell(id, [await set(6, 'old@home.example')])
    expect(await service.value(id, 'mail')).toBe('new@home.example')
    const drop = { act: 'drop' as const, request_field_id: service.row('mail'), at: world.time() }
    await tell(id, [{ ...drop, rev: 5 }])
    expect(await service.value(id, 'mail')).toBe('new@home.example')
    await tell(id, [{ ...drop, rev: 8 }])
    expect(await service.value(id, 'mail')).toBeNull()
  })

  test('a change of a missing connection or row has no effect', async () => {
    const { connectionId: id } = await world.customer(service)
    await service.drain()
    const answer = await answerTo('mail', { rev: 3, request_field_id: ids.uuid() })
    await tell(id, [{ act: 'set', cause: 'edit', answer }])
    await tell(ids.uuid(), [{ act: 'set', cause: 'edit', answer: await answerTo('mail') }])
    expect(await service.drain()).toEqual([])
  })
})

describe('ending', () => {
  test('the customer side can end its connection; a repetition is answered `gone`', async () => {
    const { person, connectionId: id } = await world.customer(service)
    expect(await end(id, ids.uuid())).toEqual({ outcome: 'gone' })
    expect(await end(id, person.userId)).toEqual({ outcome: 'ended' })
    expect(await end(id, person.userId)).toEqual({ outcome: 'gone' })
  })

  test("a region cannot end another region's customers", async () => {
    const local = await world.person({ region: 'eu' })
    const id = await local.connected(service)
    expect(await end(id, local.userId)).toEqual({ outcome: 'gone' })
    const body = { ...named(), connection_id: id, customer_id: local.userId, is_erased: true }
    await database.transaction((tx) => bus.tell(tx, customerGoneTell, { to: EU, key: id, body }))
    await tell(id, [])
    expect(await service.read(id)).toMatchObject({ id, status: 'connected' })
  })

  test('the deletion of a service deletes its connections on both sides and its files', async () => {
    const ending = await world.service([{ slug: 'face', type: 'photo' }], { company })
    const file = { value: await ending.seal('a face') }
    const { person, connectionId: id } = await world.customer(ending, [{ slug: 'face', file }])
    expect((await ending.portal('DELETE', ending.path)).status).toBe(204)
    const shown = async () => (await person.calls('GET', `/api/company-connections/${id}`)).status
    await expect.poll(shown, IN_TIME).toBe(404)
    const left = () =>
      world.rows(
        `select (select count(*) from connections_service.connection where service_id = $1)
          + (select count(*) from connections_service.slot where service_id = $1)
          + (select count(*) from connections_service.customer_region where service_id = $1) as rows`,
        [ending.serviceId],
      )
    await expect.poll(left, IN_TIME).toEqual([{ rows: 0 }])
  })
})
