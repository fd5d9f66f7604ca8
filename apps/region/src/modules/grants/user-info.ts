import type { Clock, Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { readConsent, shareValuesAsk, type UserInfo } from '@sealpost/protocol'
import { openUnder } from '@sealpost/sealing'
import { type SharedValues, sharedContext } from './operations.ts'
import { findGrant, type GrantRow } from './store/grants.ts'

export interface UserInfoNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly dataKey: Keyring
}

/** What a sign-in app may know of the person behind one of its tokens; null when the grant is not its own, or over. */
export async function readUserInfo(needs: UserInfoNeeds, grantId: string, clientId: string): Promise<UserInfo | null> {
  const grant = await needs.database.read((read) => findGrant(read, grantId, needs.clock.now()))
  if (grant === null || grant.ended_at !== null || grant.client_id !== clientId) return null
  const { share_code, mode, two_factor } = readConsent(grant.payload)
  return { sub: share_code, share_code, mode, two_factor, ...openShared(needs.dataKey, grant) }
}

function openShared(dataKey: Keyring, { id, shared_key_id: keyId, shared }: GrantRow): SharedValues {
  if (keyId === null || shared === null) return { values: {}, values_attestation: {} }
  const opened = openUnder(dataKey, { keyId, bytes: shared }, sharedContext(id))
  // It rests in the shape in which it was handed in.
  const { values, values_attestation } = shareValuesAsk.parse({ grant_id: id, ...parseObject(opened.toString('utf8')) })
  return { values, values_attestation }
}

function parseObject(text: string): object {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? parsed : {}
}
