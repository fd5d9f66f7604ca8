import { inspectPdf, PDF_REFUSALS } from '@sealpost/pdf-format'

/** Why a PDF cannot be signed. */
export type PdfRefusal =
  | 'not_pdf'
  | 'too_large'
  | 'damaged'
  | 'too_complex'
  | 'hybrid_references'
  | 'unlisted_data'
  | 'missing_object'
  | 'encrypted'
  | 'no_pages'
  | 'too_many_pages'
  | 'page_tree_invalid'
  | 'page_size_invalid'
  | 'signed'
  | 'xfa'
  | 'form_without_appearance'
  | 'javascript'
  | 'action'
  | 'attachment'
  | 'multimedia'
  | 'external_content'

/** The PDF cannot be signed as it is, so it was not sent. The platform would refuse it when the customer signs. */
export class NotSignableError extends Error {
  override readonly name = 'NotSignableError'
  readonly refusal: PdfRefusal

  constructor(refusal: PdfRefusal) {
    super(`${PDF_REFUSALS[refusal]} Nothing is repaired or removed, for signers sign the bytes that they were shown.`)
    this.refusal = refusal
  }
}

/** The gate of the platform, before anything is sent. */
export function requireSignable(bytes: Uint8Array): void {
  const inspected = inspectPdf(bytes)
  if (!inspected.ok) throw new NotSignableError(inspected.refusal)
}
