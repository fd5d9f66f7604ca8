import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { requiredByRule } from '../wire/checked-by-rule.ts'
import { FlowDraft } from '../wire/flow.ts'

const MIB = 1_048_576
const authors = ['portal', 'delegate'] as const
const id = Type.String({ maxLength: 255, description: 'The id of the service.' })

export const exportFlow = defineOperation({
  id: 'flows.export',
  method: 'GET',
  path: '/api/portal/services/{id}/flows/{flowId}/export',
  document: 'account',
  summary: 'The draft of a flow and its files as a zip archive',
  description: 'Holds `flow.json` and `assets/*`; importing it makes the same flow, also in another service.',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: Type.Object({ id, flowId: Type.String({ maxLength: 255, description: 'The id of the flow.' }) }),
  jsonOnly: true,
  success: { status: 200, about: 'The archive', mediaType: 'application/zip' },
  errors: ['services.not_found', 'services.second_factor_required', 'flows.not_found'],
})

export const importFlow = defineOperation({
  id: 'flows.import',
  method: 'POST',
  path: '/api/portal/services/{id}/flows/import',
  document: 'account',
  summary: 'Make a flow of an exported archive',
  description:
    'Takes the archive of an export, also one of the older form, in which a step lists `pdfs` and parties have no type. The new ' +
    'flow is a draft; its files keep their keys.',
  callers: authors,
  rate: 'data',
  params: Type.Object({ id }),
  body: Type.Object({
    file: requiredByRule(
      Type.String({ description: 'The archive as a data URI.', examples: ['data:application/zip;base64,UEsDBBQ…'] }),
    ),
  }),
  maxBodyBytes: 64 * MIB,
  creates: true,
  success: { status: 201, about: 'The flow with its draft', body: FlowDraft },
  errors: [
    'services.not_found',
    'services.second_factor_required',
    'flows.import_invalid',
    'flows.asset_invalid',
    'flows.asset_limit',
    'documents.too_large',
  ],
})
