import type { EgressFailure } from '@sealpost/egress'
import type { RefreshError } from '@sealpost/protocol'

const ERRORS = {
  refused: 'address_refused',
  dns: 'unreachable',
  connect: 'unreachable',
  tls: 'unreachable',
  protocol: 'unreachable',
  aborted: 'timeout',
  timeout: 'timeout',
  too_large: 'too_large',
} as const satisfies Record<EgressFailure['kind'], RefreshError>

export function errorOfFailure({ kind }: EgressFailure): RefreshError {
  return ERRORS[kind]
}

/** Null for the one status that has a manifest. */
export function errorOfStatus(status: number): RefreshError | null {
  if (status === 200) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
