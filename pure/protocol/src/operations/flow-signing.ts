import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { Document } from '../wire/document.ts'
import { FileText } from '../wire/wrapper.ts'
import { acceptBody, signBody } from './customer-documents.ts'

/** Room for the PDF of the largest document under a one-time key. */
const PDF_BODY = 64 * 1_048_576

// No path here is covered by a pattern of a machine client: a company signs by people, in the portal.
const signers = ['portal', 'delegate'] as const satisfies readonly CallerKind[]
const params = Type.Object({
  id: Type.String({ maxLength: 255, description: 'The id of the service.' }),
  runId: Type.String({ maxLength: 64, description: 'The id of the run.' }),
  outputKey: Type.String({ maxLength: 64, description: 'The key of the output.' }),
})

const found = [
  'services.not_found',
  'services.second_factor_required',
  'flows.run_not_found',
  'flows.no_document',
] as const
const actErrors = [
  ...found,
  'documents.status_invalid',
  'documents.not_signable',
  'documents.content_mismatch',
  'documents.seal_failed',
] as const

const ACT =
  "`content_sha256` is the SHA-256 of the wrapper string of the company's copy. `otk` and `pdf` hand over the PDF, which is " +
  'sealed in memory by the last act on this output and otherwise ignored. '

export const readOwnerDocument = defineOperation({
  id: 'owner_documents.read_file',
  method: 'GET',
  path: '/api/portal/services/{id}/flow-runs/{runId}/documents/{outputKey}/file',
  document: 'account',
  summary: "The company's copy of an output",
  description: 'Sealed to the key of the service; the SHA-256 of its wrapper string is the `content_sha256` of an act.',
  callers: signers,
  rate: 'data',
  jsonOnly: true,
  params,
  success: { status: 200, about: 'The sealed file', mediaType: 'application/json', jsonForm: FileText },
  errors: [...found],
})

export const sendOwnerSignCode = defineOperation({
  id: 'owner_documents.send_code',
  method: 'POST',
  path: '/api/portal/services/{id}/flow-runs/{runId}/documents/{outputKey}/sign-code',
  document: 'account',
  summary: "Mail a code to sign the company's copy with",
  description: 'Six digits for `method: email`, to the address of the account. They work for this document only.',
  callers: signers,
  rate: 'login',
  allowsEmptyBody: true,
  params,
  body: Type.Object({}),
  success: { status: 204, about: 'The code is on its way' },
  errors: [...found, 'documents.status_invalid'],
})

export const signOwnerDocument = defineOperation({
  id: 'owner_documents.sign',
  method: 'POST',
  path: '/api/portal/services/{id}/flow-runs/{runId}/documents/{outputKey}/sign',
  document: 'account',
  summary: "Sign the company's copy of an output",
  description: `${ACT}Methods: as for customers; \`custodian\` for a user of the portal who acts for the company.`,
  callers: signers,
  rate: 'data',
  creates: true,
  maxBodyBytes: PDF_BODY,
  params,
  body: signBody,
  success: { status: 200, about: 'The document, signed', body: Document },
  errors: [...actErrors],
})

export const acceptOwnerDocument = defineOperation({
  id: 'owner_documents.accept',
  method: 'POST',
  path: '/api/portal/services/{id}/flow-runs/{runId}/documents/{outputKey}/accept',
  document: 'account',
  summary: "Accept the company's copy of an output",
  description: ACT.trim(),
  callers: signers,
  rate: 'data',
  creates: true,
  maxBodyBytes: PDF_BODY,
  params,
  body: acceptBody,
  success: { status: 200, about: 'The document, accepted', body: Document },
  errors: [...actErrors],
})

export const declineOwnerDocument = defineOperation({
  id: 'owner_documents.decline',
  method: 'POST',
  path: '/api/portal/services/{id}/flow-runs/{runId}/documents/{outputKey}/decline',
  document: 'account',
  summary: 'Decline an output, which cancels the run',
  callers: signers,
  rate: 'data',
  creates: true,
  allowsEmptyBody: true,
  params,
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1000 })) }),
  success: { status: 200, about: 'The document, ended', body: Document },
  errors: [...found, 'documents.status_invalid'],
})
