import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { type CallerKind, defineOperation } from '../operation.ts'
import { Decision } from '../wire/customer-connection.ts'
import { Timestamp, Uuid } from '../wire/scalars.ts'
import { FileText } from '../wire/wrapper.ts'

const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const lost = ['company_data.connection_not_found'] as const
const ofLink = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the connection.' }),
  flowId: Type.String({ format: 'uuid', description: 'The id of the flow.' }),
  slug: Type.String({ maxLength: 64, description: 'The slug of the answer.' }),
})

const FlowLink = Type.Object(
  { flow_id: Uuid, slug: Type.String(), source_field_id: Uuid, live: Type.Literal(true), linked_at: Timestamp },
  { title: 'FlowLink' },
)

export const readFlowLink = defineOperation({
  id: 'flow_links.read',
  method: 'GET',
  path: '/api/company-connections/{id}/flow-links/{flowId}/{slug}',
  document: 'customer',
  summary: 'The field that an answer of yours follows',
  callers: customers,
  rate: 'data',
  params: ofLink,
  success: { status: 200, about: 'The link', body: FlowLink },
  errors: [...lost, 'flows.link_not_found'],
})

const { value, file, source_updated_at: sourceUpdatedAt } = Decision.properties

export const putFlowLink = defineOperation({
  id: 'flow_links.put',
  method: 'PUT',
  path: '/api/company-connections/{id}/flow-links/{flowId}/{slug}',
  document: 'customer',
  summary: 'Let the service read a field of yours under the slug of an answer',
  description:
    'The service gets the value now and with every edit. Answers that were given stay as they are. A private file is ' +
    'sealed by the device (`file`), one in the clear is read from the field. Needed before an answer `{"_link": 1}`, ' +
    'whose file is too large for the run.',
  callers: customers,
  rate: 'data',
  maxBodyBytes: FILE_BODY,
  params: ofLink,
  body: Type.Object({ source_field_id: Uuid, value, file, source_updated_at: sourceUpdatedAt }),
  success: { status: 200, about: 'The link', body: FlowLink },
  errors: [
    ...lost,
    'flows.link_not_found',
    'contact_data.encryption_required',
    'company_connections.source_changed',
    'documents.too_large',
  ],
})

export const deleteFlowLink = defineOperation({
  id: 'flow_links.delete',
  method: 'DELETE',
  path: '/api/company-connections/{id}/flow-links/{flowId}/{slug}',
  document: 'customer',
  summary: 'Withdraw a linked field',
  description: 'The service no longer has the value; the answers of runs stay.',
  callers: customers,
  rate: 'data',
  params: ofLink,
  success: { status: 204, about: 'The link has ended' },
  errors: [...lost, 'flows.link_not_found'],
})

export const readFlowLinkFile = defineOperation({
  id: 'flow_links.read_file',
  method: 'GET',
  path: '/api/company-data/connections/{connectionId}/flow-links/{flowId}/{slug}/file',
  document: 'company-data',
  summary: 'The current file of a linked answer',
  description:
    'In the same three forms as a file of a request field. It follows the field of the customer, so it may differ from ' +
    'the copy that the run holds.',
  callers: ['service_client'],
  rate: 'data',
  params: Type.Object({
    connectionId: Type.String({ maxLength: 64, description: 'The id of the connection.' }),
    flowId: Type.String({ maxLength: 64, description: 'The id of the flow.' }),
    slug: Type.String({ maxLength: 64, description: 'The slug of the field.' }),
  }),
  jsonOnly: true,
  success: {
    status: 200,
    about: 'The file in one of its three forms',
    mediaType: 'application/octet-stream',
    jsonForm: FileText,
  },
  errors: ['company_data.connection_not_found', 'company_data.file_not_found'],
})
