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
  | 'alternate_image'
  | 'ambiguous_content'
  | 'annotation_flags'
  | 'annotation_open'
  | 'annotation_without_appearance'
  | 'layers'
  | 'link_address'
  | 'open_action'

/** The PDF cannot be signed as it is, so it was not sent. The platform would refuse it when the customer signs. */
export class NotSignableError extends Error {
  override readonly name = 'NotSignableError'
  readonly refusal: PdfRefusal

  constructor(refusal: PdfRefusal) {
    super(`${PDF_REFUSALS[refusal]} Nothing is repaired or removed, for signers sign the bytes that they were shown.`)
    this.refusal = refusal
  }
}

/** Whether the platform can seal a PDF. */
export type PdfCheck =
  | { readonly isSignable: true; readonly pages: number }
  /** `sentence` says what to change in the program that made the file. */
  | { readonly isSignable: false; readonly refusal: PdfRefusal; readonly sentence: string }

/** The gate that each contract passes, on this machine: nothing is sent. */
export function checkPdf(bytes: Uint8Array): PdfCheck {
  const inspected = inspectPdf(bytes)
  if (inspected.ok) return { isSignable: true, pages: inspected.value.pages }
  return { isSignable: false, refusal: inspected.refusal, sentence: PDF_REFUSALS[inspected.refusal] }
}

/** The gate of the platform, before anything is sent. */
export function requireSignable(bytes: Uint8Array): void {
  const checked = checkPdf(bytes)
  if (!checked.isSignable) throw new NotSignableError(checked.refusal)
}
