import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import type { Keyring } from '@sealpost/kernel'
import { type GrantConsent, readConsent, shareValuesAsk, type UserInfo } from '@sealpost/protocol'
import { openUnder } from '@sealpost/sealing'
import type { GrantsContext } from '../context.ts'
import type { GrantRow, SharedValues } from '../model.ts'
import { findGrant } from '../store/grants.ts'
import { sharedContext } from './grants.ts'

const crypto = createCryptoPlatform(globalThis)

/** The user behind a token, as its sign-in app may see them; null when the grant is another client's, or has ended. */
export async function readUserInfo(
  { database, clock, settings }: GrantsContext,
  grantId: string,
  clientId: string,
): Promise<UserInfo | null> {
  const grant = await database.read((read) => findGrant(read, grantId, clock.now()))
  if (grant === null || grant.ended_at !== null || grant.client_id !== clientId) return null
  const consent = readConsent(grant.payload)
  const { share_code, mode, two_factor } = consent
  const shared = openShared(settings.DATA_KEY, grant)
  const inClear = shared.claims === undefined ? {} : idClaims(consent)
  return { sub: share_code, share_code, mode, two_factor, ...shared, ...inClear }
}

/** As in the ID token. */
function idClaims({ name, email, email_verified }: GrantConsent) {
  return { ...(name === null ? {} : { name }), ...(email === null ? {} : { email }), email_verified }
}

function openShared(dataKey: Keyring, { id, shared_key_id: keyId, shared }: GrantRow): SharedValues {
  if (keyId === null || shared === null) return { values: {}, values_attestation: {} }
  const opened = openUnder(dataKey, { keyId, bytes: shared }, sharedContext(id))
  // Stored in the shape of the ask that brought it.
  const { grant_id: _, ...stored } = shareValuesAsk.parse({ grant_id: id, ...parseObject(opened.toString('utf8')) })
  // The release before stored texts as values.
  const isText = stored.claims === undefined && Object.values(stored.values).some((value) => !isWrapper(crypto, value))
  return isText ? { ...stored, values: {}, claims: stored.values } : stored
}

function parseObject(text: string): object {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? parsed : {}
}
