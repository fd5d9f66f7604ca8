import { bodyOf, openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { copiesIn, openContracts, ownerPath, pdfIn, readPdf, sha256 } from './testing/contracts.ts'
import { signersOf } from './testing/signers.ts'

const DOCUMENTS = '/api/company-data/documents'
const MISSING = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()

test('a sealed contract is read and opened by its company after the deletion of the service, and deleted by it alone [RETAIN-05]', async () => {
  const contracts = await openContracts(world)
  const signers = await signersOf(contracts)
  const { service, customer, partner } = contracts
  const { portal, serviceId } = service
  const id = await contracts.signing()
  await signers.steps(id, 5)
  for (const who of [customer, partner]) await contracts.arrived(who, id, 'completed')
  const records = `/api/portal/services/${serviceId}`
  const before = await bodyOf(portal('GET', `${records}/flow-runs/${id}`))
  expect(await portal('DELETE', service.path)).toMatchObject(refused(409, 'company_connections.active_contract'))
  expect(await portal('DELETE', `${records}/flow-runs/${id}`)).toMatchObject(refused(404, 'services.not_found'))
  for (const { document_id: copy } of copiesIn(before))
    await bodyOf(service.data('PUT', `${DOCUMENTS}/${copy}`, { body: { status: 'ended' } }))
  const listed = await bodyOf(portal('GET', `${records}/documents`))
  const wrapped = await bodyOf(portal('GET', `${service.path}/private-key`))
  expect(wrapped).toMatchObject({ public_key: service.publicKey })

  await bodyOf(portal('DELETE', service.path), 204)
  const rows = () => world.rows('select 1 from services.service where id = $1', [serviceId])
  await expect.poll(rows).toEqual([])
  expect(await bodyOf(portal('GET', `${records}/documents`))).toEqual(listed)
  expect(await bodyOf(portal('GET', `${service.path}/private-key`))).toEqual(wrapped)
  const run = await bodyOf(portal('GET', `${records}/flow-runs/${id}`))
  expect(run).toMatchObject({ status: 'completed', answers: [], data_deleted_at: expect.any(String) })
  expect(run['definition']).toEqual(before['definition'])
  for (const output of ['contract', 'annex']) {
    const file = await bodyOf(portal('GET', `${ownerPath(serviceId, id, output)}/file`))
    const sealed = pdfIn(await service.open(file['value']))
    expect(sealed.equals(await readPdf(customer, id, output))).toBe(true)
    const copy = copiesIn(run).find((one) => one.party_key === 'us' && one.output_key === output)
    const document = await bodyOf(portal('GET', `${records}/documents/${copy?.document_id ?? ''}`))
    expect(document).toMatchObject({ plain_sha256: sha256(sealed), signatures: [{ action: 'signed' }] })
    expect(document['run_signatures']).toHaveLength(6)
    const acting = { method: 'custodian', content_sha256: sha256(String(file['value'])) }
    expect(await portal('POST', `${ownerPath(serviceId, id, output)}/sign`, { body: acting })).toMatchObject(
      refused(404, 'services.not_found'),
    )
    expect(await portal('DELETE', `${records}/documents/${copy?.document_id ?? ''}`)).toMatchObject(
      refused(409, 'documents.run_managed'),
    )
  }

  for (const missing of [MISSING, 'x'])
    expect(await portal('DELETE', `${records}/flow-runs/${missing}`)).toMatchObject(refused(404, 'flows.run_not_found'))
  const stranger = await world.company()
  for (const method of ['GET', 'DELETE'] as const) {
    const path = `${records}/flow-runs/${id}`
    expect(await stranger.portal(method, path)).toMatchObject(refused(404, 'services.not_found'))
    expect((await world.anonymous(method, path)).status).toBe(401)
  }
  await bodyOf(portal('DELETE', `${records}/flow-runs/${id}`), 204)
  expect(await portal('DELETE', `${records}/flow-runs/${id}`)).toMatchObject(refused(404, 'services.not_found'))
  for (const table of ['flows_service.run', 'flows_service.version', 'documents_service.document'])
    expect(await world.rows(`select 1 from ${table} where service_id = $1`, [serviceId])).toEqual([])
  expect((await readPdf(partner, id, 'contract')).length).toBeGreaterThan(0)
})
