import { type Clock, instant } from '@sealpost/kernel'
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { createTokenVerifier, type TokenVerifier } from './verifier.ts'

const ISSUER = 'https://front.example'
const START = 1_777_000_000
const claims = { client_id: 'svc_aaaaaaaaaaaaaaaaaaaaaaaa', rgn: 'eu', ut: 'company', ep: 1, sid: 'session' }

interface Signer {
  readonly key: GenerateKeyPairResult['privateKey']
  readonly published: JWK
}
let known: Signer
let otherSigner: Signer
let nowSeconds = START
let loads = 0
const clock: Clock = { now: () => instant(nowSeconds * 1000) }

async function signer(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { key: privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
}

beforeAll(async () => {
  known = await signer('k1')
  otherSigner = await signer('k1')
})

function verifier(keys: () => readonly JWK[] = () => [known.published]): TokenVerifier {
  nowSeconds = START
  loads = 0
  return createTokenVerifier({
    issuer: ISSUER,
    clock,
    loadKeys() {
      loads += 1
      return Promise.resolve(keys())
    },
  })
}

interface Forgery {
  readonly payload?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  readonly by?: Signer
}

function token({ payload = {}, header = {}, by = known }: Forgery = {}): Promise<string> {
  const whole = {
    iss: ISSUER,
    aud: 'platform-api',
    sub: 'x',
    jti: 'j',
    iat: START,
    exp: START + 3600,
    ...claims,
    ...payload,
  }
  return new SignJWT(whole).setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt', ...header }).sign(by.key)
}

test('a valid token yields its caller', async () => {
  expect(await verifier().verify(await token())).toEqual({
    subject: 'x',
    clientId: claims.client_id,
    actingFor: null,
    expiresAt: (START + 3600) * 1000,
    region: 'eu',
    userType: 'company',
    epoch: 1,
    sessionId: 'session',
  })
})

test('a token seen before is answered synchronously, until it expires', async () => {
  const subject = verifier()
  const text = await token()
  await subject.verify(text)
  expect(subject.verify(text)).not.toBeInstanceOf(Promise)
  nowSeconds = START + 3600
  expect(() => subject.verify(text)).toThrow(expect.objectContaining({ key: 'auth.expired' }))
})

test('an expired token that was never seen is told apart from an invalid one', async () => {
  const subject = verifier()
  nowSeconds = START + 3600
  await expect(subject.verify(await token())).rejects.toMatchObject({ key: 'auth.expired' })
})

test.each<[string, () => Promise<string>]>([
  ['signed with another key under our kid', () => token({ by: otherSigner })],
  ['of another issuer', () => token({ payload: { iss: 'https://evil.example' } })],
  ['for another audience', () => token({ payload: { aud: 'something-else' } })],
  ['that is an ID token', () => token({ header: { typ: 'JWT' } })],
  ['without expiry', () => token({ payload: { exp: undefined } })],
  ['without a client', () => token({ payload: { client_id: undefined } })],
  ['without an epoch', () => token({ payload: { ep: undefined } })],
  ['of an unknown user type', () => token({ payload: { ut: 'robot' } })],
  ['without a signature', async () => new UnsecuredJWT({ ...claims, iss: ISSUER, aud: 'platform-api' }).encode()],
  ['with a changed payload', async () => swapPayload(await token())],
  ['that is not a JWT', async () => 'nonsense'],
  ['that is empty', async () => ''],
  ['of excessive length', async () => 'a'.repeat(5000)],
])('a token %s is refused', async (_what, make) => {
  const subject = verifier()
  const text = await make()
  await expect((async () => subject.verify(text))()).rejects.toMatchObject({ key: 'auth.token_invalid' })
})

test('a key that was published later is found, but unknown keys do not cause a request each', async () => {
  const later = await signer('k2')
  let published: readonly JWK[] = [known.published]
  const subject = verifier(() => published)
  const signed = await token({ header: { kid: 'k2' }, by: later })
  await expect(subject.verify(signed)).rejects.toMatchObject({ key: 'auth.token_invalid' })
  published = [later.published, known.published]
  await expect(subject.verify(signed)).rejects.toMatchObject({ key: 'auth.token_invalid' })
  expect(loads).toBe(1)
  nowSeconds += 6
  expect(await subject.verify(signed)).toMatchObject({ region: 'eu' })
  expect(loads).toBe(2)
})

test('tokens of a withdrawn key are refused once the keys were read again, also those seen before', async () => {
  const later = await signer('k2')
  let published: readonly JWK[] = [known.published]
  const subject = verifier(() => published)
  const signed = await token()
  await subject.verify(signed)
  published = [later.published]
  await subject.reloadKeys()
  await expect((async () => subject.verify(signed))()).rejects.toMatchObject({ key: 'auth.token_invalid' })
})

function swapPayload(text: string): string {
  const [header, , signature] = text.split('.')
  const forged = Buffer.from(JSON.stringify({ ...claims, iss: ISSUER, aud: 'platform-api', ep: 9 })).toString(
    'base64url',
  )
  return `${header}.${forged}.${signature}`
}
