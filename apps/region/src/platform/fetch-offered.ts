import { describeFailure, type EgressResponse } from '@sealpost/egress'
import type { Secret } from '@sealpost/kernel'
import { sha256Of } from '@sealpost/objects'
import type { Platform } from './module.ts'

const CONNECT_MS = 5000
const TOTAL_MS = 20_000

/** An object that another region offers for a few minutes. */
export interface OfferedObject {
  readonly url: Secret<string>
  readonly sha256: string
  readonly bytes: number
}

/**
 * The bytes, in memory only; null when the store of the other region does not answer, or with other bytes than it was
 * given. `what` names them in the log.
 */
export async function fetchOffered(
  { egress, log }: Pick<Platform, 'egress' | 'log'>,
  { url, sha256, bytes }: OfferedObject,
  what: string,
): Promise<Uint8Array | null> {
  const answered = await egress.send({
    method: 'GET',
    url: url.reveal(),
    connectTimeoutMs: CONNECT_MS,
    totalTimeoutMs: TOTAL_MS,
    maxResponseBytes: bytes,
  })
  const reason = answered.ok ? reasonAgainst(answered.value, sha256) : describeFailure(answered.refusal)
  if (reason !== null) log.error({ reason }, `${what} could not be fetched from the other region`)
  return answered.ok && reason === null ? answered.value.body : null
}

function reasonAgainst({ status, body }: EgressResponse, sha256: string): string | null {
  if (status !== 200) return `its store answered with status ${status}`
  return sha256Of(body) === sha256 ? null : 'its store answered with other bytes'
}
