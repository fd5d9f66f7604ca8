import type { Operation } from '@sealpost/protocol'

/** Which calls come first in a process that cannot answer all; see [Note: overload]. */
export const URGENCIES = ['login', 'read', 'write', 'dear'] as const
export type Urgency = (typeof URGENCIES)[number]

const LOGINS: ReadonlySet<unknown> = new Set(['login', 'token', 'result', 'twofa', 'twofa_poll'])
const MIB = 1_048_576

export function urgencyOf(operation: Operation): Urgency {
  const { method, rate, success, drains, maxBodyBytes } = operation
  if (LOGINS.has(rate)) return 'login'
  if (success.mediaType !== undefined || rate === 'connections' || (maxBodyBytes ?? 0) > MIB) return 'dear'
  return method === 'GET' && drains !== true ? 'read' : 'write'
}
