import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { addDevice, bodyOf, enroll, openWorld, refused, startPushSink } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openApp } from './open-app.ts'

const RAISE = '/api/service-2fa/challenges'
const CARDS = '/api/customer/2fa/challenges'
const world = await openWorld({ settings: { TWOFA_TTL_SECONDS: '120', TWOFA_PENDING_MAX: '2' } })
const sink = await startPushSink(() => world.clock.now())
world.onEnd(() => sink.close())
const trusted = getCACertificates('default')
setDefaultCACertificates([...trusted, sink.certificate])
world.onEnd(async () => setDefaultCACertificates(trusted))
const service = await world.service([])
const { person } = await world.customer(service, [])
await enroll(world, service.client, person)

let attempts = 0

function raise() {
  attempts += 1
  const body = { share_code: person.shareCode, idempotency_key: `card-${attempts}`, context: 'Login from Bern' }
  return service.data('POST', RAISE, { body })
}

async function raised(): Promise<string> {
  return String((await bodyOf(raise()))['challenge_id'])
}

/** A trusted device that is closed: it gets messages of Web Push. */
async function closedDevice() {
  const { id, sign } = await addDevice(person)
  const browser = sink.subscribe()
  await bodyOf(person.calls('POST', `/api/account/trusted-devices/${id}/push`, { body: { ...browser } }), 201)
  const pushes = () => sink.taken.filter(({ endpoint }) => endpoint === browser.endpoint)
  return { sign, pushes, texts: () => pushes().map(({ text }): unknown => JSON.parse(text)) }
}

const other = await person.logIn()
const phones = [await closedDevice(), await closedDevice()]

describe('the card of a challenge', () => {
  test('is pushed to every device of the person, open or closed, until it expires [TWOFA-10]', async () => {
    const apps = [await openApp(person), await openApp(other)]
    const id = await raised()
    const shown = { kind: 'challenge_raised', id }
    for (const app of apps) await expect.poll(app.hints).toContainEqual(shown)
    for (const { pushes, texts } of phones) {
      await expect.poll(texts).toContainEqual(shown)
      expect(pushes().at(-1)).toMatchObject({ urgency: 'high', ttl: '120' })
    }
    await bodyOf(person.calls('POST', `${CARDS}/${id}/deny`))
    await Promise.all(apps.map((app) => app.close()))
  })

  test.each([
    ['approved', 'approve'],
    ['denied', 'deny'],
  ])('is taken from the other devices when it is %s', async (_, answer) => {
    const app = await openApp(other)
    const id = await raised()
    for (const hints of [app.hints, ...phones.map(({ texts }) => texts)]) {
      await expect.poll(hints).toContainEqual({ kind: 'challenge_raised', id })
    }
    const body = answer === 'approve' ? { assertion: phones[0]?.sign(id) } : {}
    await bodyOf(person.calls('POST', `${CARDS}/${id}/${answer}`, { body }))
    for (const hints of [app.hints, ...phones.map(({ texts }) => texts)]) {
      await expect.poll(hints).toContainEqual({ kind: 'challenge_closed', id })
    }
    expect(await bodyOf(person.calls('GET', CARDS))).toMatchObject({ total: 0 })
    await app.close()
  })
})

test('the settings limit how many wait for a person, and for how long', async () => {
  const [first] = [await raised(), await raised()]
  expect(await raise()).toMatchObject(refused(429, 'twofa.pending_cap'))
  expect(await bodyOf(service.data('GET', `${RAISE}/${first}`))).toEqual({
    status: 'pending',
    expires_at: world.time(120_000),
  })
  world.clock.advance(120_000)
  expect(await bodyOf(service.data('GET', `${RAISE}/${first}`))).toMatchObject({ status: 'expired' })
  expect((await raise()).status).toBe(200)
})
