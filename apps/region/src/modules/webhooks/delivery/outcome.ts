import { describeFailure, type EgressFailure, type EgressStatus } from '@sealpost/egress'
import type { Result } from '@sealpost/kernel'

/** Why a delivery failed, for the delivery log and the metrics; a fixed list, so that it can label both. */
export const ERROR_CLASSES = [
  /** Answered with anything but 200. */
  'status',
  /** We do not call such a target, or cannot send such a header. */
  'refused',
  'dns',
  'connect',
  'tls',
  'timeout',
  'protocol',
  /** The webhook cannot be sent to as it is set up. */
  'config',
  /** Given up by us. */
  'aborted',
  /** Our own fault. */
  'internal',
] as const
export type ErrorClass = (typeof ERROR_CLASSES)[number]

/** What came of one POST. */
export interface Attempt {
  readonly isDelivered: boolean
  readonly httpStatus: number | null
  readonly errorClass: ErrorClass | null
  /** One line for people, of which nothing was written by the receiver; null when delivered. */
  readonly error: string | null
  /** What was thrown, for the operator's log. */
  readonly cause?: unknown
}

const DELIVERED = { isDelivered: true, httpStatus: 200, errorClass: null, error: null } as const

/** Only 200 counts; what a receiver says in words is not looked at. */
export function readAttempt(result: Result<Pick<EgressStatus, 'status'>, EgressFailure>): Attempt {
  if (!result.ok) return failedAttempt(CLASS_OF[result.refusal.kind], describeFailure(result.refusal))
  const { status } = result.value
  if (status === 200) return DELIVERED
  return { isDelivered: false, httpStatus: status, errorClass: 'status', error: `answered ${status}` }
}

export function failedAttempt(errorClass: ErrorClass, error: string): Attempt {
  return { isDelivered: false, httpStatus: null, errorClass, error }
}

const CLASS_OF = {
  refused: 'refused',
  dns: 'dns',
  connect: 'connect',
  tls: 'tls',
  timeout: 'timeout',
  too_large: 'protocol',
  protocol: 'protocol',
  aborted: 'aborted',
} as const satisfies Record<EgressFailure['kind'], ErrorClass>
