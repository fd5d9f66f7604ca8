import { StreamAnswer } from '@sealpost/http'
import { refuse } from '@sealpost/protocol'
import type { Caller } from '../../../../platform/caller.ts'
import type { DevicesContext } from '../../context.ts'
import { readLine } from '../../store/hints.ts'
import { readPosition, startOf } from '../rules/resume.ts'
import type { Hub } from './hub.ts'

const DRAINING_SECONDS = 1
const FULL_SECONDS = 5

/** The answer that carries the hints of the caller's account from now on, or from the position that the caller names. */
export async function openStream(
  { database, settings }: Pick<DevicesContext, 'database' | 'settings'>,
  hub: Hub,
  { accountId, claims }: Caller,
  lastEventId: string | null,
): Promise<StreamAnswer> {
  if (hub.isDraining()) throw refuse('platform.busy', undefined, { retryAfterSeconds: DRAINING_SECONDS })
  if (hub.count() >= settings.STREAMS_PROCESS) {
    throw refuse('platform.busy', undefined, { retryAfterSeconds: FULL_SECONDS })
  }
  const given = readPosition(lastEventId)
  const line = await database.read((read) => readLine(read, accountId, given?.seq ?? 0))
  const { sessionId, expiresAt: endsAt } = claims
  const start = startOf(given, lastEventId !== null, line)
  return new StreamAnswer((wire) => hub.open({ accountId, sessionId, endsAt, life: line.life }, start, wire))
}
