import { createCryptoPlatform, isAttested } from '@sealpost/crypto'
import { bodyOf, invalidAt, openWorld, startSmsSink } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const platform = createCryptoPlatform(globalThis)
const NUMBER = '+31 6 1234-5678'
const DIGITS = '+31612345678'

const sink = await startSmsSink()
const world = await openWorld({ settings: { SMS_URL: sink.url, SMS_TOKEN: 'a token of the gateway' } })
world.onEnd(() => sink.close())

async function ownerWith(slug: string, text: string) {
  const owner = await world.person()
  expect((await owner.put(slug, text)).status).toBe(200)
  const path = `/api/contact-data/${owner.field(slug)}`
  const begin = (members: object) =>
    owner.calls('POST', `${path}/verifications`, { body: { provider: 'platform_sms', ...members } })
  return { owner, path, begin }
}

test('a phone number is verified by a code in a message, for exactly that text', async () => {
  const { owner, path, begin } = await ownerWith('phone', NUMBER)
  const begun = await bodyOf(begin({ phone: NUMBER }), 201)
  expect(begun).toMatchObject({ provider: 'platform_sms', challenge: null, provider_url: null })
  const code = await sink.waitForCode(DIGITS)
  expect(sink.authorization()).toBe('Bearer a token of the gateway')
  const confirm = `${path}/verifications/${String(begun['verification_id'])}/confirm`
  const wrong = code === '000000' ? '000001' : '000000'
  expect(await owner.calls('POST', confirm, { body: { code: wrong } })).toMatchObject(invalidAt('/body/code'))
  const value = await bodyOf(owner.calls('POST', confirm, { body: { code } }))
  expect(value).toMatchObject({ verified_method: 'sms_code', verified_provider: 'platform_sms' })
  expect(await isAttested(platform, value, NUMBER, world.clock.now())).toBe(true)
  expect(await isAttested(platform, value, DIGITS, world.clock.now())).toBe(false)
})

test('the number is in no row in clear', async () => {
  const { owner, begin } = await ownerWith('phone', '+31 6 99999999')
  sink.answerWith(503)
  await bodyOf(begin({ phone: '+31 6 99999999' }), 201)
  const rows = await world.rows('select * from vault.verification where account_id = $1', [owner.userId], 'us')
  const waiting = await world.rows('select * from mail.outbox', [], 'us')
  expect([rows.length, waiting.length]).toEqual([1, 1])
  expect(Buffer.from(JSON.stringify([rows, waiting])).includes('99999999')).toBe(false)
  sink.answerWith(200)
})

test.each([{}, { phone: '0612345678' }, { phone: 'no number' }])('%j is refused', async (members) => {
  const { begin } = await ownerWith('phone', NUMBER)
  expect(await begin(members)).toMatchObject(invalidAt('/body/phone'))
})

test('a field that is no phone number is refused', async () => {
  const { begin } = await ownerWith('first_name', 'Ada')
  expect(await begin({ phone: NUMBER })).toMatchObject(invalidAt('/body/provider'))
})
