import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { CustomerDocument, signingMethods } from '../wire/document.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Sha256 } from '../wire/scalars.ts'
import { FileText } from '../wire/wrapper.ts'
import { DeviceAssertion } from './account-security.ts'

const MIB = 1_048_576
/** Room for the PDF of the largest document under a one-time key. */
const PDF_BODY = 64 * MIB

const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const id = Type.String({ format: 'uuid', description: 'The id of the connection.' })
const ofConnection = Type.Object({ id })
const ofDocument = Type.Object({ id, docId: Type.String({ format: 'uuid', description: 'The id of the document.' }) })

const signed = {
  content_sha256: Sha256,
  plain_sha256: Type.Optional(Type.Union([Type.Null(), Sha256])),
  otk: Type.Optional(
    Type.String({ maxLength: 64, description: 'base64 of a new 32-byte key; for the PDF of a file contract.' }),
  ),
  pdf: Type.Optional(
    Type.String({ description: 'base64 of IV, AES-256-GCM ciphertext and tag of the PDF under `otk`.' }),
  ),
} as const

export const acceptBody = Type.Object(signed)
export const signBody = Type.Object({
  method: Type.Enum([...signingMethods]),
  ...signed,
  assertion: Type.Optional(DeviceAssertion),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
})

const ACT =
  '`content_sha256` is the SHA-256 of the wrapper string that was shown to the signer. For a file contract `otk` and `pdf` ' +
  'hand over the PDF, which is sealed in memory and never stored in plaintext. '

const actErrors = [
  'company_data.connection_not_found',
  'documents.not_found',
  'documents.human_required',
  'documents.status_invalid',
  'documents.not_signable',
  'documents.content_mismatch',
  'documents.seal_failed',
] as const

export const listCustomerDocuments = defineOperation({
  id: 'customer_documents.list',
  method: 'GET',
  path: '/api/company-connections/{id}/documents',
  document: 'customer',
  summary: 'The documents of one service',
  description: 'Your own copies, and the broadcasts of the service.',
  callers: customers,
  rate: 'data',
  params: ofConnection,
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The documents, oldest first', body: pageOf(CustomerDocument) },
  errors: ['company_data.connection_not_found'],
})

export const listAllCustomerDocuments = defineOperation({
  id: 'customer_documents.list_all',
  method: 'GET',
  path: '/api/customer/documents',
  document: 'customer',
  summary: 'Your copies of documents, of all services',
  description: 'Broadcasts are listed with their service only.',
  callers: customers,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The documents, oldest first', body: pageOf(CustomerDocument) },
  errors: [],
})

export const readCustomerDocument = defineOperation({
  id: 'customer_documents.read',
  method: 'GET',
  path: '/api/company-connections/{id}/documents/{docId}',
  document: 'customer',
  summary: 'One document',
  callers: customers,
  rate: 'data',
  params: ofDocument,
  success: { status: 200, about: 'The document', body: CustomerDocument },
  errors: ['company_data.connection_not_found', 'documents.not_found'],
})

export const readCustomerDocumentFile = defineOperation({
  id: 'customer_documents.read_file',
  method: 'GET',
  path: '/api/company-connections/{id}/documents/{docId}/file',
  document: 'customer',
  summary: 'The file of one document',
  description:
    'JSON: `{"encrypted": true, "value": <wrapper string>}`, for a broadcast `{"encrypted": false, "value": <envelope ' +
    'string>}`. `X-Platform-Content-Sha256` is the digest of exactly these bytes.',
  callers: customers,
  rate: 'data',
  jsonOnly: true,
  params: ofDocument,
  success: { status: 200, about: 'The file', mediaType: 'application/json', jsonForm: FileText },
  errors: ['company_data.connection_not_found', 'documents.not_found', 'company_data.file_not_found'],
})

export const sendSignCode = defineOperation({
  id: 'customer_documents.send_code',
  method: 'POST',
  path: '/api/company-connections/{id}/documents/{docId}/sign-code',
  document: 'customer',
  summary: 'Mail a code to sign with',
  description: 'Six digits for `method: email`, to the address of the account. They work for this document only.',
  callers: customers,
  rate: 'login',
  allowsEmptyBody: true,
  params: ofDocument,
  body: Type.Object({}),
  success: { status: 204, about: 'The code is on its way' },
  errors: [
    'company_data.connection_not_found',
    'documents.not_found',
    'documents.human_required',
    'documents.status_invalid',
  ],
})

export const signDocument = defineOperation({
  id: 'customer_documents.sign',
  method: 'POST',
  path: '/api/company-connections/{id}/documents/{docId}/sign',
  document: 'customer',
  summary: 'Sign a contract',
  description:
    `${ACT}Methods: \`biometric\` with an \`assertion\` over \`content_sha256\`, \`twofa\` with a one-time \`code\`, \`email\` with the ` +
    'mailed `code`; `custodian` for a company, by a user of its portal. After a 503 the same proof is good for the same ' +
    'content, for a day at most, until the signature is recorded.',
  callers: customers,
  rate: 'data',
  creates: true,
  maxBodyBytes: PDF_BODY,
  params: ofDocument,
  body: signBody,
  success: { status: 200, about: 'The document, signed', body: CustomerDocument },
  errors: [...actErrors],
})

export const acceptDocument = defineOperation({
  id: 'customer_documents.accept',
  method: 'POST',
  path: '/api/company-connections/{id}/documents/{docId}/accept',
  document: 'customer',
  summary: 'Accept an offer',
  description: ACT.trim(),
  callers: customers,
  rate: 'data',
  creates: true,
  maxBodyBytes: PDF_BODY,
  params: ofDocument,
  body: acceptBody,
  success: { status: 200, about: 'The document, accepted', body: CustomerDocument },
  errors: [...actErrors],
})

export const declineDocument = defineOperation({
  id: 'customer_documents.decline',
  method: 'POST',
  path: '/api/company-connections/{id}/documents/{docId}/decline',
  document: 'customer',
  summary: 'Decline an offer',
  callers: customers,
  rate: 'data',
  creates: true,
  allowsEmptyBody: true,
  params: ofDocument,
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1000 })) }),
  success: { status: 200, about: 'The document, ended', body: CustomerDocument },
  errors: ['company_data.connection_not_found', 'documents.not_found', 'documents.status_invalid'],
})

export const cancelDocument = defineOperation({
  id: 'customer_documents.cancel',
  method: 'POST',
  path: '/api/company-connections/{id}/documents/{docId}/cancel',
  document: 'customer',
  summary: 'Cancel a contract',
  description:
    'Takes effect `cancel_notice_days` of its metadata after today (UTC); without notice it ends at once. The company decides ' +
    'per contract whether it can be cancelled here.',
  callers: customers,
  rate: 'data',
  creates: true,
  allowsEmptyBody: true,
  params: ofDocument,
  body: Type.Object({ note: Type.Optional(Type.String({ maxLength: 1000 })) }),
  success: { status: 200, about: 'The document, ending or ended', body: CustomerDocument },
  errors: [
    'company_data.connection_not_found',
    'documents.not_found',
    'documents.status_invalid',
    'documents.not_cancellable',
  ],
})
