import type { DocumentStatus } from '@sealpost/protocol'
import type { StoredDocument } from '../model.ts'

type Terms = Pick<StoredDocument, 'kind' | 'requiresSignature' | 'requiresAcceptance'>

/** A contract has one recipient, and may have acts. */
export function isContract({ kind, requiresSignature, requiresAcceptance }: Terms): boolean {
  return kind !== 'document' || requiresSignature || requiresAcceptance
}

export function firstStatus({
  requiresSignature,
  requiresAcceptance,
}: Pick<Terms, 'requiresSignature' | 'requiresAcceptance'>): DocumentStatus {
  if (requiresSignature) return 'ready_to_sign'
  return requiresAcceptance ? 'offering' : 'active'
}

/** While a customer holds one, neither side can end the connection. */
export function holdsConnection({
  kind,
  status,
  isPending,
}: Pick<StoredDocument, 'kind' | 'status' | 'isPending'>): boolean {
  return kind !== 'document' && !isPending && (status === 'active' || status === 'active_but_ending')
}

/** It waits for its customer, or for its turn in a run. */
export function isOpen(status: DocumentStatus): boolean {
  return status === 'waiting' || status === 'offering' || status === 'ready_to_sign'
}

/** The run alone changes a copy that is not complete. */
export function isRunManaged({ runId, status }: Pick<StoredDocument, 'runId' | 'status'>): boolean {
  return runId !== null && isOpen(status)
}
