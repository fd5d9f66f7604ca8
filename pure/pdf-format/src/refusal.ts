/** Why a PDF cannot be signed. Nothing is repaired, removed or flattened: signers sign the bytes that they were shown. */
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

/** One sentence each, for an answer or a form. */
export const PDF_REFUSALS = {
  not_pdf: 'The file is not a PDF.',
  too_large: 'The file is larger than 25 MB.',
  damaged: 'The file is damaged: its objects cannot be read without repair.',
  too_complex: 'The file has too many objects, or its compressed data is too large.',
  hybrid_references: 'The file has two lists of its objects that contradict each other. Print it to a new PDF.',
  unlisted_data:
    'The file has data that its list of objects does not name. Save it anew, not as an update, or print it to a new PDF.',
  missing_object:
    'The file refers to an object that was deleted and still lies in it. Save it anew, not as an update, or print it to a new PDF.',
  encrypted: 'The file is encrypted or protected by a password.',
  no_pages: 'The file has no pages.',
  too_many_pages: 'The file has more than 300 pages.',
  page_tree_invalid: 'The list of pages contradicts itself.',
  page_size_invalid: 'A page has no size, or is larger than 200 inches.',
  signed: 'The file already has a digital signature.',
  xfa: 'The file is an XFA form, which most viewers cannot show.',
  form_without_appearance: 'The file has form fields whose appearance each viewer draws differently.',
  javascript: 'The file has JavaScript.',
  action: 'The file has an action that starts a program, sends data or changes what is shown.',
  attachment: 'The file has other files attached.',
  multimedia: 'The file has sound, video or 3D content.',
  external_content: 'The file shows content of other files.',
  alternate_image:
    'A picture of the file has another one for printing. Export the file with one version of each picture.',
  ambiguous_content: 'A page has something that viewers draw in different ways. Print it to a new PDF.',
  annotation_flags:
    'The file has a comment or field that is seen on a screen or on paper only. Make it visible and printed, or remove it.',
  annotation_open: 'The file has a note that is open. Remove the comments, or print them into the pages.',
  annotation_without_appearance:
    'The file has a comment that each viewer draws differently. Remove the comments, or print them into the pages.',
  layers: 'The file has layers that are not always shown. Export it without layers, or with all of them on.',
  link_address: 'The file has a link that is neither to the web (http, https) nor an e-mail address. Remove the link.',
  open_action: 'The file does something when it is opened. Remove the opening action; a place to be shown is allowed.',
} satisfies Record<PdfRefusal, string>

/** Carries a refusal out of the reader to `inspectPdf`, the one place that turns it into a value. */
export class PdfRefused extends Error {
  override readonly name = 'PdfRefused'
  readonly refusal: PdfRefusal

  constructor(refusal: PdfRefusal, detail: string) {
    super(`${refusal}: ${detail}`)
    this.refusal = refusal
  }
}

/** See [Note: strict contents]. */
export function ambiguous(detail: string): PdfRefused {
  return new PdfRefused('ambiguous_content', detail)
}

export function damaged(detail: string): PdfRefused {
  return new PdfRefused('damaged', detail)
}
