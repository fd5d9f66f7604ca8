import { createHash } from 'node:crypto'
import { formatInstant } from '@sealpost/kernel'
import { findSeal, openPdf } from '@sealpost/pdf-format'
import { FontBook } from '../fonts/font-book.ts'
import type { SealRequest } from '../index.ts'
import { signDetached } from '../seal/cms.ts'
import type { SealSigner } from '../seal/signer.ts'
import { appendSeal } from '../update/append-seal.ts'

/** A file with lists that `Pdf.seal` does not accept: what verifiers must find. */
export async function sealUnchecked(
  file: Uint8Array,
  { documentId, documentName, sealedAt, acts }: SealRequest,
  { signer, lists }: { readonly signer: SealSigner; readonly lists: readonly Uint8Array[] },
): Promise<Uint8Array<ArrayBuffer>> {
  const opened = openPdf(Buffer.from(file))
  if (!opened.ok) throw new Error(opened.refusal)
  const record = {
    format: 1,
    document_id: documentId,
    document_name: documentName,
    signed_sha256: createHash('sha256').update(file).digest('hex'),
    sealed_at: formatInstant(sealedAt),
    acts,
  } as const
  const update = await appendSeal(await FontBook.open(), opened.value, {
    record,
    recordBytes: Buffer.from(JSON.stringify(record), 'utf8'),
    signerName: 'Test seal',
    reservedBytes: 12 * 1024,
    validation: { certificates: [signer.certificate], lists },
  })
  const bytes = Uint8Array.from(Buffer.concat([file, update]))
  const { contentsStart, contentsEnd } = findSeal(bytes) ?? { contentsStart: 0, contentsEnd: 0 }
  const covered = Buffer.concat([bytes.subarray(0, contentsStart - 1), bytes.subarray(contentsEnd + 1)])
  const digest = Uint8Array.from(createHash('sha256').update(covered).digest())
  bytes.set(Buffer.from(Buffer.from(await signDetached(signer, digest, null)).toString('hex')), contentsStart)
  return bytes
}
