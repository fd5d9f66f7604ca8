import { accept, decline, type Instant, type Result } from '@sealpost/kernel'
import type { DocumentStatus } from '@sealpost/protocol'
import type { StatusMembers } from '../model.ts'
import { dateAfter, dateOf } from './dates.ts'

export interface StatusRequest {
  readonly status: DocumentStatus
  /** Null: the notice says when an ending takes effect. */
  readonly cancelEffectiveDate: string | null
  readonly noticeDays: number
  readonly now: Instant
}

export type StatusRefusal = 'not_allowed' | 'date_missing' | 'date_past'

/** Only the customer makes an offer active, so no change of the company leads from an open status to it. */
const ALLOWED: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  waiting: [],
  offering: ['ended'],
  ready_to_sign: ['ended'],
  active: ['active_but_ending', 'ended'],
  active_but_ending: ['active', 'active_but_ending', 'ended'],
  ended: [],
}

/** A change of the status by the company; null when it changes nothing. */
export function changeStatus(
  before: StatusMembers,
  request: StatusRequest,
): Result<StatusMembers | null, StatusRefusal> {
  const { status, now } = request
  if (status === 'active_but_ending' && ALLOWED[before.status].includes(status)) return setEnd(before, request)
  if (status === before.status) return accept(null)
  if (!ALLOWED[before.status].includes(status)) return decline('not_allowed')
  if (status === 'ended') return accept({ ...before, status, cancelEffectiveDate: dateOf(now), cancelSetBy: 'company' })
  // The customer's cancellation cannot be undone.
  return cancelledUntil(before) === null
    ? accept({ status, cancelEffectiveDate: null, cancelSetBy: null, customerCancelDate: null })
    : decline('not_allowed')
}

/** An ending that is repeated without a date stays: the notice began with the first one. */
function setEnd(
  before: StatusMembers,
  { cancelEffectiveDate: given, noticeDays, now }: StatusRequest,
): Result<StatusMembers | null, StatusRefusal> {
  const isEnding = before.status === 'active_but_ending'
  if (isEnding && (given === null || given === before.cancelEffectiveDate)) return accept(null)
  if (given === null && noticeDays < 1) return decline('date_missing')
  const cancelEffectiveDate = given ?? dateAfter(now, noticeDays)
  if (cancelEffectiveDate <= dateOf(now)) return decline('date_past')
  const customerCancelDate = cancelledUntil(before)
  if (customerCancelDate !== null && cancelEffectiveDate > customerCancelDate) return decline('not_allowed')
  return accept({ status: 'active_but_ending', cancelEffectiveDate, cancelSetBy: 'company', customerCancelDate })
}

/**
 * The date of the customer's cancellation, which the company may bring forward and no more; null without one. A date of
 * an earlier release, which did not record the side, counts as the customer's.
 */
function cancelledUntil({
  status,
  cancelEffectiveDate,
  cancelSetBy,
  customerCancelDate,
}: StatusMembers): string | null {
  if (status !== 'active_but_ending') return null
  return customerCancelDate ?? (cancelSetBy === 'company' ? null : cancelEffectiveDate)
}
