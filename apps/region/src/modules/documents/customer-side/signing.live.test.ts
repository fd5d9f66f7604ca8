import { createHash } from 'node:crypto'
import { runStatement } from '@sealpost/postgres'
import { addDevice, bodyOf, invalidAt, openWorld, refused } from '@sealpost/testkit'
import { TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { type Body, copyPath, DOCUMENTS, sendTo } from '../testing/documents.ts'
import { offerTo } from '../testing/signers.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const signer = await world.person({ displayName: 'Anna de Vries' })
const connectionId = await signer.connected(service)
const phone = await addDevice(signer)
const offered = (members: Body = {}) => offerTo(service, signer, connectionId, { device: phone, members })

const eventsOf = async (id: string) => (await service.drain()).filter((event) => event['document_id'] === id)
const statusEvents = async (id: string) =>
  (await eventsOf(id)).filter(({ event }) => event === 'document_status_changed')
const read = (id: string) => bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))

describe('the copy', () => {
  test('a customer of another region reads and opens it', async () => {
    const { copy, path } = await offered()
    expect(createHash('sha256').update(String(copy['value'])).digest('hex')).toBe(copy['content_sha256'])
    expect(copy).toMatchObject({
      status: 'ready_to_sign',
      connection_id: connectionId,
      signatures: [],
      sealed_at: null,
    })
    const listed = await bodyOf(signer.calls('GET', `/api/company-connections/${connectionId}/documents?limit=500`))
    expect(listed['items']).toContainEqual(copy)
    expect((await bodyOf(signer.calls('GET', '/api/customer/documents?limit=500')))['items']).toContainEqual(copy)
    expect(await signer.calls('GET', `${path}/file`)).toMatchObject(refused(404, 'company_data.file_not_found'))
    const record = await signer.connection(connectionId)
    expect(record['documents']).toContainEqual(expect.objectContaining({ id: copy['id'], status: 'ready_to_sign' }))
  })

  test("a stranger's call answers exactly like that of a missing document", async () => {
    const { path, content_sha256 } = await offered()
    const stranger = await world.person()
    const missing = copyPath(MISSING, MISSING)
    const body = { method: 'biometric', content_sha256, assertion: phone.sign(content_sha256) }
    const calls = [
      ['GET', ''],
      ['GET', '/file'],
      ['POST', '/sign-code'],
      ['POST', '/sign'],
      ['POST', '/accept'],
      ['POST', '/decline'],
      ['POST', '/cancel'],
    ] as const
    for (const [method, suffix] of calls) {
      const sent = method === 'GET' ? {} : { body }
      const [foreign, unknown] = await Promise.all([
        stranger.calls(method, `${path}${suffix}`, sent),
        stranger.calls(method, `${missing}${suffix}`, sent),
      ])
      expect(foreign).toMatchObject(refused(404, 'company_data.connection_not_found'))
      expect(foreign.text).toBe(unknown.text)
      expect(await world.anonymous(method, `${path}${suffix}`)).toMatchObject(refused(401, 'auth.token_missing'))
    }
    expect(await signer.calls('GET', copyPath(connectionId, MISSING))).toMatchObject(
      refused(404, 'documents.not_found'),
    )
  })
})

describe('signing', () => {
  test('a signature makes the contract active, on both sides and in the feed [DOC-05] [DOC-15] [EVENT-10] [EVENT-12] [EVENT-13] [EVENT-14] [EVENT-15] [EVENT-16]', async () => {
    const { id, path, content_sha256, signature } = await offered()
    await service.drain()
    const signed = await bodyOf(signer.calls('POST', `${path}/sign`, { body: signature }))
    const recorded = {
      action: 'signed',
      method: 'biometric',
      content_sha256,
      plain_sha256: null,
      signer_first_name: 'Anna de',
      signer_last_name: 'Vries',
      signer_name_verified: false,
      created_at: world.time(),
    }
    expect(signed).toMatchObject({ status: 'active', sealed_at: null, plain_sha256: null, signatures: [recorded] })
    expect(await bodyOf(signer.calls('GET', path))).toEqual(signed)
    expect(await read(id)).toMatchObject({
      status: 'active',
      signatures: [{ ...recorded, ip: expect.any(String), user_agent: expect.any(String) }],
    })
    expect(await statusEvents(id)).toEqual([
      {
        id: expect.any(String),
        event: 'document_status_changed',
        person_user_id: signer.userId,
        share_code: signer.shareCode,
        at: world.time(),
        connection_id: connectionId,
        service_id: service.serviceId,
        document_id: id,
        status: 'active',
        action: 'signed',
        method: 'biometric',
        content_sha256,
        signed_at: world.time(),
        cancel_effective_date: null,
        sealed_at: null,
        plain_sha256: null,
        signer_first_name: 'Anna de',
        signer_last_name: 'Vries',
        signer_name_verified: false,
        note: null,
      },
    ])
  })

  test('the same call with its Idempotency-Key signs once; without one the second is refused', async () => {
    const { path, signature } = await offered()
    const first = await bodyOf(signer.calls('POST', `${path}/sign`, { body: signature, key: 'sign-once' }))
    expect(await bodyOf(signer.calls('POST', `${path}/sign`, { body: signature, key: 'sign-once' }))).toEqual(first)
    expect(await signer.calls('POST', `${path}/sign`, { body: signature })).toMatchObject(
      refused(409, 'documents.status_invalid'),
    )
  })

  test('only the content that was shown can be signed', async () => {
    const { path, signature, id } = await offered()
    const other = 'ab'.repeat(32)
    const body = { ...signature, content_sha256: other, assertion: phone.sign(other) }
    expect(await signer.calls('POST', `${path}/sign`, { body })).toMatchObject(
      refused(409, 'documents.content_mismatch'),
    )
    expect(await signer.calls('POST', `${path}/accept`, { body })).toMatchObject(
      refused(409, 'documents.status_invalid'),
    )
    expect(await read(id)).toMatchObject({ status: 'ready_to_sign', signatures: [] })
  })

  test('biometric needs an assertion of a device of the account over the content', async () => {
    const { path, content_sha256, signature } = await offered()
    const foreign = await addDevice(await world.person())
    for (const assertion of [undefined, phone.sign('another text'), foreign.sign(content_sha256)]) {
      expect(await signer.calls('POST', `${path}/sign`, { body: { ...signature, assertion } })).toMatchObject(
        invalidAt('/body/assertion'),
      )
    }
  })

  test('email needs the code that was mailed for this document', async () => {
    const owner = await world.person()
    const link = await owner.connected(service)
    const [one, two] = [await sendTo(service, owner, link), await sendTo(service, owner, link)]
    const body = { method: 'email', content_sha256: one['content_sha256'] }
    const path = copyPath(link, one.id)
    await expect.poll(async () => (await owner.calls('GET', copyPath(link, two.id))).status).toBe(200)
    await bodyOf(owner.calls('POST', `${copyPath(link, two.id)}/sign-code`), 204)
    const otherCode = await world.mail.waitForCode(owner.email)
    await bodyOf(owner.calls('POST', `${path}/sign-code`), 204)
    const code = await world.mail.waitForCode(owner.email)
    for (const wrong of [undefined, otherCode === code ? '000000' : otherCode]) {
      expect(await owner.calls('POST', `${path}/sign`, { body: { ...body, code: wrong } })).toMatchObject(
        invalidAt('/body/code'),
      )
    }
    expect(await bodyOf(owner.calls('POST', `${path}/sign`, { body: { ...body, code } }))).toMatchObject({
      status: 'active',
      signatures: [{ method: 'email' }],
    })
  })

  test('twofa needs a fresh code of the second factor, and ten wrong ones close it for an hour', async () => {
    const owner = await world.person()
    const link = await owner.connected(service)
    const { id, content_sha256 } = await sendTo(service, owner, link)
    const path = copyPath(link, id)
    await expect.poll(async () => (await owner.calls('GET', path)).status).toBe(200)
    const sign = (code: string) =>
      owner.calls('POST', `${path}/sign`, { body: { method: 'twofa', content_sha256, code } })
    expect(await sign('123456')).toMatchObject(invalidAt('/body/method'))
    const begun = await bodyOf(owner.calls('POST', '/api/account/2fa', { body: { auth_verifier: owner.authVerifier } }))
    const totp = new TOTP({ secret: String(begun['secret']) })
    const now = () => totp.generate({ timestamp: world.clock.now() })
    await bodyOf(owner.calls('POST', '/api/account/2fa', { body: { code: now() } }))
    expect(await sign(now())).toMatchObject(invalidAt('/body/code'))
    world.clock.advance(30_000)
    const right = now()
    for (let tries = 2; tries < 10; tries += 1) {
      expect(await sign(right === '000000' ? '111111' : '000000')).toMatchObject(invalidAt('/body/code'))
    }
    expect(await sign(right)).toMatchObject(refused(429, 'rate.limited'))
    const last = await sendTo(service, owner, link)
    expect(last).toMatchObject({ status: 'ready_to_sign' })
  })

  test('the name is verified when it is the one on the verified ID [SEAL-08] [EVENT-16]', async () => {
    const owner = await world.person({ displayName: 'Anna de Vries' })
    const device = await addDevice(owner)
    const link = await owner.connected(service)
    const attest = async (field: string, text: string) => {
      await bodyOf(owner.put(field, text))
      const salt = 'ab'.repeat(16)
      const hash = createHash('sha256')
        .update(salt + text)
        .digest('hex')
      await world.us.platform.database.transaction((tx) =>
        runStatement(
          tx,
          `update vault.value set verified_hash = $3, verified_salt = $4, verified_at = $5, verified_method = 'id_document',
            verified_provider = 'demo_id', verification_id = $2 where account_id = $1 and field_id = $2`,
          [owner.userId, owner.field(field), hash, salt, new Date(world.clock.now())],
        ),
      )
    }
    const sign = async () => {
      const { id, content_sha256 } = await sendTo(service, owner, link)
      const path = copyPath(link, id)
      await expect.poll(async () => (await owner.calls('GET', path)).status).toBe(200)
      const body = { method: 'biometric', content_sha256, assertion: device.sign(String(content_sha256)) }
      await bodyOf(owner.calls('POST', `${path}/sign`, { body }))
      const [event] = await statusEvents(id)
      return { signatures: (await read(id))['signatures'], isVerifiedInFeed: event?.['signer_name_verified'] }
    }
    await attest('first_name', 'Anna')
    await attest('last_name', 'Jansen')
    expect(await sign()).toMatchObject({
      signatures: [{ signer_last_name: 'Vries', signer_name_verified: false }],
      isVerifiedInFeed: false,
    })
    await attest('last_name', 'de Vries')
    expect(await sign()).toMatchObject({
      signatures: [{ signer_first_name: 'Anna', signer_last_name: 'de Vries', signer_name_verified: true }],
      isVerifiedInFeed: true,
    })
  })

  test('a company signs by its custodian; machine clients cannot sign or accept', async () => {
    const customer = await world.company({ region: 'us' })
    const link = await customer.connected(service)
    const { id, content_sha256 } = await sendTo(service, customer, link)
    const path = copyPath(link, id)
    await expect.poll(async () => (await customer.calls('GET', path)).status).toBe(200)
    const client = await customer.accountClient(['customer_connections'])
    const body = { method: 'custodian', content_sha256 }
    for (const act of ['sign', 'accept', 'sign-code']) {
      expect(await client.calls('POST', `${path}/${act}`, { body })).toMatchObject(
        refused(403, 'documents.human_required'),
      )
      expect(await client.calls('POST', `${copyPath(MISSING, MISSING)}/${act}`, { body })).toMatchObject(
        refused(403, 'documents.human_required'),
      )
    }
    expect(await client.calls('GET', path)).toMatchObject({ status: 200 })
    expect(await bodyOf(customer.calls('POST', `${path}/sign`, { body }))).toMatchObject({
      status: 'active',
      signatures: [{ method: 'custodian', signer_first_name: null, signer_last_name: customer.displayName }],
    })
    expect(await signer.calls('POST', `${(await offered()).path}/sign`, { body })).toMatchObject({ status: 409 })
  })

  test('custodian is for companies alone', async () => {
    const { path, content_sha256 } = await offered()
    expect(await signer.calls('POST', `${path}/sign`, { body: { method: 'custodian', content_sha256 } })).toMatchObject(
      invalidAt('/body/method'),
    )
  })
})
