import Type from 'typebox'
import { PublishIssue } from '../issues.ts'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { FlowDefinition, FlowDraft, FlowSummary, FlowVersionSummary } from '../wire/flow.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'

// No path here is covered by a pattern of a machine client: flows are written by people, in the portal.
const authors = ['portal', 'delegate'] as const

const id = Type.String({ maxLength: 255, description: 'The id of the service.' })
const serviceParams = Type.Object({ id })
const flowParams = Type.Object({ id, flowId: Type.String({ maxLength: 255, description: 'The id of the flow.' }) })
const name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['Rental contract'] })

const SERVICE = ['services.not_found', 'services.second_factor_required'] as const
const FLOW = [...SERVICE, 'flows.not_found'] as const

export const listFlows = defineOperation({
  id: 'flows.list',
  method: 'GET',
  path: '/api/portal/services/{id}/flows',
  document: 'account',
  summary: 'The flows of a service',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: serviceParams,
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The flows, oldest first', body: pageOf(FlowSummary) },
  errors: [...SERVICE],
})

export const createFlow = defineOperation({
  id: 'flows.create',
  method: 'POST',
  path: '/api/portal/services/{id}/flows',
  document: 'account',
  summary: 'Make a flow',
  description: 'It is a draft until it is published; without a definition it begins empty.',
  callers: authors,
  rate: 'data',
  params: serviceParams,
  body: Type.Object({ name, definition: Type.Optional(checkedByRule(FlowDefinition)) }),
  creates: true,
  success: { status: 201, about: 'The flow with its draft', body: FlowDraft },
  errors: [...SERVICE],
})

export const readFlow = defineOperation({
  id: 'flows.read',
  method: 'GET',
  path: '/api/portal/services/{id}/flows/{flowId}',
  document: 'account',
  summary: 'A flow with its draft',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: flowParams,
  success: { status: 200, about: 'The flow with its draft', body: FlowDraft },
  errors: [...FLOW],
})

export const changeFlow = defineOperation({
  id: 'flows.change',
  method: 'PUT',
  path: '/api/portal/services/{id}/flows/{flowId}',
  document: 'account',
  summary: 'Save the draft of a flow',
  description:
    'Published versions stay as they are. A draft may be unfinished: only its shape is checked, and a wrong one is refused with ' +
    'the place of each problem. With an outdated `draft_token` nothing is saved.',
  callers: authors,
  rate: 'data',
  params: flowParams,
  body: Type.Object({
    draft_token: Type.String(),
    name: Type.Optional(name),
    definition: requiredByRule(FlowDefinition),
  }),
  success: { status: 200, about: 'The flow with its draft as it is now', body: FlowDraft },
  errors: [...FLOW, 'flows.draft_conflict'],
})

export const deleteFlow = defineOperation({
  id: 'flows.delete',
  method: 'DELETE',
  path: '/api/portal/services/{id}/flows/{flowId}',
  document: 'account',
  summary: 'Delete a flow',
  description: 'No run of it can be started any more. Runs in progress go on with the version that they began with.',
  callers: authors,
  rate: 'data',
  params: flowParams,
  success: { status: 204, about: 'The flow is deleted' },
  errors: [...FLOW],
})

export const validateFlow = defineOperation({
  id: 'flows.validate',
  method: 'POST',
  path: '/api/portal/services/{id}/flows/{flowId}/validate',
  document: 'account',
  summary: 'Check the draft of a flow',
  description: 'The findings that publishing would have now. Nothing changes.',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: flowParams,
  success: {
    status: 200,
    about: 'All findings, in the order of their places',
    body: Type.Object({
      publishable: Type.Boolean({ description: 'True without a finding of severity error.' }),
      issues: Type.Array(PublishIssue),
    }),
  },
  errors: [...FLOW],
})

export const publishFlow = defineOperation({
  id: 'flows.publish',
  method: 'POST',
  path: '/api/portal/services/{id}/flows/{flowId}/publish',
  document: 'account',
  summary: 'Publish the draft of a flow',
  description:
    'New runs use the new version; runs in progress keep theirs. A version never changes. Publishing a draft that equals the ' +
    'latest version answers that version.',
  callers: authors,
  rate: 'data',
  level: 'pro',
  params: flowParams,
  body: Type.Object({ draft_token: Type.String() }),
  success: {
    status: 200,
    about: 'The number of the version',
    body: Type.Object({ version: Type.Integer({ minimum: 1 }), warnings: Type.Array(PublishIssue) }),
  },
  errors: [...FLOW, 'flows.draft_conflict', 'flows.publish_invalid'],
})

export const listFlowVersions = defineOperation({
  id: 'flows.list_versions',
  method: 'GET',
  path: '/api/portal/services/{id}/flows/{flowId}/versions',
  document: 'account',
  summary: 'The published versions of a flow',
  callers: authors,
  delegateRole: 'operator',
  rate: 'data',
  params: flowParams,
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The versions, oldest first', body: pageOf(FlowVersionSummary) },
  errors: [...FLOW],
})
