import { turnSwitches } from '@sealpost/region/access'
import {
  APP_ORIGIN,
  bodyOf,
  callsWith,
  DEVICES,
  enableCodes,
  invalidAt,
  oneTimeCode,
  openWorld,
  refused,
  sealTo,
  softAuthenticator,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld()
const service = await world.service([])

/** A signer in two sessions, with an authenticator app and a passkey that counts. */
async function openSigner() {
  const owner = await world.person()
  const connectionId = await owner.connected(service)
  const second = await owner.logIn()
  const calls = callsWith(owner.apiUrl, owner.token)
  const passkey = softAuthenticator({ origin: APP_ORIGIN })
  const { challenge } = await bodyOf(calls('POST', `${DEVICES}/options`, { body: { kind: 'passkey' } }))
  const credential = passkey.create(String(challenge))
  const adding = { auth_verifier: owner.authVerifier, kind: 'passkey', name: 'A laptop', challenge, credential }
  const { id: device } = await bodyOf(calls('POST', DEVICES, { body: adding }), 201)
  const secret = await enableCodes(owner, owner.authVerifier, world.clock.now())

  async function offer() {
    const value = await sealTo(owner.user.keys.publicKey, '{"title":"Terms"}')
    const contract = { name: 'Terms', kind: 'agreement', payload_kind: 'json', requires_signature: true }
    const body = { ...contract, target: { connection_id: connectionId }, value }
    const { id } = await bodyOf(service.data('POST', '/api/company-data/documents', { body }), 201)
    const path = `/api/company-connections/${connectionId}/documents/${String(id)}`
    await expect.poll(async () => (await calls('GET', path)).status).toBe(200)
    const { content_sha256 } = await bodyOf(calls('GET', path))
    const mail = async () => {
      await bodyOf(calls('POST', `${path}/sign-code`), 204)
      return { method: 'email', code: await world.mail.waitForCode(owner.email) }
    }
    return {
      mail,
      assert: () => ({ method: 'biometric', assertion: passkey.get(String(content_sha256)) }),
      sign: (proof: object, from = calls) => from('POST', `${path}/sign`, { body: { content_sha256, ...proof } }),
      /** The rows of the proof that was kept for the document. */
      kept: () => world.rows('select hash from documents_customer.kept_proof where document_id = $1', [id], 'us'),
    }
  }
  return {
    offer,
    code: () => ({ method: 'twofa', code: oneTimeCode(secret, world.clock.now()) }),
    elsewhere: callsWith(second.apiUrl, second.token),
    forget: () => bodyOf(calls('DELETE', `${DEVICES}/${String(device)}`), 204),
  }
}

/** While writes of the service's region are paused no signature is recorded; more often than wrong proofs are allowed. */
async function failOften(sign: () => Promise<object>): Promise<void> {
  await turnSwitches(world.eu.platform, { writesPaused: true })
  try {
    for (let tries = 0; tries < 11; tries += 1) expect(await sign()).toMatchObject(refused(503, 'db.writes_paused'))
  } finally {
    await turnSwitches(world.eu.platform, { writesPaused: false })
  }
}

test('a proof that has passed is good until the signature is recorded: of a passkey, an app, or a mail', async () => {
  const { offer, code } = await openSigner()
  const [one, two, three] = [await offer(), await offer(), await offer()]
  world.clock.advance(30_000)
  const proofs = [
    { contract: one, proof: one.assert() },
    { contract: two, proof: code() },
    { contract: three, proof: await three.mail() },
  ]
  for (const { contract, proof } of proofs) {
    await failOften(() => contract.sign(proof))
    expect(await contract.kept()).toHaveLength(1)
  }
  // Longer than each of the codes is valid.
  world.clock.advance(20 * 60_000)
  for (const { contract, proof } of proofs) {
    const { method } = proof
    expect(await bodyOf(contract.sign(proof))).toMatchObject({ status: 'active', signatures: [{ method }] })
    expect(await contract.kept()).toEqual([])
  }
})

test('a kept proof is good for its document alone, in its session, and while its device is trusted', async () => {
  const { offer, code, elsewhere, forget } = await openSigner()
  const [one, two] = [await offer(), await offer()]
  world.clock.advance(30_000)
  const proof = code()
  await failOften(() => one.sign(proof))
  expect(await two.sign(proof)).toMatchObject(invalidAt('/body/code'))
  expect(await one.sign(proof, elsewhere)).toMatchObject(invalidAt('/body/code'))
  expect(await bodyOf(one.sign(proof))).toMatchObject({ status: 'active' })
  const assertion = two.assert()
  await failOften(() => two.sign(assertion))
  await forget()
  // The session of the signature has ended with its device.
  expect(await two.sign(assertion)).toMatchObject(refused(401, 'auth.token_invalid'))
  expect(await two.sign(assertion, elsewhere)).toMatchObject(invalidAt('/body/assertion'))
})
