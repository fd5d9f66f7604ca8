import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { defineOperation } from '../operation.ts'
import { checkedByRule } from '../wire/checked-by-rule.ts'
import { anyJson, Document, documentKinds, documentStatuses, DocumentTarget } from '../wire/document.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { EXAMPLE_TEXTS, Uuid } from '../wire/scalars.ts'
import { WrapperString } from '../wire/wrapper.ts'

const id = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the document.' }) })
const name = Type.String({ minLength: 1, maxLength: 200 })
const description = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2000 })
const metadata = Type.Record(Type.String(), anyJson(), {
  description: 'The members of `metadata` in the answer, and your own.',
  examples: [{ plan_name: 'Gold' }],
})
const plainSha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  examples: [EXAMPLE_TEXTS.sha256],
  description: 'The SHA-256 of the PDF before it is sealed; without it a file contract cannot be signed.',
})

export const createDocument = defineOperation({
  id: 'documents.create',
  method: 'POST',
  path: '/api/company-data/documents',
  document: 'company-data',
  summary: 'Create a document or contract',
  description:
    'With a target it is for one customer: seal `value` to their public key (`GET /api/keys/{shareCode}`). Without one it is ' +
    'a broadcast in plaintext to all present and future customers. A contract (`kind` agreement or subscription, or with ' +
    'a required signature or acceptance) needs a target. A file follows in `POST …/{id}/file`; the customer sees nothing ' +
    'before, and after 24 hours without it the document is removed. JSON has at most 256 KiB. A file contract ' +
    'without `plain_sha256`, here or with the file, is accepted with a warning in `X-Platform-Warning`: it cannot be signed.',
  callers: ['service_client'],
  rate: 'data',
  level: 'basic',
  creates: true,
  body: Type.Object({
    name,
    payload_kind: Type.Enum(['json', 'file']),
    kind: Type.Optional(Type.Enum([...documentKinds])),
    target: Type.Optional(Type.Union([Type.Null(), DocumentTarget])),
    is_private: Type.Optional(Type.Boolean()),
    requires_signature: Type.Optional(Type.Boolean()),
    requires_acceptance: Type.Optional(Type.Boolean()),
    description: Type.Optional(description),
    metadata: Type.Optional(metadata),
    value: Type.Optional(
      anyJson({
        description: 'For JSON: the Wrapper, as an object or its text; for a broadcast any JSON value.',
        examples: [EXAMPLE_TEXTS.wrapper],
      }),
    ),
    plain_sha256: Type.Optional(Type.Union([Type.Null(), plainSha256])),
  }),
  success: { status: 201, about: 'The document', body: Document },
  errors: [
    'documents.contract_requires_person',
    'documents.private_requires_person',
    'documents.invalid_payload',
    'documents.too_large',
    'contact_data.encryption_required',
    'company_data.connection_not_found',
  ],
})

export const listDocuments = defineOperation({
  id: 'documents.list',
  method: 'GET',
  path: '/api/company-data/documents',
  document: 'company-data',
  summary: 'The documents of the service',
  callers: ['service_client'],
  rate: 'data',
  query: Type.Object({
    ...pageQuery,
    person_user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only those for this person.' })),
    connection_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only those for this connection.' })),
    status: Type.Optional(Type.Enum([...documentStatuses], { description: 'Only those with this status.' })),
    kind: Type.Optional(Type.Enum([...documentKinds], { description: 'Only those of this kind.' })),
  }),
  success: { status: 200, about: 'The documents, oldest first', body: pageOf(Document) },
  errors: [],
})

export const readDocument = defineOperation({
  id: 'documents.read',
  method: 'GET',
  path: '/api/company-data/documents/{id}',
  document: 'company-data',
  summary: 'One document',
  callers: ['service_client'],
  rate: 'data',
  params: id,
  success: { status: 200, about: 'The document', body: Document },
  errors: ['documents.not_found'],
})

export const changeDocument = defineOperation({
  id: 'documents.change',
  method: 'PUT',
  path: '/api/company-data/documents/{id}',
  document: 'company-data',
  summary: 'Change status, name, description or metadata',
  description:
    'Members that are left out stay. `metadata` is merged by key, null removes one. An open offer may be ended; an active ' +
    'document may be ended, or end on a future `cancel_effective_date`, which follows from `metadata.cancel_notice_days` ' +
    'when it is left out, can be moved, and comes with `document_updated`; one that is ending may be active again. The ' +
    'cancellation of a customer may be brought forward, and neither put off nor undone. Only the customer can make an ' +
    'offer active. The current status again changes nothing. The end of a copy, also on a later day, cancels its run.',
  callers: ['service_client'],
  rate: 'data',
  params: id,
  body: Type.Object({
    status: Type.Optional(Type.Enum([...documentStatuses])),
    cancel_effective_date: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date',
        description: 'A future date, for `active_but_ending`; without one, today and the days of notice.',
      }),
    ),
    name: Type.Optional(name),
    description: Type.Optional(description),
    metadata: Type.Optional(metadata),
  }),
  success: { status: 200, about: 'The document', body: Document },
  errors: ['documents.not_found', 'documents.status_invalid', 'documents.run_managed'],
})

export const deleteDocument = defineOperation({
  id: 'documents.delete',
  method: 'DELETE',
  path: '/api/company-data/documents/{id}',
  document: 'company-data',
  summary: 'Delete a document',
  description:
    'A document, and a contract without a signature or acceptance, are deleted for the customer, too. Of an ended contract ' +
    'the customer keeps the copy. Another contract cannot be deleted.',
  callers: ['service_client'],
  rate: 'data',
  params: id,
  success: { status: 204, about: 'The document is deleted' },
  errors: ['documents.not_found', 'documents.contract_immutable', 'documents.run_managed'],
})

export const uploadDocumentFile = defineOperation({
  id: 'documents.upload_file',
  method: 'POST',
  path: '/api/company-data/documents/{id}/file',
  document: 'company-data',
  summary: 'Upload the file of a document',
  description:
    'For one customer: `{value}`, the wrapper string over `{"file": <data URI>, "original_name": …}`. For a broadcast: ' +
    '`{file, original_name}`; pdf, doc, docx, xls, xlsx, png, jpg or jpeg. With the first upload the document is created; a ' +
    'later one replaces the file until a signature is recorded. The same upload again changes nothing.',
  callers: ['service_client'],
  rate: 'data',
  jsonOnly: true,
  maxBodyBytes: FILE_BODY,
  params: id,
  body: Type.Object({
    value: Type.Optional(checkedByRule(WrapperString)),
    file: Type.Optional(
      checkedByRule(
        Type.String({
          description: 'A data URI, for a broadcast.',
          examples: ['data:application/pdf;base64,JVBERi0='],
        }),
      ),
    ),
    original_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    plain_sha256: Type.Optional(plainSha256),
  }),
  success: { status: 200, about: 'The file is stored', body: Type.Object({ id: Uuid }) },
  errors: [
    'documents.not_found',
    'documents.invalid_payload',
    'documents.bad_mime',
    'documents.too_large',
    'documents.contract_immutable',
    'documents.run_managed',
    'contact_data.encryption_required',
    'company_data.connection_not_found',
  ],
})

export const readDocumentFile = defineOperation({
  id: 'documents.read_file',
  method: 'GET',
  path: '/api/company-data/documents/{id}/file',
  document: 'company-data',
  summary: 'The file of a broadcast',
  description: 'As it was uploaded. A file for one customer is sealed to them and cannot be read here.',
  callers: ['service_client'],
  rate: 'data',
  jsonOnly: true,
  params: id,
  success: { status: 200, about: 'The file', mediaType: 'application/octet-stream' },
  errors: ['documents.not_found', 'documents.recipient_encrypted', 'company_data.file_not_found'],
})
