import type { Call } from '@sealpost/http'
import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import type { Decision, DeviceAssertion } from '@sealpost/protocol'
import { type Caller, markOf } from '../../../../platform/caller.ts'
import type { CustomerContext } from '../context.ts'
import type { Customer, KnownConnection } from '../model.ts'
import type { ConnectInput } from '../operations/connect.ts'
import { requireKnown } from '../operations/read-connections.ts'
import { connectionNotFound } from '../rules/refusals.ts'

/** Every caller other than a person acts for a company: portal users, delegates and account clients. */
export function customerOf({ kind, accountId }: Pick<Caller, 'kind' | 'accountId'>): Customer {
  return { accountId, userType: kind === 'person' ? 'person' : 'company' }
}

interface ConnectBody {
  readonly decisions: readonly Decision[]
  readonly device_record?: string
  readonly assertion_challenge?: string
  readonly assertion?: DeviceAssertion
}

/** A call that connects, whether it names a code or accepts a request. */
export function connectInput(
  caller: Caller,
  call: Pick<Call, 'path' | 'idempotencyKey'>,
  { decisions, device_record: deviceRecord, assertion_challenge: challenge, assertion }: ConnectBody,
): Omit<ConnectInput, 'requestId'> {
  return {
    decisions,
    deviceRecord: deviceRecord ?? null,
    openedBy: markOf(caller, call),
    sessionId: caller.claims.sessionId,
    approval: challenge === undefined || assertion === undefined ? null : { challenge, assertion },
  }
}

export async function locateConnection(
  context: CustomerContext,
  caller: Caller,
  text: string,
): Promise<KnownConnection> {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw connectionNotFound()
  return requireKnown(context, { accountId: caller.accountId, id })
}
