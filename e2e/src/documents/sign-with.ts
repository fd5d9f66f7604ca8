import type { SigningProof } from '@sealpost/sdk'
import { type Account, APP_ORIGIN, bodyOf, softAuthenticator } from '@sealpost/testkit'

const DEVICES = '/api/account/trusted-devices'

/** Registers a passkey of the account; the answer signs with it. */
export async function addPasskey(owner: Pick<Account, 'calls' | 'authVerifier'>): Promise<SigningProof> {
  const authenticator = softAuthenticator({ origin: APP_ORIGIN })
  const { challenge } = await bodyOf(owner.calls('POST', `${DEVICES}/options`, { body: { kind: 'passkey' } }))
  const about = { auth_verifier: owner.authVerifier, kind: 'passkey', name: 'My laptop', challenge }
  const body = { ...about, credential: authenticator.create(String(challenge)) }
  await bodyOf(owner.calls('POST', DEVICES, { body }), 201)
  return { method: 'biometric', assertion: (digest) => Promise.resolve(authenticator.get(digest)) }
}
