import { importOpeningKey, openWrapper } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { fillIn, keys, openDesk, passesRead, publicKeyOf, reasonOf, service } from '../../test/plugin-desk.ts'
import { refusal } from '../../test/stub-forwarder.ts'
import { isSealpostError } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'

test('every question has a fresh reply key of 2048 bits and the members of the protocol [FWD-03] [FWD-04]', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  await fillIn(offer)
  await offer.answer()
  const questions = await Promise.all(desk.forwarder.received.map(({ body }) => openQuestion(JSON.parse(body).request)))
  expect(questions).toMatchObject([
    {
      field_type: 'loan',
      op: 'options',
      block: 'product',
      query: '',
      picks: {},
      values: {},
      inputs: { amount: 100, married: true },
    },
    { op: 'options', block: 'plan', query: '', picks: { product: 'small' } },
    { field_type: 'loan', op: 'outputs', picks: { product: 'small', plan: 'small-monthly' }, values: { months: 10 } },
  ])
  const replyKeys = questions.map((question) => String((question as Record<string, unknown>)['reply_key']))
  expect(new Set(replyKeys).size).toBe(3)
  for (const key of replyKeys) expect(Buffer.from(key, 'base64')).toHaveLength(294)
})

async function openQuestion(request: string): Promise<unknown> {
  const platform = hostPlatform()
  const der = platform.base64.decode(keys[0].replaceAll(/-----[^-]+-----|\s/g, ''))
  const key = await importOpeningKey(platform, new Secret(der ?? new Uint8Array()))
  const opened = key.ok ? await openWrapper(platform, key.value, request) : key
  return opened.ok ? JSON.parse(opened.value) : opened.refusal
}

test('the forwarder gets the pass in the body, and no credential of the platform [SDK-24] [FWD-02]', async () => {
  await using desk = await openDesk()
  await (await desk.open()).options('product')
  const token = desk.stub.region.received.find(({ headers }) => headers['authorization'] !== undefined)?.headers[
    'authorization'
  ]
  expect(token).toMatch(/^Bearer ./)
  const [{ headers, body } = { headers: {}, body: '' }] = desk.forwarder.received
  expect(headers).not.toHaveProperty('authorization')
  expect(headers).not.toHaveProperty('cookie')
  expect(JSON.stringify({ headers, body })).not.toContain(token?.slice(7))
  expect(Object.keys(JSON.parse(body) as object)).toEqual(['pass', 'plugin_id', 'request'])
})

test('after a change of the key, for which the former vouches, the question is sealed once more, to the new one [SDK-22]', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  await desk.loans.rotate(keys[1])
  expect((await offer.options('product')).options).toHaveLength(2)
  expect(desk.forwarder.received).toHaveLength(2)
  // The new key is kept: the next question needs no repeat.
  await offer.options('product')
  expect(desk.forwarder.received).toHaveLength(3)

  desk.forwarder.refusals.push(
    ...Array.from({ length: 2 }, () =>
      refusal(409, 'plugin.key_changed', { public_key: desk.loans.manifest().public_key }),
    ),
  )
  expect(isSealpostError(await reasonOf(offer.options('product')), 'plugin.key_changed')).toBe(true)
  expect(desk.forwarder.received).toHaveLength(5)
})

test.each([
  [401, 'plugin.pass_invalid'],
  [403, 'plugin.not_in_pass'],
])('a pass that is refused with %i is replaced once [SDK-23]', async (status, key) => {
  await using desk = await openDesk()
  desk.forwarder.passes.add('pass-2').add('pass-3')
  const offer = await desk.open()
  desk.forwarder.refusals.push(refusal(status, key))
  expect((await offer.options('product')).options).toHaveLength(2)
  expect(passesRead(desk)).toBe(2)

  desk.forwarder.refusals.push(refusal(status, key), refusal(status, key))
  expect(await reasonOf(offer.options('product'))).toMatchObject({ key, status })
  expect(passesRead(desk)).toBe(3)
})

test.each([
  [400, 'plugin.request_invalid'],
  [404, 'plugin.not_found'],
  [429, 'plugin.busy'],
  [429, 'plugin.rate_limited'],
  [502, 'plugin.not_responding'],
  [503, 'plugin.unavailable'],
])('a refusal with %i %s is thrown with its key, without a repeat [SDK-23]', async (status, key) => {
  await using desk = await openDesk()
  const offer = await desk.open()
  desk.forwarder.refusals.push(refusal(status, key))
  expect(await reasonOf(offer.options('product'))).toMatchObject({ name: 'SealpostError', key, status })
  expect([desk.forwarder.received.length, passesRead(desk)]).toEqual([1, 1])
})

test('one call may need a new pass and a new key', async () => {
  await using desk = await openDesk({ publicKey: publicKeyOf(keys[0]) })
  desk.forwarder.passes.clear()
  desk.forwarder.passes.add('pass-2')
  const offer = await desk.open()
  await desk.loans.rotate(keys[1])
  expect((await offer.options('product')).options).toHaveLength(2)
  expect(desk.forwarder.received).toHaveLength(3)
})

test('a plugin without a key is presented as not responding, and is not called [SDK-32]', async () => {
  await using desk = await openDesk({ publicKey: null })
  const offer = await desk.open()
  expect(offer.problem).toMatchObject({ reason: 'not_responding' })
  expect(await reasonOf(offer.options('product'))).toMatchObject({ name: 'PluginError', reason: 'not_responding' })
  expect(desk.forwarder.received).toEqual([])
})

test('a signal ends a call with its reason', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  const controller = new AbortController()
  const asked = offer.options('product', '', { signal: controller.signal })
  controller.abort(new Error('the page is closed'))
  await expect(asked).rejects.toThrow('the page is closed')
})

test('a reply that is not sealed to the reply key, or of another form, is refused', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  const sealedElsewhere = await service.seal('{"options":[],"more":false}')
  desk.forwarder.refusals.push(
    { status: 200, json: { reply: sealedElsewhere } },
    { status: 200, json: { reply: 'open' } },
  )
  for (const _ of [1, 2]) expect(await reasonOf(offer.options('product'))).toMatchObject({ reason: 'reply_invalid' })
  desk.forwarder.refusals.push({ status: 200, json: {} })
  expect(await reasonOf(offer.options('product'))).toMatchObject({ name: 'UnexpectedAnswerError' })
})
