import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { defineOperation } from '../operation.ts'
import { requiredByRule } from '../wire/checked-by-rule.ts'
import { FlowAsset, TemplateTags } from '../wire/flow.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'

const authors = ['portal', 'delegate'] as const
const flowMembers = {
  id: Type.String({ maxLength: 255, description: 'The id of the service.' }),
  flowId: Type.String({ maxLength: 255, description: 'The id of the flow.' }),
} as const
const flowParams = Type.Object(flowMembers)
const assetParams = Type.Object({
  ...flowMembers,
  key: Type.String({ maxLength: 255, description: 'The key of the file.' }),
})

const FLOW = ['services.not_found', 'services.second_factor_required', 'flows.not_found'] as const

export const addFlowAsset = defineOperation({
  id: 'flows.add_asset',
  method: 'POST',
  path: '/api/portal/services/{id}/flows/{flowId}/assets',
  document: 'account',
  summary: 'Upload a PDF template or a picture for a flow',
  description:
    'A PDF, at most `DOCUMENT_MAX_MB` (25 unless the installation says otherwise), or a PNG or JPEG, at most `PHOTO_MAX_MB` (5). ' +
    'The answer names its key, which output rules and picture elements use. A file never changes: upload another one and ' +
    'name its key instead.',
  callers: authors,
  rate: 'data',
  params: flowParams,
  body: Type.Object({
    file: requiredByRule(
      Type.String({ description: 'A data URI in base64.', examples: ['data:application/pdf;base64,JVBERi0…'] }),
    ),
    original_name: Type.String({ minLength: 1, maxLength: 200, examples: ['contract.pdf'] }),
  }),
  maxBodyBytes: FILE_BODY,
  creates: true,
  success: { status: 201, about: 'The file', body: FlowAsset },
  errors: [...FLOW, 'flows.asset_invalid', 'flows.asset_limit', 'documents.too_large'],
})

export const listFlowAssets = defineOperation({
  id: 'flows.list_assets',
  method: 'GET',
  path: '/api/portal/services/{id}/flows/{flowId}/assets',
  document: 'account',
  summary: 'The files of a flow',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: flowParams,
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The files, in the order of their keys', body: pageOf(FlowAsset) },
  errors: [...FLOW],
})

export const deleteFlowAsset = defineOperation({
  id: 'flows.delete_asset',
  method: 'DELETE',
  path: '/api/portal/services/{id}/flows/{flowId}/assets/{key}',
  document: 'account',
  summary: 'Delete a file of a flow',
  description: 'Versions that name it keep it, and so do their runs. A draft that names it can no longer be published.',
  callers: authors,
  rate: 'data',
  params: assetParams,
  success: { status: 204, about: 'The file is deleted' },
  errors: [...FLOW, 'flows.asset_not_found'],
})

export const readTemplateTags = defineOperation({
  id: 'flows.read_tags',
  method: 'GET',
  path: '/api/portal/services/{id}/flows/{flowId}/assets/{key}/tags',
  document: 'account',
  summary: 'The tags that were found in a PDF template',
  description:
    'Which places of the template are filled, which name nothing that the draft has, and which look like a tag and are none: a ' +
    'tag must be one piece of text. Pages and fonts whose text cannot be read are listed, too.',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: assetParams,
  success: { status: 200, about: 'What was found', body: TemplateTags },
  errors: [...FLOW, 'flows.asset_not_found'],
})
