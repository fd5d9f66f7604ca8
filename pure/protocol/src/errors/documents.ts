import { area } from './entry.ts'

/** Documents and contracts that a company sends to its customers. */
export const documentsErrors = area({
  'documents.not_found': {
    status: 404,
    sentence: 'There is no such document',
    remedy: 'Compare the id with the list of documents.',
  },
  'documents.invalid_payload': {
    status: 400,
    sentence: 'The content of the document does not fit its kind',
    remedy:
      'Send `value` for a JSON document, a file in the second call for a file document; `error` names the reason.',
  },
  'documents.bad_mime': {
    status: 400,
    sentence: 'A file of this type cannot be sent as a document',
    remedy: 'Send pdf, doc, docx, xls, xlsx, png, jpg or jpeg; a contract must be a PDF.',
  },
  'documents.too_large': {
    status: 400,
    sentence: 'The sealed file exceeds the upload budget',
    remedy: 'Reduce the file; the budget is stated with the route and counts the sealed text.',
  },
  'documents.private_requires_person': {
    status: 400,
    sentence: 'Only a document for one recipient can be marked private',
    remedy: 'Name a target, or omit `is_private`.',
  },
  'documents.contract_requires_person': {
    status: 400,
    sentence: 'A contract needs one recipient',
    remedy: 'Name a target by connection, person or share code; a broadcast cannot be signed or accepted.',
  },
  'documents.contract_immutable': {
    status: 409,
    sentence: 'A contract that carries a signature cannot be replaced or removed',
    remedy: 'End the contract by its status and send a new one.',
  },
  'documents.recipient_encrypted': {
    status: 403,
    sentence: 'This file is sealed to its recipient; the company cannot read it',
    remedy: 'Use the original that you sent; only broadcast files can be read back.',
  },
  'documents.run_managed': {
    status: 409,
    sentence: 'This document belongs to a contract run that is still open',
    remedy: 'Complete the run, or cancel it.',
  },
  'documents.status_invalid': {
    status: 409,
    sentence: 'The document cannot go from its current status to this one',
    remedy: 'Read the document; it may have been signed, cancelled or ended in the meantime.',
  },
  'documents.not_signable': {
    status: 409,
    sentence: 'This document cannot be signed or accepted',
    remedy: 'The company must send it again as a PDF with `plain_sha256`.',
  },
  'documents.content_mismatch': {
    status: 409,
    sentence: 'The signed digests do not match the stored document',
    remedy: 'Read the document again, show it to the signer and repeat with the digests of that copy.',
  },
  'documents.human_required': {
    status: 403,
    sentence: 'Only a human can sign or accept',
    remedy: 'Sign in the person app or in the portal; machine clients cannot sign.',
  },
  'documents.not_cancellable': {
    status: 409,
    sentence: 'This contract cannot be cancelled in the app',
    remedy: 'Contact the company; it decides per contract whether it can be cancelled in the app.',
  },
  'documents.seal_failed': {
    status: 503,
    sentence: 'The seal could not be made; nothing was stored',
    remedy: 'Repeat the call later, with the same proof: the signature was not recorded.',
  },
})
