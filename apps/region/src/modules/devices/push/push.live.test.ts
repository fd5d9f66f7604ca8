import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { instant } from '@sealpost/kernel'
import {
  bodyOf,
  callsWith,
  listOf,
  logIn,
  openWorld,
  type Person,
  recordStatements,
  refused,
  startPushSink,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { hint } from '../index.ts'
import { addPushDevice } from '../testing/device.ts'
import { write } from '../testing/send.ts'

const MISSING = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const world = await openWorld()
const sink = await startPushSink(() => world.clock.now())
world.onEnd(() => sink.close())
const trusted = getCACertificates('default')
setDefaultCACertificates([...trusted, sink.certificate])
world.onEnd(async () => setDefaultCACertificates(trusted))
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const otherPerson = await world.person()

async function subscribe(owner: Person) {
  const device = await addPushDevice(owner)
  const browser = sink.subscribe()
  const made = await bodyOf(owner.calls('POST', device.path, { body: { ...browser } }), 201)
  return { ...device, browser, id: String(made['id']), deviceId: device.id }
}

const takenBy = (endpoint: string) => sink.taken.filter((push) => push.endpoint === endpoint)
const idsOf = async (owner: Person, path: string) =>
  listOf((await bodyOf(owner.calls('GET', path)))['items']).map((item) => item['id'])
const { modules, platform } = world.us

test('a message is pushed to every device of the person, sealed and without content', async () => {
  const [one, other] = [await subscribe(person), await subscribe(person)]
  await write(service, person, connectionId, 'The text is not pushed')
  for (const { browser } of [one, other]) {
    await expect.poll(() => takenBy(browser.endpoint)).toHaveLength(1)
    expect(takenBy(browser.endpoint)[0]).toMatchObject({
      text: JSON.stringify({ kind: 'message_received', id: connectionId }),
      urgency: 'normal',
      topic: connectionId.replaceAll('-', ''),
      claims: { aud: new URL(browser.endpoint).origin, sub: 'mailto:operator@sealpost.example' },
    })
  }
  const listed = await bodyOf(person.calls('GET', one.path))
  expect(listed).toMatchObject({ total: 1, application_server_key: takenBy(one.browser.endpoint)[0]?.key })
})

test('a challenge is urgent, lives as long as it can be answered, and its end follows under the same topic', async () => {
  const { browser } = await subscribe(person)
  const challenge = { accountId: person.userId, id: MISSING, expiresAt: instant(world.clock.now() + 120_000) }
  for (const kind of ['challenge_raised', 'challenge_closed'] as const) {
    await platform.database.transaction((tx) => hint(modules.devices, tx, { ...challenge, kind }))
  }
  await expect.poll(() => takenBy(browser.endpoint)).toHaveLength(2)
  const [raised, closed] = takenBy(browser.endpoint)
  expect(raised).toMatchObject({ urgency: 'high', ttl: '120', text: expect.stringContaining('challenge_raised') })
  expect(closed).toMatchObject({ topic: raised?.topic, text: expect.stringContaining('challenge_closed') })
  expect(raised?.bytes).toBe(closed?.bytes)
})

test('the hints of a broadcast become pushes by one statement, in their order', async () => {
  const [first, second, other] = [await subscribe(person), await subscribe(person), await subscribe(otherPerson)]
  const [kind, ids] = ['document_created', [MISSING, connectionId]] as const
  const owners = [person.userId, otherPerson.userId]
  const hints = ids.flatMap((id) => owners.map((accountId) => ({ accountId, kind, id })))
  const raise = () => platform.database.transaction((tx) => hint(modules.devices, tx, hints))
  const { statements } = await recordStatements(raise)
  expect(statements.filter((sql) => sql.includes('from devices.subscription where account_id = any('))).toHaveLength(1)
  expect(statements.filter((sql) => sql.includes('insert into jobs.job'))).toHaveLength(1)
  const texts = ids.map((id) => JSON.stringify({ kind, id }))
  for (const { browser } of [first, second, other])
    await expect.poll(() => takenBy(browser.endpoint).map(({ text }) => text)).toEqual(texts)
})

test('a subscription that its push service does not know any more is removed', async () => {
  const { browser, path, id } = await subscribe(person)
  sink.answerWith(browser.endpoint, 410)
  await write(service, person, connectionId, 'To an ended subscription')
  await expect.poll(() => idsOf(person, path)).not.toContain(id)
})

test('a push that failed is tried again', async () => {
  const { browser } = await subscribe(person)
  sink.answerWith(browser.endpoint, 500)
  const before = sink.refused()
  await write(service, person, connectionId, 'While the push service is away')
  await expect.poll(() => sink.refused()).toBeGreaterThan(before)
  sink.answerWith(browser.endpoint, 201)
  // The refusal may be recorded after a clock that was advanced once.
  const later = () => {
    world.clock.advance(60_000)
    return takenBy(browser.endpoint)
  }
  await expect.poll(later, { interval: 1_000 }).toHaveLength(1)
})

describe('subscriptions', () => {
  test('the same endpoint again replaces its keys and keeps its id', async () => {
    const { browser, path, id } = await subscribe(person)
    const again = await bodyOf(person.calls('POST', path, { body: { ...browser, keys: sink.subscribe().keys } }), 201)
    expect(again['id']).toBe(id)
    expect(await idsOf(person, path)).toEqual([id])
  })

  test('a call that is repeated with its key makes one subscription', async () => {
    const { path } = await addPushDevice(person)
    const sent = { body: { ...sink.subscribe() }, key: 'one-subscription' }
    const first = await bodyOf(person.calls('POST', path, sent), 201)
    expect(await bodyOf(person.calls('POST', path, sent), 201)).toEqual(first)
  })

  test('one that is deleted is gone, and gone twice is missing', async () => {
    const { path, id } = await subscribe(person)
    await bodyOf(person.calls('DELETE', `${path}/${id}`), 204)
    expect(await person.calls('DELETE', `${path}/${id}`)).toMatchObject(refused(404, 'request.not_found'))
  })

  test('ends with its device and with its account', async () => {
    const owner = await world.person()
    const [first, second] = [await subscribe(owner), await subscribe(owner)]
    // By another login: the session that added the devices ends with one of them.
    const { apiUrl, token } = await logIn(world, owner)
    await bodyOf(callsWith(apiUrl, token)('DELETE', `/api/account/trusted-devices/${first.deviceId}`), 204)
    const rows = 'select id from devices.subscription where account_id = $1'
    expect(await world.rows(rows, [owner.userId], 'us')).toEqual([{ id: second.id }])
    await owner.erase()
    expect(await world.rows(rows, [owner.userId], 'us')).toEqual([])
  })

  test('those of a stranger answer like missing ones', async () => {
    const { path, id, browser } = await subscribe(person)
    const none = `/api/account/trusted-devices/${MISSING}/push`
    for (const [method, end, body] of [
      ['GET', ''],
      ['POST', '', { ...browser }],
      ['DELETE', `/${id}`],
    ] as const) {
      const sent = body === undefined ? {} : { body }
      const strange = await otherPerson.calls(method, `${path}${end}`, sent)
      expect([strange.status, strange.text]).toEqual([
        404,
        (await otherPerson.calls(method, `${none}${end}`, sent)).text,
      ])
    }
    expect(await world.anonymous('GET', path)).toMatchObject(refused(401, 'auth.token_missing'))
  })

  test('bad keys and addresses are refused', async () => {
    const { path } = await addPushDevice(person)
    const good = sink.subscribe()
    const bodies = [
      {},
      { ...good, endpoint: 'http://push.example.com/x' },
      { ...good, endpoint: 'https://user:pw@push.example.com/x' },
      { ...good, keys: { ...good.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
      { ...good, keys: { ...good.keys, auth: 'short' } },
    ]
    for (const body of bodies) {
      expect(await person.calls('POST', path, { body })).toMatchObject(refused(400, 'request.invalid'))
    }
  })

  test('a company gets neither push messages nor a stream', async () => {
    const { company } = service
    const path = `/api/account/trusted-devices/${MISSING}/push`
    const body = { ...sink.subscribe() }
    expect(await company.portal('POST', path, { body })).toMatchObject(refused(403, 'company_connections.persons_only'))
    const answer = await company.portal('GET', '/api/customer/stream')
    expect(answer).toMatchObject(refused(403, 'company_connections.persons_only'))
  })
})
