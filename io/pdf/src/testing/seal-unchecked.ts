import { createHash } from 'node:crypto'
import { formatInstant } from '@sealpost/kernel'
import { findSeal, openPdf } from '@sealpost/pdf-format'
import { FontBook } from '../fonts/font-book.ts'
import type { SealRequest } from '../index.ts'
import { signDetached } from '../seal/cms.ts'
import type { SealSigner } from '../seal/signer.ts'
import { appendSeal } from '../update/append-seal.ts'

interface Unchecked {
  readonly signer: SealSigner
  readonly lists: readonly Uint8Array[]
  /** Called at the end of each step. */
  readonly onStep?: (step: 'fonts' | 'read' | 'draw' | 'sign') => void
}

/**
 * The steps of a seal in this process and without checks: for files with lists that `Pdf.seal` does not accept, and to
 * compare their cost.
 */
export async function sealUnchecked(
  file: Uint8Array,
  { documentId, documentName, sealedAt, acts }: SealRequest,
  { signer, lists, onStep = () => {} }: Unchecked,
): Promise<Uint8Array<ArrayBuffer>> {
  const book = await FontBook.open()
  onStep('fonts')
  const opened = openPdf(Buffer.from(file))
  onStep('read')
  if (!opened.ok) throw new Error(opened.refusal)
  const record = {
    format: 1,
    document_id: documentId,
    document_name: documentName,
    signed_sha256: createHash('sha256').update(file).digest('hex'),
    sealed_at: formatInstant(sealedAt),
    acts,
  } as const
  const update = await appendSeal(book, opened.value, {
    record,
    recordBytes: Buffer.from(JSON.stringify(record), 'utf8'),
    signerName: 'Test seal',
    reservedBytes: 12 * 1024,
    validation: { certificates: [signer.certificate], lists },
  })
  const bytes = Uint8Array.from(Buffer.concat([file, update]))
  onStep('draw')
  const { contentsStart, contentsEnd } = findSeal(bytes) ?? { contentsStart: 0, contentsEnd: 0 }
  const covered = Buffer.concat([bytes.subarray(0, contentsStart - 1), bytes.subarray(contentsEnd + 1)])
  const digest = Uint8Array.from(createHash('sha256').update(covered).digest())
  bytes.set(Buffer.from(Buffer.from(await signDetached(signer, digest, null)).toString('hex')), contentsStart)
  onStep('sign')
  return bytes
}
