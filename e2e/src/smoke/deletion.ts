import { createHash } from 'node:crypto'
import type { TestPki } from '@sealpost/pdf/testing'
import { verifySealedPdf } from '@sealpost/sdk'
import { type Installation, northwind } from '@sealpost/testkit'
import type { Hiring } from '../flows/hiring.ts'
import { all, openCompany, openPerson } from '../sharing/parties.ts'
import type { Checks } from './checks.ts'

export interface HiringRun {
  readonly hiring: Hiring
  readonly id: string
}

/** The clinic deletes its service; its contracts stay with it, and so does the key that opens them. */
export async function checkDeletion(
  checks: Checks,
  installation: Installation,
  { hiring, id }: HiringRun,
  pki: TestPki,
): Promise<void> {
  // The logins of the other checks may have expired.
  const { account, service, serviceId } = await openCompany(installation, northwind)
  const { app } = await openPerson(installation, hiring.employee.user)
  const { participants } = await service.flows.get(id)
  const connectionId = participants.find((one) => one.party_key === 'employee')?.connection_id ?? ''
  for (const { id: documentId, kind, status } of await all(service.documents.list()))
    if (kind !== 'document' && status === 'active') await service.documents.end(documentId)
  await account.services.delete(serviceId)
  const isListed = async () => (await all(account.services.listDeleted())).some((one) => one.id === serviceId)
  checks.check('a deleted service is listed as deleted', await isListed())
  await checks.await('the answers of its runs are deleted', async () => {
    const run = await account.records.run(serviceId, id)
    return run.data_deleted_at !== null && run.answers.length === 0
  })
  const key = await account.services.openKey(serviceId, northwind.service.passphrase)
  const certificates = pki.read('root.pem')
  for (const outputKey of ['contract', 'annex'] as const) {
    const { file } = await account.runDocuments.open({ serviceId, runId: id, outputKey }, key)
    const theirs = await app.flows.openDocument(await app.flows.get(connectionId, id), outputKey)
    const isSame = Buffer.from(theirs.file.bytes).equals(file.bytes)
    checks.check(`${outputKey}: the company opens the same PDF as the employee`, isSame)
    const { isValid, seal } = await verifySealedPdf(file.bytes, { certificates })
    const documents = await all(account.records.documents(serviceId, { kind: 'agreement' }))
    const digest = createHash('sha256').update(file.bytes).digest('hex')
    const copy = documents.find((one) => one.plain_sha256 === digest)
    const isSigned = copy?.run_signatures?.some((one) => one.action === 'signed') === true
    checks.check(`${outputKey}: the seal is valid, and the record has its digest`, isValid && seal !== null && isSigned)
  }
}
