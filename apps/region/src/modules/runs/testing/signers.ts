import { addDevice, bodyOf } from '@sealpost/testkit'
import { expect } from 'vitest'
import { type Contracts, copyOf, documentPath, ownerPath, pdfIn, readPdf, signedWith } from './contracts.ts'

/** All acts of a line: `step(run, party, output)` signs or accepts the party's copy. */
export async function signersOf(contracts: Contracts) {
  const { service, person } = contracts
  const phone = await addDevice(person)

  /** The copy of a customer, once it has arrived. */
  const readCopy = async (who: 'customer' | 'partner', runId: string, output: string) => {
    const { document_id: id } = copyOf(await contracts.read(runId), who, output)
    const path = documentPath(contracts[who], id)
    await expect.poll(async () => (await contracts[who].calls('GET', path)).status).toBe(200)
    return { path, body: await bodyOf(contracts[who].calls('GET', path)) }
  }

  /** The members of an act on a customer's copy. */
  const membersFor = async (who: 'customer' | 'partner', runId: string, output: string, content: string) => {
    const signed = await signedWith(content, await readPdf(contracts[who], runId, output))
    const proof = who === 'customer' ? { method: 'biometric', assertion: phone.sign(content) } : { method: 'custodian' }
    return { ...signed, ...proof }
  }

  const actAs = async (who: 'customer' | 'partner', runId: string, output: string, act: 'sign' | 'accept') => {
    const { path, body } = await readCopy(who, runId, output)
    const members = await membersFor(who, runId, output, String(body['content_sha256']))
    return contracts[who].calls('POST', `${path}/${act}`, { body: members })
  }

  /** The company's own copy: the content that it signs, and the PDF in it. */
  const readOwn = async (runId: string, output: string) => {
    const { document_id: id } = copyOf(await contracts.read(runId), 'us', output)
    const file = await bodyOf(service.data('GET', `/api/company-data/flow-runs/${runId}/documents/${output}/file`))
    const document = await bodyOf(service.data('GET', `/api/company-data/documents/${id}`))
    return { document, pdf: pdfIn(await service.open(file['value'])) }
  }

  const actAsOwner = async (runId: string, output: string, act: 'sign' | 'accept', more: object = {}) => {
    const { document, pdf } = await readOwn(runId, output)
    const body = { method: 'custodian', ...(await signedWith(String(document['content_sha256']), pdf)), ...more }
    return service.portal('POST', `${ownerPath(service.serviceId, runId, output)}/${act}`, { body })
  }

  const step = async (runId: string, party: 'us' | 'customer' | 'partner', output: string, act: 'sign' | 'accept') => {
    if (party === 'us') return bodyOf(actAsOwner(runId, output, act))
    // The act before this one was recorded at the service; its tell may still be on the way.
    const { path } = await readCopy(party, runId, output)
    const wanted = act === 'sign' ? 'ready_to_sign' : 'offering'
    await expect.poll(async () => (await contracts[party].calls('GET', path)).body['status']).toBe(wanted)
    return bodyOf(actAs(party, runId, output, act))
  }

  /** The first `count` steps of the line of `outputsOf`. */
  const steps = async (runId: string, count: number) => {
    for (const [party, output, act] of LINE.slice(0, count)) await step(runId, party, output, act)
  }
  return { readCopy, actAs, actAsOwner, readOwn, step, steps, membersFor }
}

export const LINE = [
  ['customer', 'contract', 'sign'],
  ['us', 'annex', 'sign'],
  ['partner', 'contract', 'accept'],
  ['customer', 'annex', 'accept'],
  ['us', 'contract', 'sign'],
] as const
