import { runStatement } from '@sealpost/postgres'
import { actFor, addDevice, bodyOf, callsWith, openWorld, refused, type Service, serviceBody } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { DOCUMENTS } from './testing/documents.ts'
import { offerTo } from './testing/signers.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()
const company = await world.company()
const signer = await world.person({ displayName: 'Anna de Vries' })
const device = await addDevice(signer)
const { portal } = company

const recordsOf = ({ serviceId }: Service) => `/api/portal/services/${serviceId}/documents`

async function gone(service: Service): Promise<void> {
  const rows = () => world.rows('select 1 from services.service where id = $1', [service.serviceId])
  await expect.poll(rows).toEqual([])
}

async function listDeleted(): Promise<readonly unknown[]> {
  return (await bodyOf(portal('GET', '/api/services?deleted=true')))['items'] as readonly unknown[]
}

/** A service with an accepted document, an open offer, a broadcast and one that waits for its file. */
async function openOffice() {
  const service = await world.service([], { company })
  const connectionId = await signer.connected(service)
  const members = { kind: 'document', requires_signature: false, requires_acceptance: true, name: 'Consent' }
  const offer = () => offerTo(service, signer, connectionId, { device, members })
  const [accepted, open] = [await offer(), await offer()]
  const body = { content_sha256: accepted.content_sha256 }
  await bodyOf(signer.calls('POST', `${accepted.path}/accept`, { body }))
  const broadcast = { name: 'Prices', payload_kind: 'json', value: { title: 'Prices' } }
  const pending = { name: 'Scan', payload_kind: 'file', target: { connection_id: connectionId } }
  for (const made of [broadcast, pending]) await bodyOf(service.data('POST', DOCUMENTS, { body: made }), 201)
  const copy = { kind: 'service_passphrase', ref_id: service.serviceId, sealed: await service.seal('passphrase') }
  await bodyOf(portal('POST', '/api/account/recovery-copies', { body: copy }), 201)
  const record = await bodyOf(service.data('GET', `${DOCUMENTS}/${accepted.id}`))
  return { service, connectionId, accepted, open, record }
}

/** The ids of the documents that the customer reads. */
async function copiesOfSigner(): Promise<readonly unknown[]> {
  const { items } = await bodyOf(signer.calls('GET', '/api/customer/documents'))
  return (items as readonly { readonly id: string }[]).map(({ id }) => id)
}

const copiesOf = async ({ serviceId }: Service): Promise<readonly unknown[]> =>
  world.rows('select 1 from account.recovery_copy where ref_id = $1', [serviceId])

describe('after the deletion of its service', () => {
  test('the company reads what was accepted, with its key; unsigned offers and broadcasts are gone', async () => {
    const { service, accepted, open, record } = await openOffice()
    const known = await bodyOf(portal('GET', service.path))
    const keyBefore = await bodyOf(portal('GET', `${service.path}/private-key`))
    await bodyOf(portal('DELETE', service.path), 204)
    const deleted = { ...known, state: 'deleted', deleted_at: world.time() }
    expect(await listDeleted()).toContainEqual(deleted)
    await gone(service)
    expect(await listDeleted()).toContainEqual(deleted)
    expect((await bodyOf(portal('GET', '/api/services')))['items']).not.toContainEqual(
      expect.objectContaining({ id: service.serviceId }),
    )

    const path = recordsOf(service)
    expect(await bodyOf(portal('GET', path))).toEqual({ total: 1, items: [record], next_cursor: null })
    expect((await bodyOf(portal('GET', `${path}?status=active`)))['total']).toBe(1)
    expect((await bodyOf(portal('GET', `${path}?status=ended`)))['total']).toBe(0)
    expect(await bodyOf(portal('GET', `${path}/${accepted.id}`))).toEqual(record)
    expect(record).toMatchObject({ status: 'active', signatures: [{ action: 'accepted', signer_last_name: 'Vries' }] })
    for (const id of [open.id, MISSING, 'x'])
      expect(await portal('GET', `${path}/${id}`)).toMatchObject(refused(404, 'documents.not_found'))
    expect(await portal('GET', `${path}/${accepted.id}/file`)).toMatchObject(
      refused(403, 'documents.recipient_encrypted'),
    )
    expect(await portal('GET', `${path}?status=unknown`)).toMatchObject(refused(400, 'request.invalid'))

    expect(await bodyOf(portal('GET', `${service.path}/private-key`))).toEqual(keyBefore)
    expect(await copiesOf(service)).toHaveLength(1)
    expect(await copiesOfSigner()).toContain(accepted.id)
  })

  test('a deleted service is read only: no other call finds it, and its code is free', async () => {
    const { service } = await openOffice()
    await bodyOf(portal('DELETE', service.path), 204)
    await gone(service)
    const missing = refused(404, 'services.not_found')
    for (const tail of ['', '/request-fields', '/share-fields', '/logs', '/client', '/webhooks', '/connections'])
      expect(await portal('GET', `${service.path}${tail}`)).toMatchObject(missing)
    expect(await portal('DELETE', service.path)).toMatchObject(missing)
    expect(await portal('PUT', service.path, { body: { name: 'Again' } })).toMatchObject(missing)
    const share_code = service.code.split('/')[1]
    const { public_key, encrypted_private_key } = await bodyOf(portal('GET', `${service.path}/private-key`))
    const taken = await serviceBody({ share_code, public_key, encrypted_private_key })
    expect(await portal('POST', '/api/services', { body: taken })).toMatchObject(refused(400, 'services.key_invalid'))
    expect((await portal('POST', '/api/services', { body: await serviceBody({ share_code }) })).status).toBe(201)
  })

  test('strangers, delegates and clients of the company do not find it; service management reads the key', async () => {
    const { service, accepted } = await openOffice()
    const helper = await world.person()
    const body = { share_code: helper.shareCode, role: 'admin', services: [service.serviceId] }
    await bodyOf(portal('POST', '/api/delegates', { body }), 201)
    const delegate = callsWith(company.apiUrl, (await actFor(world, company, helper.cookies)).token)
    const paths = [recordsOf(service), `${recordsOf(service)}/${accepted.id}`]
    for (const path of paths) expect((await delegate('GET', path)).status).toBe(200)
    expect(await delegate('DELETE', paths[1] ?? '')).toMatchObject(refused(403, 'auth.client_endpoint_forbidden'))
    await bodyOf(portal('DELETE', service.path), 204)
    const other = await world.company()
    for (const calls of [delegate, other.portal]) {
      for (const path of [...paths, `${service.path}/private-key`])
        expect(await calls('GET', path)).toMatchObject(refused(404, 'services.not_found'))
      expect((await bodyOf(calls('GET', '/api/services?deleted=true')))['items']).toEqual([])
    }
    expect(await other.portal('DELETE', paths[1] ?? '')).toMatchObject(refused(404, 'services.not_found'))
    for (const path of paths) expect((await world.anonymous('GET', path)).status).toBe(401)
    const { calls } = await company.accountClient(['service_management'])
    expect((await calls('GET', `${service.path}/private-key`)).status).toBe(200)
    expect((await bodyOf(calls('GET', '/api/services?deleted=true')))['items']).toContainEqual(
      expect.objectContaining({ id: service.serviceId }),
    )
    for (const path of paths)
      expect(await calls('GET', path)).toMatchObject(refused(403, 'auth.client_endpoint_forbidden'))
  })

  test('the company deletes a single record; with the last one the key and the recovery copy go', async () => {
    const { service, accepted } = await openOffice()
    const path = `${recordsOf(service)}/${accepted.id}`
    expect(await portal('DELETE', path)).toMatchObject(refused(409, 'documents.contract_immutable'))
    await bodyOf(portal('DELETE', service.path), 204)
    await gone(service)
    await bodyOf(portal('DELETE', path), 204)
    expect(await portal('DELETE', path)).toMatchObject(refused(404, 'services.not_found'))
    expect(await portal('GET', `${service.path}/private-key`)).toMatchObject(refused(404, 'services.not_found'))
    expect(await copiesOf(service)).toEqual([])
    const counters = 'select 1 from documents_service.counter where service_id = $1 and documents <> 0'
    expect(await world.rows(counters, [service.serviceId])).toEqual([])
    const audit = await bodyOf(portal('GET', '/api/portal/audit?limit=1'))
    expect(audit['items']).toMatchObject([
      { action: 'portal_documents.delete', ref: accepted.id, actor_id: company.userId },
    ])
    expect(await copiesOfSigner()).toContain(accepted.id)
  })

  test('the erasure of the account deletes the copies of the company', async () => {
    const owner = await world.company()
    const service = await world.service([], { company: owner })
    const connectionId = await signer.connected(service)
    const members = { kind: 'document', requires_signature: false, requires_acceptance: true }
    const { path, content_sha256, id } = await offerTo(service, signer, connectionId, { device, members })
    await bodyOf(signer.calls('POST', `${path}/accept`, { body: { content_sha256 } }))
    await bodyOf(owner.portal('DELETE', service.path), 204)
    await gone(service)
    expect((await owner.portal('GET', `${recordsOf(service)}/${id}`)).status).toBe(200)
    await owner.erase()
    const rows = 'select id from documents_service.document where service_id = $1'
    await expect.poll(() => world.rows(rows, [service.serviceId])).toEqual([])
    const kept = 'select 1 from services.deleted_service where id = $1'
    expect(await world.rows(kept, [service.serviceId])).toEqual([])
  })

  test('a deletion that an earlier release has begun keeps what was accepted', async () => {
    const { service, record } = await openOffice()
    const { serviceId } = service
    // As that release leaves the rows: no copy of the service, and a job by its older name.
    const { companyId } = company
    await world.eu.platform.database.transaction(async (tx) => {
      const marked = "update services.service set state = 'deleting' where company_id = $1 and id = $2"
      await runStatement(tx, marked, [companyId, serviceId])
      const counted = 'update services.company set services = services - 1 where company_id = $1'
      await runStatement(tx, counted, [companyId])
      const job = `insert into jobs.job (id, queue, kind, tenant_id, key, state, payload, enqueued_at, due_at)
        values (gen_random_uuid(), 'services', 'services.delete', $1, $2, 'waiting', $3, now(), now())`
      await runStatement(tx, job, [companyId, serviceId, JSON.stringify({ companyId, serviceId })])
    })
    await gone(service)
    expect((await bodyOf(portal('GET', recordsOf(service))))['items']).toEqual([record])
    expect((await portal('GET', `${service.path}/private-key`)).status).toBe(200)
  })
})
