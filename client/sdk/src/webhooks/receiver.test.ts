import { readFileSync } from 'node:fs'
import { exportPrivateKeyPem, generateKeyPair, importAccountSealingKey, sealAccountEnvelope } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { CLOCK, OTHER_SECRET, SECRET, SIGNED_AT, signDelivery } from '../../test/signed-delivery.ts'
import { hostPlatform } from '../keys/host.ts'
import { memoryStore } from '../pump/line-store.ts'
import type { ReceiverOptions, WebhookEvent } from './receiver-options.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { type SeenDeliveries, seenInMemory, seenInStore } from './seen.ts'

const EVENT = {
  id: 'body-1',
  event: 'field_updated',
  person_user_id: 'p',
  slug: 'home',
  value: '{"_enc":1}',
  at: '2026-05-01T09:30:00.000+00:00',
}
const NEVER = /* a handler that must not be called */ () => expect.fail('the handler was called')

interface Opened {
  readonly receiver: Receiver
  readonly events: WebhookEvent[]
  readonly errors: unknown[]
}

async function open(options: Partial<ReceiverOptions> = {}): Promise<Opened> {
  const events: WebhookEvent[] = []
  const errors: unknown[] = []
  const handle = (event: WebhookEvent): void => void events.push(event)
  const onError = (error: unknown): void => void errors.push(error)
  const receiver = await openReceiver({ secrets: [SECRET], handle, onError, clock: CLOCK, ...options })
  return { receiver, events, errors }
}

describe('signatures', () => {
  test('a delivery with both signatures reaches the handler, with its ids', async () => {
    const deliveries: unknown[] = []
    const { receiver } = await open({ handle: (event, delivery) => void deliveries.push(event, delivery) })

    expect(await receiver.receive(await signDelivery(EVENT))).toEqual({ status: 200, text: 'ok' })
    const known = { webhookId: 'webhook-1', eventId: 'event-1', contentKey: expect.stringMatching(/^content:\w{64}$/) }
    expect(deliveries).toEqual([EVENT, known])
  })

  test('X-Platform-Signature covers the raw bytes: the same JSON in other bytes is refused [SDK-10]', async () => {
    const { receiver, events } = await open({ acceptUntimed: true })
    const { headers, body, method } = await signDelivery(EVENT)
    const signature = headers['x-platform-signature'] ?? ''
    const platformOnly = { 'x-platform-signature': signature }

    const respelled = new TextEncoder().encode(JSON.stringify(EVENT, null, 1))
    const refused = { status: 401, text: 'signature_mismatch' }
    expect(await receiver.receive({ method, headers: platformOnly, body: respelled })).toEqual(refused)
    const other = { 'x-platform-signature': signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }
    expect(await receiver.receive({ method, headers: other, body })).toEqual(refused)
    expect(await receiver.receive({ method, headers: { ...headers, ...other }, body })).toEqual(refused)
    expect(events).toEqual([])
    expect(await receiver.receive({ method, headers: platformOnly, body })).toEqual({ status: 200, text: 'ok' })
  })

  test('a delivery without the timed signature is refused', async () => {
    const { receiver } = await open({ handle: NEVER })
    const { headers, body, method } = await signDelivery(EVENT)
    const { 'webhook-signature': _, ...stripped } = headers
    expect(await receiver.receive({ method, headers: stripped, body })).toEqual({
      status: 401,
      text: 'signature_missing',
    })
    expect(await receiver.receive({ method, headers: {}, body })).toMatchObject({ status: 401 })
  })

  test.each([-301, 301])('a signature made %d seconds from now is refused', async (away) => {
    const { receiver } = await open({ handle: NEVER })
    const answer = await receiver.receive(await signDelivery(EVENT, { at: SIGNED_AT + away }))
    expect(answer).toEqual({ status: 401, text: 'timestamp_too_far' })
  })

  test('during a rotation either side may switch to the new secret first', async () => {
    const rotating = await signDelivery(EVENT, { secrets: [OTHER_SECRET, SECRET] })
    for (const secrets of [[SECRET], [OTHER_SECRET], [OTHER_SECRET, SECRET]] as const) {
      const { receiver, events } = await open({ secrets })
      expect(await receiver.receive(rotating)).toMatchObject({ status: 200 })
      expect(events).toHaveLength(1)
    }
    const { receiver } = await open({ secrets: [OTHER_SECRET, SECRET] })
    expect(await receiver.receive(await signDelivery(EVENT))).toMatchObject({ status: 200 })
    const { receiver: late } = await open({ secrets: [SECRET], handle: NEVER })
    const replaced = await signDelivery(EVENT, { secrets: [OTHER_SECRET] })
    expect(await late.receive(replaced)).toEqual({ status: 401, text: 'signature_mismatch' })
  })

  test('the shared vectors have their expected outcomes', async () => {
    for (const vector of vectors.verify_standard) {
      const { id, timestamp, signature } = vector
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
      await verify(vector, headers, { clock: { now: () => (vector.now ?? 0) * 1000 } })
    }
    for (const vector of vectors.verify_platform) {
      await verify(vector, { 'x-platform-signature': vector.signature }, { acceptUntimed: true })
    }
    expect(vectors.verify_standard.length + vectors.verify_platform.length).toBeGreaterThan(30)
  })
})

interface Vector {
  readonly name: string
  readonly secrets: readonly string[]
  readonly id?: string | null
  readonly timestamp?: string | null
  readonly signature?: string | null
  readonly body: string
  readonly now?: number
  readonly ok: boolean
}

const vectors: Record<'verify_standard' | 'verify_platform', readonly Vector[]> = JSON.parse(
  readFileSync(new URL('../../../../vectors/webhook-signatures.json', import.meta.url), 'utf8'),
)

async function verify(vector: Vector, given: Readonly<Record<string, unknown>>, options: Partial<ReceiverOptions>) {
  // A receiver needs a secret; one that signed nothing makes no difference.
  const secrets = [...vector.secrets, OTHER_SECRET] as unknown as ReceiverOptions['secrets']
  const { receiver } = await open({ secrets, ...options })
  const headers = Object.fromEntries(
    Object.entries(given).flatMap(([header, value]) => (typeof value === 'string' ? [[header, value]] : [])),
  )
  const { status } = await receiver.receive({ method: 'POST', headers, body: vector.body })
  expect([vector.name, status !== 401]).toEqual([vector.name, vector.ok])
}

describe('answers', () => {
  test('200 is answered only after the handler resolved', async () => {
    const steps: string[] = []
    const gate = Promise.withResolvers<void>()
    const { receiver } = await open({ handle: () => gate.promise })
    const answered = receiver.receive(await signDelivery(EVENT)).then(() => steps.push('answered'))
    steps.push('resolves')
    gate.resolve()
    await answered
    expect(steps).toEqual(['resolves', 'answered'])
  })

  test('a failing handler is answered 500 and reported, and the next try is handled', async () => {
    let tries = 0
    const { receiver, errors } = await open({
      handle: () => {
        tries += 1
        if (tries === 1) throw new Error('the database is away')
      },
    })
    expect(await receiver.receive(await signDelivery(EVENT))).toEqual({ status: 500, text: 'failed' })
    expect(errors).toEqual([new Error('the database is away')])
    expect(await receiver.receive(await signDelivery(EVENT))).toEqual({ status: 200, text: 'ok' })
    expect(tries).toBe(2)
  })

  test('a signed body that is not an event is refused with the reason', async () => {
    const { receiver, errors } = await open({ handle: NEVER })
    expect(await receiver.receive({ ...(await signDelivery(EVENT)), method: 'GET' })).toMatchObject({ status: 405 })
    expect(await receiver.receive(await signDelivery('[1]'))).toMatchObject({ status: 400 })
    expect(await receiver.receive(await signDelivery({ hello: 1 }))).toMatchObject({ status: 500 })
    expect(await receiver.receive(await signDelivery('<event/>'))).toEqual({
      status: 415,
      text: 'the body is XML: set the format of the webhook to json',
    })
    expect(errors).toHaveLength(3)
  })

  test('a parsed body is an error that says what to change, also in the answer', async () => {
    const { receiver, errors } = await open({ handle: NEVER })
    const { status, text } = await receiver.receive({ ...(await signDelivery(EVENT)), body: EVENT })
    expect(status).toBe(500)
    expect(text).toContain('given a parsed body')
    expect(text).toContain('mount expressHandler(receiver) before app.use(express.json())')
    expect(errors).toEqual([expect.objectContaining({ name: 'RawBodyError', message: text })])
  })

  test('a failing reporter does not change the answer', async () => {
    const { receiver } = await open({ handle: NEVER, onError: () => expect.fail('no') })
    expect(await receiver.receive(await signDelivery('[1]'))).toMatchObject({ status: 400 })
  })

  test('fetch serves Request and Response', async () => {
    const { receiver, events, errors } = await open()
    const { headers, body } = await signDelivery(EVENT)
    const answer = await receiver.fetch(new Request('http://hooks.test/', { method: 'POST', headers, body }))
    expect([answer.status, await answer.text(), events.length]).toEqual([200, 'ok', 1])
    const read = new Request('http://hooks.test/', { method: 'POST', headers, body })
    await read.json()
    expect((await receiver.fetch(read)).status).toBe(500)
    expect(errors).toMatchObject([{ name: 'RawBodyError' }])
  })

  test.each([
    [{ secrets: [''] }, /secret/],
    [{ secrets: [] }, /secrets is empty/],
    [{ secrets: [`${SECRET}\n`] }, /line break/],
    [{ accountKey: new Uint8Array(8) }, /accountKey/],
    [{ toleranceSeconds: 0 }, /toleranceSeconds/],
  ])('%j is refused by openReceiver', async (wrong, sentence) => {
    await expect(open(wrong as unknown as Partial<ReceiverOptions>)).rejects.toThrow(sentence)
  })
})

describe('repeated deliveries', () => {
  const remembering: readonly [string, () => Promise<SeenDeliveries>][] = [
    ['in memory', () => Promise.resolve(seenInMemory())],
    ['in a store', () => seenInStore(memoryStore())],
  ]

  test.each(remembering)('the same content under another body id is a duplicate, %s [SDK-09]', async (_, seen) => {
    const { receiver, events } = await open({ seen: await seen() })
    const send = async (content: object, eventId: string) =>
      (await receiver.receive(await signDelivery({ ...content }, { eventId }))).text

    expect(await send(EVENT, 'event-1')).toBe('ok')
    expect(await send({ ...EVENT, id: 'body-2' }, 'event-x')).toBe('duplicate')
    const { id, ...rest } = EVENT
    expect(await send({ ...rest, id }, 'event-y')).toBe('duplicate')
    expect(events).toHaveLength(1)
    expect(await send({ ...EVENT, value: '{"_enc":2}' }, 'event-2')).toBe('ok')
    expect(await send({ ...EVENT, slug: 'work' }, 'event-3')).toBe('ok')
    expect(await send({ ...EVENT, person_user_id: 'q' }, 'event-4')).toBe('ok')
    expect(await send({ ...EVENT, event: 'consent_accepted' }, 'event-5')).toBe('ok')
    expect(events).toHaveLength(5)
  })

  test('an equal body id alone is no duplicate; an equal webhook-id is one, also with a newer value [SDK-09]', async () => {
    const { receiver, events } = await open()
    await receiver.receive(await signDelivery(EVENT))
    const changed = { ...EVENT, value: '{"_enc":3}' }
    expect(await receiver.receive(await signDelivery(changed))).toEqual({ status: 200, text: 'duplicate' })
    expect(await receiver.receive(await signDelivery(changed, { eventId: 'event-2' }))).toMatchObject({ text: 'ok' })
    expect(events.map(({ id }) => id)).toEqual(['body-1', 'body-1'])
  })

  test('a webhook-id without a signature suppresses nothing', async () => {
    const { receiver, events } = await open({ acceptUntimed: true })
    const replayed = await signDelivery(EVENT, { eventId: 'a-future-event' })
    const { 'webhook-signature': _, ...untimed } = replayed.headers
    await receiver.receive({ ...replayed, headers: untimed })
    const future = await signDelivery({ ...EVENT, slug: 'work' }, { eventId: 'a-future-event' })
    expect(await receiver.receive(future)).toEqual({ status: 200, text: 'ok' })
    expect(events).toHaveLength(2)
  })

  test('a concurrent repeat waits for the first and shares its outcome', async () => {
    const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const calls: number[] = []
    const handle = (event: WebhookEvent) => (event.event === 'test' ? undefined : ends[calls.push(1) - 1]?.promise)
    const { receiver } = await open({ handle })
    const twice = async (round: string) => {
      const delivery = await signDelivery(EVENT)
      const both = [receiver.receive(delivery), receiver.receive(delivery)]
      // A later delivery is done, so both are as far as they can get.
      const behind = await signDelivery({ id: 'b', event: 'test', round }, { eventId: round })
      expect(await receiver.receive(behind)).toMatchObject({ status: 200 })
      return both
    }
    const failing = await twice('first')
    ends[0]?.reject(new Error('no'))
    expect((await Promise.all(failing)).map(({ status }) => status)).toEqual([500, 500])
    const succeeding = await twice('second')
    ends[1]?.resolve()
    expect((await Promise.all(succeeding)).map(({ text }) => text)).toEqual(['ok', 'duplicate'])
    expect(calls).toHaveLength(2)
  })

  test('handled deliveries are known after a restart, up to a limit, and the store has no other use', async () => {
    const store = memoryStore()
    const seen = await seenInStore(store, { keys: 4 })
    const { receiver } = await open({ seen })
    for (const slug of ['a', 'b', 'c', 'd', 'e']) {
      await receiver.receive(await signDelivery({ ...EVENT, slug }, { eventId: slug }))
    }
    await expect(seenInStore(store)).rejects.toMatchObject({ reason: 'in_use' })
    await seen.close()

    const reopened = await open({ seen: await seenInStore(store, { keys: 4 }) })
    const again = async (slug: string) =>
      (await reopened.receiver.receive(await signDelivery({ ...EVENT, slug }, { eventId: slug }))).text
    expect([await again('e'), await again('d'), await again('a')]).toEqual(['duplicate', 'duplicate', 'ok'])
    expect((await store.read()).length).toBeLessThan(12)

    const foreign = memoryStore()
    const taken = await foreign.acquire()
    if ('heldBy' in taken) throw new Error(taken.heldBy)
    await taken.hold.replace(['{"k":"bound"}', '{"k":"page"}'])
    await taken.hold.release()
    await expect(seenInStore(foreign)).rejects.toMatchObject({ reason: 'other_channel' })
  })
})

describe('encrypt_payload', () => {
  async function newAccount() {
    const platform = hostPlatform()
    const { publicKey, privateKey } = await generateKeyPair(platform)
    const key = await importAccountSealingKey(platform, publicKey)
    const pem = await exportPrivateKeyPem(platform, privateKey, new Secret('a phrase'))
    if (!key.ok || !pem.ok) throw new Error('no key of an account')
    return {
      pkcs8: privateKey.reveal(),
      pem: pem.value,
      async seal(text: string): Promise<string> {
        const sealed = await sealAccountEnvelope(platform, key.value, text)
        if (!sealed.ok) throw new Error(sealed.refusal)
        return sealed.value
      },
    }
  }

  test('an envelope is opened after its signature was checked, and deduplicated by its content', async () => {
    const account = await newAccount()
    const { receiver, events } = await open({ accountKey: { pem: account.pem, passphrase: 'a phrase' } })
    const send = async (text: string, eventId: string) =>
      receiver.receive(await signDelivery(await account.seal(text), { eventId }))

    expect(await send(JSON.stringify(EVENT), 'event-1')).toEqual({ status: 200, text: 'ok' })
    expect(events).toEqual([EVENT])
    expect(await send(JSON.stringify({ ...EVENT, id: 'another' }), 'event-2')).toMatchObject({ text: 'duplicate' })
    expect(await send('<event/>', 'event-3')).toMatchObject({ status: 415 })
  })

  test('a missing or wrong key is reported in the answer', async () => {
    const account = await newAccount()
    const other = await newAccount()
    const delivery = await signDelivery(await account.seal(JSON.stringify(EVENT)))
    const { receiver: without } = await open({ handle: NEVER })
    const missing = { status: 400, text: expect.stringMatching(/without accountKey/) }
    expect(await without.receive(delivery)).toMatchObject(missing)
    const { receiver: wrong } = await open({ handle: NEVER, accountKey: other.pkcs8 })
    expect(await wrong.receive(delivery)).toMatchObject({ status: 400, text: expect.stringMatching(/wrong_key/) })
  })
})
