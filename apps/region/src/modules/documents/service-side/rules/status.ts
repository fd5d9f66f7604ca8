import { accept, decline, type Result } from '@sealpost/kernel'
import type { DocumentStatus } from '@sealpost/protocol'

export interface StatusChange {
  readonly status: DocumentStatus
  readonly cancelEffectiveDate: string | null
}

export interface StatusRequest {
  readonly status: DocumentStatus
  readonly cancelEffectiveDate: string | null
  readonly today: string
}

/** Only the customer makes an offer active, so no change of the company leads from an open status to it. */
const ALLOWED: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  waiting: [],
  offering: ['ended'],
  ready_to_sign: ['ended'],
  active: ['active_but_ending', 'ended'],
  active_but_ending: ['active', 'ended'],
  ended: [],
}

/** A change of the status by the company; null when it has that status already. */
export function changeStatus(
  before: DocumentStatus,
  { status, cancelEffectiveDate, today }: StatusRequest,
): Result<StatusChange | null, 'not_allowed' | 'date_missing' | 'date_past'> {
  if (status === before) return accept(null)
  if (!ALLOWED[before].includes(status)) return decline('not_allowed')
  if (status === 'active') return accept({ status, cancelEffectiveDate: null })
  if (status === 'ended') return accept({ status, cancelEffectiveDate: today })
  if (cancelEffectiveDate === null) return decline('date_missing')
  return cancelEffectiveDate > today ? accept({ status, cancelEffectiveDate }) : decline('date_past')
}
