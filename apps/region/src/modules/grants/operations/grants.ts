import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { readConsent, refuse } from '@sealpost/protocol'
import { sealUnder } from '@sealpost/sealing'
import { isSessionRevoked } from '../../access/index.ts'
import { lockCredentialName } from '../../login/index.ts'
import type { GrantsContext } from '../context.ts'
import type { NewGrant, Payload, SharedValues } from '../model.ts'
import { findGrant, insertGrant, setShared } from '../store/grants.ts'

/** A grant's id begins with the code of its region, so its tokens tell where to ask. */
export async function putGrant({ clock, database, region }: GrantsContext, grant: NewGrant): Promise<void> {
  if (!grant.id.startsWith(`${region}.`)) throw new Error(`the id of the grant does not begin with ${region}`)
  const expiresAt = instant(clock.now() + grant.livesSeconds * 1000)
  await database.transaction(async (tx) => {
    await requireProof(tx, grant)
    await insertGrant(tx, grant, expiresAt)
  })
}

/**
 * The password may have changed, or the session ended, since the user consented: such a grant would outlive its proof.
 */
async function requireProof(tx: Tx, { userId, payload }: NewGrant): Promise<void> {
  const { proof } = readConsent(payload)
  const credential = await lockCredentialName(tx, userId)
  if ('credential' in proof) {
    if (credential !== proof.credential) throw refuse('session.invalid')
  } else if (credential === null || (await isSessionRevoked(tx, proof.session_id))) {
    throw refuse('auth.token_invalid')
  }
}

export async function readGrant({ database, clock }: GrantsContext, id: string): Promise<Payload | null> {
  const grant = await database.read((read) => findGrant(read, id, clock.now()))
  if (grant === null || grant.ended_at !== null) return null
  return grant.payload
}

/** Sealed once more: an app may take its values in plaintext, and the row must not show them. */
export async function shareValues(
  { database, clock, settings }: GrantsContext,
  id: string,
  shared: SharedValues,
): Promise<void> {
  const grant = await database.read((read) => findGrant(read, id, clock.now()))
  if (grant === null) throw refuse('oauth.invalid_grant')
  const sealed = sealUnder(settings.DATA_KEY, JSON.stringify(shared), sharedContext(id))
  await database.transaction((tx) => setShared(tx, grant.user_id, id, sealed))
}

/** The context that the shared values of a grant are sealed with. */
export function sharedContext(grantId: string): string {
  return `grants.shared:${grantId}`
}
