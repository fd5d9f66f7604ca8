import { accept, type ConnectionId, decline, parseUuid, type Result, type UserId } from '@sealpost/kernel'
import type { DocumentTarget } from '@sealpost/protocol'
import type { ConnectionSelector } from '../../../connections/index.ts'
import type { MemberProblem } from './metadata.ts'

/** Null for a broadcast. A malformed id names no connection, like an unknown one. */
export function readTarget(target: DocumentTarget | null): Result<ConnectionSelector | null, MemberProblem> {
  if (target === null) return accept(null)
  const { connection_id: connectionId, person_user_id: customerId, share_code: shareCode } = target
  const given = [connectionId, customerId, shareCode].filter((member) => member !== undefined)
  if (given.length !== 1)
    return decline({
      path: '/body/target',
      message: 'must have exactly one of connection_id, person_user_id, share_code',
    })
  if (connectionId !== undefined) return accept({ connectionId: parseUuid<ConnectionId>(connectionId) })
  if (customerId !== undefined) return accept({ customerId: parseUuid<UserId>(customerId) })
  return accept({ shareCode: (shareCode ?? '').trim().toUpperCase() })
}
