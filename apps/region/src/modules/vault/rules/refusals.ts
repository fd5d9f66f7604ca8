import { type ApiError, refuse, refuseLargeFile } from '@sealpost/protocol'
import type { SlotName } from '../model.ts'
import type { ValueRefusal } from './values.ts'

const MAX_DETAILS = 20

export function invalid(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}

/** `path`: the member that was validated. */
export function refuseValue(refusal: ValueRefusal, path: string): ApiError {
  if (refusal.kind === 'not_sealed') return refuse('contact_data.encryption_required')
  if (refusal.kind === 'too_large') return refuseLargeFile(refusal.maxMb)
  const details = refusal.faults.slice(0, MAX_DETAILS).map((fault) => ({ ...fault, path: `${path}${fault.path}` }))
  return refuse('request.invalid', { details })
}

export function refuseShares(missing: readonly SlotName[]): ApiError {
  return refuse('contact_data.shares_incomplete', {
    missing: missing.map(({ connectionId, slug }) => ({ connection_id: connectionId, slug })),
  })
}
