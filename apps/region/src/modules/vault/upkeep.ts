import type { Tx } from '@sealpost/postgres'
import type { VaultNeeds } from './needs.ts'
import { discardLater } from './objects.ts'
import { pruneShares } from './store/shares.ts'
import { listExpiredAttestations } from './store/values.ts'
import { pruneVerifications } from './store/verifications.ts'
import { loseAttestation } from './verification/operations.ts'

const AT_ONCE = 100

/** Forgets staged files and verifications whose time is over, and takes back attestations that have expired. */
export async function tidyVault(needs: VaultNeeds): Promise<void> {
  const now = needs.clock.now()
  await inSmallSteps(needs, async (tx) => {
    const keys = await pruneShares(tx, now, AT_ONCE)
    await discardLater(tx, keys, now)
    return keys.length
  })
  await inSmallSteps(needs, (tx) => pruneVerifications(tx, now, AT_ONCE))
  const expired = await needs.database.read((read) => listExpiredAttestations(read, now, AT_ONCE))
  for (const { accountId, fieldId } of expired) {
    await loseAttestation(needs, accountId, fieldId, ({ expiresAt }) => expiresAt !== null && expiresAt <= now)
  }
}

async function inSmallSteps(
  { database }: Pick<VaultNeeds, 'database'>,
  step: (tx: Tx) => Promise<number>,
): Promise<void> {
  let done = AT_ONCE
  while (done >= AT_ONCE) done = await database.transaction(step)
}
