import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import { openWorld } from '@sealpost/testkit'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { expect, test } from 'vitest'
import { sealToRecoveryKey } from './operations/sealing.ts'

const COPIES = '/api/account/recovery-copies'

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const sealed = await sealToRecoveryKey(northwind.login.recoveryKeys?.publicKey ?? '', 'a passphrase')

test('the recovery key is the public half that the company registered, for its portal and its clients [ACCT-05]', async () => {
  const client = await northwind.accountClient(['service_management'])
  for (const { calls } of [northwind, client]) {
    expect(await calls('GET', '/api/account/recovery-key')).toMatchObject({
      status: 200,
      body: { public_key: northwind.login.recoveryKeys?.publicKey },
    })
  }
  expect(await mara.calls('GET', '/api/account/recovery-key')).toMatchObject({ status: 403 })
})

test('a newer copy of a secret replaces the older one [ACCT-05]', async () => {
  const body = { kind: 'service_passphrase', ref_id: northwind.serviceId, sealed }
  const first = await northwind.calls('POST', COPIES, { body })
  expect(first).toMatchObject({ status: 201, body: { kind: body.kind, ref_id: body.ref_id } })
  expect(first.body).not.toHaveProperty('sealed')
  expect(await northwind.calls('POST', COPIES, { body })).toMatchObject({ status: 201, body: first.body })
  const { body: list } = await northwind.calls('GET', COPIES)
  expect(list).toEqual({ total: expect.any(Number), items: expect.arrayContaining([first.body]), next_cursor: null })
  const { body: others } = await harborline.calls('GET', COPIES)
  expect(JSON.stringify(others)).not.toContain(northwind.serviceId)
})

test('the same Idempotency-Key stores one copy and answers it again', async () => {
  const body = { kind: 'webhook_secret', ref_id: 'hook-1', sealed }
  const first = await northwind.calls('POST', COPIES, { body, key: 'copy-1' })
  const again = await northwind.calls('POST', COPIES, { body, key: 'copy-1' })
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('a copy that is not sealed, or names no secret, is refused', async () => {
  const body = { kind: 'app_secret', ref_id: 'app-1', sealed: 'in the clear' }
  expect(await northwind.calls('POST', COPIES, { body })).toMatchObject({
    status: 400,
    body: { error_key: 'contact_data.encryption_required' },
  })
  for (const wrong of [{ ...body, kind: 'diary' }, { ...body, ref_id: '' }, { kind: body.kind }]) {
    expect(await northwind.calls('POST', COPIES, { body: wrong })).toMatchObject({
      status: 400,
      body: { error_key: 'request.invalid' },
    })
  }
  expect(await world.anonymous('POST', COPIES, { body })).toMatchObject({ status: 401 })
})

test('password and mailed code together open a copy', async () => {
  const made = await northwind.calls('POST', COPIES, { body: { kind: 'app_secret', ref_id: 'app-2', sealed } })
  expect(await northwind.calls('POST', '/api/account/recover/code')).toMatchObject({ status: 202 })
  const code = await world.mail.waitForCode(northwind.email)
  const proof = { copy_id: made.body['id'], auth_verifier: northwind.login.authVerifier, code }
  const wrongCode = await recover({ ...proof, code: code === '000000' ? '000001' : '000000' })
  expect(wrongCode).toMatchObject({ status: 400, body: { error_key: 'request.invalid', details: [{ path: '/code' }] } })
  const wrongPassword = await recover({ ...proof, auth_verifier: harborline.login.authVerifier })
  expect(wrongPassword).toMatchObject({ status: 401, body: { error_key: 'session.invalid' } })
  const opened = await recover(proof)
  expect(opened.status).toBe(200)
  expect(await openByPassword(opened.body)).toBe('a passphrase')
})

test('another company’s copy answers the same as an unknown one', async () => {
  const made = await northwind.calls('POST', COPIES, { body: { kind: 'app_secret', ref_id: 'app-3', sealed } })
  await harborline.calls('POST', '/api/account/recover/code')
  const code = await world.mail.waitForCode(harborline.email)
  const proof = { auth_verifier: harborline.login.authVerifier, code }
  const answers = await Promise.all(
    [made.body['id'], '019a0000-0000-7000-8000-0000000000ff', 'nothing'].map((copy_id) =>
      harborline.calls('POST', '/api/account/recover', { body: { ...proof, copy_id } }),
    ),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 404, body: { error_key: 'account.recovery_copy_not_found' } })
})

test('only the owner opens a copy in the portal: no client does, whatever its capabilities', async () => {
  const client = await northwind.accountClient(['service_management', 'oauth_apps'])
  expect(await client.calls('GET', COPIES)).toMatchObject({ status: 200 })
  for (const path of ['/api/account/recover/code', '/api/account/recover']) {
    expect(await client.calls('POST', path, { body: {} })).toMatchObject({
      status: 403,
      body: { error_key: 'auth.client_endpoint_forbidden' },
    })
  }
})

const recover = (body: unknown) => northwind.calls('POST', '/api/account/recover', { body })

/** As the portal does it. */
async function openByPassword(answer: Readonly<Record<string, unknown>>): Promise<string> {
  const platform = createCryptoPlatform(globalThis)
  const { wrapKey } = await deriveLogin(northwind.login.password, northwind.login.kdf)
  const privateKey = await openPrivateKey(answer['encrypted_recovery_key'], wrapKey, 'recovery')
  const key = await importOpeningKey(platform, privateKey)
  if (!key.ok) throw new Error(key.refusal)
  const opened = await openWrapper(platform, key.value, String(answer['sealed']))
  if (!opened.ok) throw new Error(opened.refusal)
  return opened.value
}
