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

/** A file contract without the digest of its PDF is accepted, and can be neither signed nor accepted by its customer. */
export function isUnsignable({
  payloadKind,
  plainSha256,
  ...terms
}: Terms & Pick<StoredDocument, 'payloadKind' | 'plainSha256'>): boolean {
  return payloadKind === 'file' && plainSha256 === null && isContract(terms)
}

/**
 * While a customer holds one, neither side can end the connection. A copy of a run counts once its output is sealed: until
 * then others may still decline.
 */
export function holdsConnection({
  kind,
  status,
  isPending,
  runId,
  sealedAt,
}: Pick<StoredDocument, 'kind' | 'status' | 'isPending' | 'runId' | 'sealedAt'>): boolean {
  if (kind === 'document' || isPending || (runId !== null && sealedAt === null)) return false
  return status === 'active' || status === 'active_but_ending'
}

/** It waits for its customer, or for its turn in a run. */
export function isOpen(status: DocumentStatus): boolean {
  return status === 'waiting' || status === 'offering' || status === 'ready_to_sign'
}

/** The run alone changes a copy that is not complete. */
export function isRunManaged({ runId, status }: Pick<StoredDocument, 'runId' | 'status'>): boolean {
  return runId !== null && isOpen(status)
}
