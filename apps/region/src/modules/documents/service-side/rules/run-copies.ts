import { formatInstant, type Instant } from '@sealpost/kernel'
import type { DocumentStatus, RunDocument } from '@sealpost/protocol'
import type { RunCopy, Signature } from '../model.ts'
import { isOpen } from './contracts.ts'
import { dateOf } from './dates.ts'

export type RunAction = 'sign' | 'accept'

/** The status of a new copy: only the first step of the line is open. */
export function newStatus(position: number | null, action: RunAction | null): DocumentStatus {
  if (position === null || action === null) return 'active'
  return position === 1 ? openStatus(action) : 'waiting'
}

function openStatus(action: RunAction): DocumentStatus {
  return action === 'accept' ? 'offering' : 'ready_to_sign'
}

/** The copy whose step opens when the step of `acting` is done; null after the last. */
export function nextInLine(copies: readonly RunCopy[], acting: RunCopy): RunCopy | null {
  return copies.find(({ id, status }) => id !== acting.id && status === 'waiting') ?? null
}

export function opened(copy: RunCopy, at: Instant): RunCopy {
  const status = openStatus(copy.requiresAcceptance ? 'accept' : 'sign')
  return { ...copy, status, rev: copy.rev + 1, updatedAt: at }
}

export function ended(copy: RunCopy, at: Instant): RunCopy {
  return { ...copy, status: 'ended', cancelEffectiveDate: dateOf(at), rev: copy.rev + 1, updatedAt: at }
}

/** Whether no other copy of the output waits for its party: the act on this one seals the output. */
export function completesOutput(copies: readonly RunCopy[], acting: RunCopy): boolean {
  return copies.every(
    ({ id, outputKey, status }) => id === acting.id || outputKey !== acting.outputKey || !isOpen(status),
  )
}

/** The acts on an output in the order of the line, with their places. */
export function actsOnOutput(
  copies: readonly RunCopy[],
  outputKey: string,
  signatures: readonly Signature[],
): readonly { readonly signature: Signature; readonly position: number }[] {
  return copies
    .filter((copy) => copy.outputKey === outputKey)
    .flatMap(({ id, position }) => {
      const signature = signatures.find(({ documentId }) => documentId === id)
      return signature === undefined || position === null ? [] : [{ signature, position }]
    })
}

/** All copies of a run, in their order, with the act of each. */
export function runDocuments(
  copies: readonly RunCopy[],
  signatures: readonly Pick<Signature, 'documentId' | 'action' | 'createdAt'>[],
): readonly RunDocument[] {
  return copies.map((copy) => {
    const signature = signatures.find(({ documentId }) => documentId === copy.id)
    return {
      output_key: copy.outputKey,
      name: copy.name,
      party_key: copy.partyKey,
      document_id: copy.id,
      position: copy.position,
      status: copy.status,
      action: signature?.action ?? null,
      acted_at: signature === undefined ? null : formatInstant(signature.createdAt),
      requires_signature: copy.requiresSignature,
      requires_acceptance: copy.requiresAcceptance,
    }
  })
}
