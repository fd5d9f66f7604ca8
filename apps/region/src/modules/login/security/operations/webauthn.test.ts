import { softAuthenticator } from '@sealpost/testkit/passkeys'
import { expect, test } from 'vitest'
import type { SigningDevice } from '../store/devices.ts'
import { readAssertion, readNewPasskey } from './webauthn.ts'

const origin = 'https://app.sealpost.example'
const site = { rpId: 'sealpost.example', origins: [origin, 'https://portal.sealpost.example'] }
const rpId = 'sealpost.example'

async function register(authenticator = softAuthenticator({ origin, rpId })) {
  const passkey = await readNewPasskey(site, 'challenge one', authenticator.create('challenge one'))
  if (passkey === null) throw new Error('the passkey was not accepted')
  const device: SigningDevice = { id: 'd', kind: 'passkey', ...passkey }
  return { authenticator, device }
}

test('a passkey that answers the challenge is accepted, and so are its signatures', async () => {
  const { authenticator, device } = await register()
  expect(device.signCount).toBe(1)
  await expect(readAssertion(site, 'an id', authenticator.get('an id'), device)).resolves.toBe(2)
})

test.each([
  ['another challenge', {}, 'another challenge'],
  ['another site', { origin: 'https://evil.example', rpId: 'evil.example' }, 'challenge one'],
  ['another origin of the same domain', { origin: 'https://other.sealpost.example' }, 'challenge one'],
  ['a user who was not verified', { isUserVerified: false }, 'challenge one'],
])('a passkey for %s is not accepted', async (_name, options, challenge) => {
  const authenticator = softAuthenticator({ origin, rpId, ...options })
  await expect(readNewPasskey(site, 'challenge one', authenticator.create(challenge))).resolves.toBeNull()
})

test('a signature over another text, by another key or without user verification is refused', async () => {
  const { authenticator, device } = await register()
  await expect(readAssertion(site, 'an id', authenticator.get('another id'), device)).resolves.toBeNull()
  const other = softAuthenticator({ origin, rpId })
  await expect(readAssertion(site, 'an id', other.get('an id'), device)).resolves.toBeNull()
  const { authenticator: lax, device: laxDevice } = await register()
  const assertion = lax.get('an id')
  const data = Buffer.from(assertion.response.authenticatorData, 'base64url')
  data[32] = 0x01
  const unverified = { ...assertion.response, authenticatorData: data.toString('base64url') }
  await expect(readAssertion(site, 'an id', { ...assertion, response: unverified }, laxDevice)).resolves.toBeNull()
})

test('an old counter is refused; an authenticator without a counter is accepted', async () => {
  const { authenticator, device } = await register()
  const assertion = authenticator.get('an id')
  await expect(readAssertion(site, 'an id', assertion, { ...device, signCount: 2 })).resolves.toBeNull()
  const still = await register(softAuthenticator({ origin, rpId, hasCounter: false }))
  await expect(readAssertion(site, 'an id', still.authenticator.get('an id'), still.device)).resolves.toBe(0)
})

test('malformed input is refused', async () => {
  const response = { clientDataJSON: 'e30', attestationObject: 'oA' }
  const nonsense = { id: 'AA', rawId: 'AA', type: 'public-key', response } as const
  await expect(readNewPasskey(site, 'challenge one', nonsense)).resolves.toBeNull()
})
