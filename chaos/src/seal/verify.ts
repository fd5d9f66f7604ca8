import { webcrypto, X509Certificate } from 'node:crypto'
import { createUtf8Codec } from '@sealpost/crypto'
import { verifySeal } from '@sealpost/pdf-format'
import { bodyOf, openFileCopy, testSeal, waitUntil } from '@sealpost/testkit'
import { type Contract, DOCUMENTS, type Offered, PDF, sha256 } from './contracts.ts'

const ARRIVAL_MS = 120_000

export interface Judged {
  readonly unsigned: number
  readonly repeated_signatures: number
  readonly different_sides: number
  readonly invalid_files: number
}

/** Every contract as both sides see it, and the file as its customer opens it. */
export async function judgeContracts({ service, contracts }: Offered): Promise<Judged> {
  const judged = { unsigned: 0, repeated_signatures: 0, different_sides: 0, invalid_files: 0 }
  for (const contract of contracts) {
    const document = await bodyOf(service('GET', `${DOCUMENTS}/${contract.id}`))
    const signatures = Array.isArray(document['signatures']) ? document['signatures'].length : 0
    if (document['status'] !== 'active' || signatures === 0) judged.unsigned += 1
    if (signatures > 1) judged.repeated_signatures += 1
    if (!(await isSameOnBothSides(contract, document))) judged.different_sides += 1
    else if (!(await isFileValid(contract))) judged.invalid_files += 1
  }
  return judged
}

async function isSameOnBothSides(
  { customer, path, plainSha256 }: Contract,
  document: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const members = ['status', 'sealed_at', 'plain_sha256', 'content_sha256'] as const
  const isSame = async (): Promise<boolean> => {
    const copy = await bodyOf(customer.calls('GET', path))
    return members.every((name) => copy[name] === document[name]) && copy['plain_sha256'] === plainSha256
  }
  // The sealed file follows its act.
  return waitUntil('the sealed file has arrived', ARRIVAL_MS, isSame).then(
    () => true,
    () => false,
  )
}

async function isFileValid({ customer, path, plainSha256, id }: Contract): Promise<boolean> {
  const { value } = await bodyOf(customer.calls('GET', `${path}/file`))
  const { content_sha256: digest } = await bodyOf(customer.calls('GET', path))
  if (sha256(String(value)) !== digest) return false
  const file = Uint8Array.from(await openFileCopy(customer.user, String(value)))
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const certificates = [Uint8Array.from(new X509Certificate(testSeal().root).raw)]
  const report = await verifySeal(host, file, { certificates })
  if (!report.ok || sha256(file) !== plainSha256) return false
  const { isIntact, isTrusted, isSignedContent, signedSha256, record, timestamp } = report.value
  const isWhole = isIntact && isTrusted && isSignedContent && timestamp !== null
  return isWhole && signedSha256 === sha256(PDF) && record?.document_id === id && record.acts.length === 1
}
