import { hostileFiles } from '@sealpost/pdf/testing'
import { bodyOf, dataUri, openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { DOCUMENTS } from './testing/documents.ts'
import { handOver, offerPdf } from './testing/pdf-contracts.ts'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const customer = await world.company({ region: 'us' })
const connectionId = await customer.connected(service)

/** One of each refusal; `io/pdf` tests all of them. Files that are no PDF at all never reach a process. */
const samples = [...new Map(hostileFiles().map((file) => [file.refusal, file])).values()].slice(0, 6)

test.each(samples)('$name refuses the act, and other calls are served meanwhile', async ({ bytes }) => {
  const offered = await offerPdf(service, customer, connectionId, { plain: bytes })
  const body = { ...(await handOver(offered)), method: 'custodian' }
  const signing = customer.calls('POST', `${offered.path}/sign`, { body })
  expect(await service.data('GET', `${DOCUMENTS}/${offered.id}`)).toMatchObject({ status: 200 })
  expect(await signing).toMatchObject(refused(409, 'documents.not_signable'))
  expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${offered.id}`))).toMatchObject({
    status: 'ready_to_sign',
    signatures: [],
  })
})

test.each([
  ['an HTML page', '<html><script>alert(1)</script></html>'],
  ['an archive', 'PK\u0003\u0004\u0014\0evil.class'],
  ['a PDF that begins with a page', '<html>%PDF-1.7'],
])('%s is no PDF of a broadcast, whatever it says', async (_name, text) => {
  const facts = { name: 'Prices', payload_kind: 'file' }
  const { id } = await bodyOf(service.data('POST', DOCUMENTS, { body: facts }), 201)
  const upload = { file: dataUri('application/pdf', Buffer.from(text, 'latin1')), original_name: 'prices.pdf' }
  const answer = await service.data('POST', `${DOCUMENTS}/${String(id)}/file`, { body: upload })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect((await service.data('GET', `${DOCUMENTS}/${String(id)}/file`)).status).toBe(404)
})
