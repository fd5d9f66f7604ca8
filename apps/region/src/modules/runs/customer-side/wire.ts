import { parseDefinition } from '@sealpost/flow'
import type { FlowRun, FlowRunSummary } from '@sealpost/protocol'
import { onlyDocument, participantsToWire } from '../wire.ts'
import type { CustomerAnswer, CustomerRun } from './model.ts'

/** As this customer reads it: own copies, own connection, and no connection of another. */
export function runToWire(run: CustomerRun, answers: readonly CustomerAnswer[]): FlowRun {
  const { start, state } = run
  const definition = parseDefinition(start.definition)
  if (!definition.ok) throw new Error(`the definition of run ${run.id} cannot be read`)
  const { rev: _rev, documents, ...changing } = state
  const isOwn = (key: string): boolean => start.bindings[key] === run.accountId
  const isDeleted = state.data_deleted_at !== null
  return {
    ...summaryToWire(run),
    service_id: run.serviceId,
    company_user_id: run.companyId,
    bindings: start.bindings,
    participants: participantsToWire(definition.value, documents, (key) => ({
      userId: start.bindings[key] ?? run.companyId,
      connectionId: isOwn(key) ? run.connectionId : null,
    })),
    ...onlyDocument(documents, isOwn),
    output_mode: definition.value.output_mode,
    parties: definition.value.parties.map(({ key, label }) => ({ key, label })),
    answers: answers.map(({ slug, value, attested }) => ({
      slug,
      for_user_id: run.accountId,
      value,
      ...attestedToWire(attested),
    })),
    definition: start.definition,
    reference_date: start.reference_date,
    owner_tag_values: start.owner_tag_values,
    tag_values: isDeleted ? null : start.tag_values,
    source_files: isDeleted ? {} : start.source_files,
    ...changing,
  }
}

/** Members without a value are left out. */
function attestedToWire(attested: CustomerAnswer['attested']): Partial<FlowRun['answers'][number]> {
  if (attested === null) return {}
  const present = Object.entries(attested).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(present), verified_expires_at: attested.verified_expires_at }
}

export function summaryToWire({ id, connectionId, start, state }: CustomerRun): FlowRunSummary {
  return {
    id,
    flow_id: start.flow_id,
    flow_version: start.flow_version,
    status: state.status,
    current_node: state.current_node,
    connection_id: connectionId,
    created_at: start.created_at,
    updated_at: state.updated_at,
  }
}
