import type { Keyring } from '@sealpost/kernel'
import { readConsent, shareValuesAsk, type UserInfo } from '@sealpost/protocol'
import { openUnder } from '@sealpost/sealing'
import type { GrantsContext } from '../context.ts'
import type { GrantRow, SharedValues } from '../model.ts'
import { findGrant } from '../store/grants.ts'
import { sharedContext } from './grants.ts'

/** The user behind a token, as its sign-in app may see them; null when the grant is another client's, or has ended. */
export async function readUserInfo(
  { database, clock, settings }: GrantsContext,
  grantId: string,
  clientId: string,
): Promise<UserInfo | null> {
  const grant = await database.read((read) => findGrant(read, grantId, clock.now()))
  if (grant === null || grant.ended_at !== null || grant.client_id !== clientId) return null
  const { share_code, mode, two_factor } = readConsent(grant.payload)
  return { sub: share_code, share_code, mode, two_factor, ...openShared(settings.DATA_KEY, grant) }
}

function openShared(dataKey: Keyring, { id, shared_key_id: keyId, shared }: GrantRow): SharedValues {
  if (keyId === null || shared === null) return { values: {}, values_attestation: {} }
  const opened = openUnder(dataKey, { keyId, bytes: shared }, sharedContext(id))
  // Stored in the shape of the ask that brought it.
  const { values, values_attestation } = shareValuesAsk.parse({ grant_id: id, ...parseObject(opened.toString('utf8')) })
  return { values, values_attestation }
}

function parseObject(text: string): object {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? parsed : {}
}
