import { definitionToJson, type Definition } from '@sealpost/flow'
import { formatInstant, type Instant } from '@sealpost/kernel'
import type { FlowRun, FlowRunSummary, RunDocument, RunState } from '@sealpost/protocol'
import { onlyDocument, participantsToWire } from '../wire.ts'
import type { RunSource, RunSummary, StoredAnswer, StoredRun } from './model.ts'
import { primaryOf } from './rules/status.ts'

/** As the owner reads it: only the company's own copies are in this region. */
export function runToWire(
  run: StoredRun,
  definition: Definition,
  answers: readonly StoredAnswer[],
  sources: readonly RunSource[],
  documents: readonly RunDocument[],
): FlowRun {
  const { rev: _rev, documents: _documents, ...state } = stateToWire(run, documents)
  const ownerKeys = run.parties.filter(({ customer }) => customer === null).map(({ partyKey }) => partyKey)
  return {
    id: run.id,
    flow_id: run.flowId,
    flow_version: run.flowVersion,
    service_id: run.serviceId,
    connection_id: primaryOf(run).customer.connectionId,
    company_user_id: run.companyId,
    bindings: bindingsOf(run),
    participants: participantsToWire(definition, documents, (key) => {
      const party = run.parties.find(({ partyKey }) => partyKey === key)
      return { userId: party?.userId ?? run.companyId, connectionId: party?.customer?.connectionId ?? null }
    }),
    ...onlyDocument(documents, (key) => ownerKeys.includes(key)),
    output_mode: run.outputMode,
    parties: definition.parties.map(({ key, label }) => ({ key, label })),
    answers: answers.map(({ slug, value, attested }) => ({
      slug,
      for_user_id: run.companyId,
      value,
      ...attestedToWire(attested),
    })),
    definition: definitionToJson(definition),
    reference_date: run.referenceDate,
    owner_tag_values: run.ownerTagValues,
    tag_values: run.tagValues,
    source_files: Object.fromEntries(
      sources.filter(({ forUserId }) => forUserId === run.companyId).map(({ sourceKey, id }) => [sourceKey, id]),
    ),
    created_at: formatInstant(run.createdAt),
    ...state,
  }
}

/** Members without a value are left out. */
function attestedToWire(attested: StoredAnswer['attested']): Partial<FlowRun['answers'][number]> {
  if (attested === null) return {}
  const present = Object.entries(attested).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(present), verified_expires_at: attested.verified_expires_at }
}

export function bindingsOf({ parties }: Pick<StoredRun, 'parties'>): Record<string, string> {
  return Object.fromEntries(parties.map(({ partyKey, userId }) => [partyKey, userId]))
}

export function stateToWire(run: StoredRun, documents: readonly RunDocument[]): RunState {
  return {
    rev: run.rev,
    status: run.status,
    current_node: run.currentNode,
    private_slugs: [...run.privateSlugs],
    cancelled_at: instantToWire(run.cancelledAt),
    cancelled_by: run.cancelledBy,
    cancel_reason: run.cancelReason,
    data_deleted_at: instantToWire(run.dataDeletedAt),
    updated_at: formatInstant(run.updatedAt),
    documents: [...documents],
  }
}

function instantToWire(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

export function summaryToWire(run: RunSummary): FlowRunSummary {
  return {
    id: run.id,
    flow_id: run.flowId,
    flow_version: run.flowVersion,
    status: run.status,
    current_node: run.currentNode,
    connection_id: run.connectionId,
    created_at: formatInstant(run.createdAt),
    updated_at: formatInstant(run.updatedAt),
  }
}
