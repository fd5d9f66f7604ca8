import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { defineOperation } from '../operation.ts'
import { attestationMembers } from '../wire/attestation.ts'
import { checkedByRule } from '../wire/checked-by-rule.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Sha256, Timestamp, Uuid } from '../wire/scalars.ts'
import { senderMember } from '../wire/sender.ts'
import { FileText, WrapperString } from '../wire/wrapper.ts'

/** Plaintext of a company, or a value that a person has sealed to their own key. */
const owners = ['account_client', 'portal', 'person'] as const

export const ContactValue = Type.Object(
  {
    field_id: Uuid,
    slug: Type.String(),
    label: Type.String(),
    type: Type.String(),
    is_private: Type.Boolean(),
    value: Type.Optional(
      Type.String({
        description:
          "For a person: the wrapper string to the person's own key. For a company: the text. Absent for a file.",
      }),
    ),
    file: Type.Optional(
      Type.Object(
        { content_sha256: Sha256, bytes: Type.Integer({ minimum: 1 }) },
        { description: 'Set instead of `value`: describes the answer of `GET /api/contact-data/{fieldId}/file`.' },
      ),
    ),
    ...attestationMembers,
    updated_at: Timestamp,
  },
  { title: 'ContactValue' },
)

const fieldParams = Type.Object({ fieldId: Type.String({ format: 'uuid', description: 'The id of the field.' }) })

export const listContactData = defineOperation({
  id: 'contact_data.list',
  method: 'GET',
  path: '/api/contact-data',
  document: 'account',
  summary: 'The values of your fields',
  callers: owners,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The values, in the order of their fields', body: pageOf(ContactValue) },
  errors: [],
})

export const readContactData = defineOperation({
  id: 'contact_data.read',
  method: 'GET',
  path: '/api/contact-data/{fieldId}',
  document: 'account',
  summary: 'The value of one field',
  callers: owners,
  rate: 'data',
  params: fieldParams,
  success: { status: 200, about: 'The value', body: ContactValue },
  errors: [],
})

export const readContactFile = defineOperation({
  id: 'contact_data.read_file',
  method: 'GET',
  path: '/api/contact-data/{fieldId}/file',
  document: 'account',
  summary: 'The file of one field',
  description:
    'JSON: `{"encrypted": true, "value": <wrapper string>}` for a private field, `{"encrypted": false, "value": <envelope ' +
    'string>}` for another. `X-Platform-Content-Sha256` is the digest of exactly these bytes.',
  callers: owners,
  rate: 'data',
  params: fieldParams,
  jsonOnly: true,
  success: { status: 200, about: 'The stored text', mediaType: 'application/json', jsonForm: FileText },
  errors: [],
})

export const putContactData = defineOperation({
  id: 'contact_data.put',
  method: 'PUT',
  path: '/api/contact-data/{fieldId}',
  document: 'account',
  summary: 'Set the value of a field',
  description:
    'A person seals the value to their own public key; only the file of a field that is not private is sent in plaintext, ' +
    'as its envelope. A company sends plain text and envelopes. Every live slot that this field feeds gets one share: the ' +
    'new value sealed to that service, or the handle of a file staged before. For plaintext files the platform makes ' +
    'the shares. The new value has no attestation; sending the same call again changes nothing.',
  callers: owners,
  rate: 'data',
  maxBodyBytes: FILE_BODY,
  params: fieldParams,
  body: Type.Object({
    // See [Note: members checked by rules]: the accepted values depend on the field and on its owner.
    value: checkedByRule(
      Type.String({ description: 'A wrapper string, the text, or the envelope string of a plaintext file.' }),
    ),
    is_private: Type.Optional(
      Type.Boolean({ description: 'True for the first value of a person; otherwise it stays unchanged.' }),
    ),
    shares: Type.Optional(
      Type.Array(
        Type.Object({
          connection_id: Uuid,
          slug: Type.String(),
          value: Type.Optional(checkedByRule(WrapperString)),
          ...senderMember,
          file: Type.Optional(
            Type.String({ pattern: '^sh_', description: 'The handle from `POST /api/contact-data/{fieldId}/shares`.' }),
          ),
        }),
      ),
    ),
  }),
  success: { status: 200, about: 'The value as it is now', body: ContactValue },
  errors: ['contact_data.encryption_required', 'contact_data.shares_incomplete', 'account.storage_exceeded'],
})

export const deleteContactData = defineOperation({
  id: 'contact_data.delete',
  method: 'DELETE',
  path: '/api/contact-data/{fieldId}',
  document: 'account',
  summary: 'Remove the value of a field',
  description: 'The live slots that it feeds lose their value too.',
  callers: owners,
  rate: 'data',
  params: fieldParams,
  success: { status: 204, about: 'The value is deleted' },
  errors: [],
})

export const stageShare = defineOperation({
  id: 'contact_data.stage_share',
  method: 'POST',
  path: '/api/contact-data/{fieldId}/shares',
  document: 'account',
  summary: 'Stage the share of a large file',
  description:
    'Before `PUT /api/contact-data/{fieldId}`, one call per live slot. The handle works once, for this field, within 24 ' +
    'hours.',
  callers: owners,
  rate: 'data',
  creates: true,
  maxBodyBytes: FILE_BODY,
  params: fieldParams,
  body: Type.Object({
    value: checkedByRule(WrapperString),
  }),
  success: {
    status: 201,
    about: 'The handle to name as `file`',
    body: Type.Object({
      file: Type.String({ pattern: '^sh_', examples: ['sh_0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'] }),
    }),
  },
  errors: ['contact_data.encryption_required'],
})
