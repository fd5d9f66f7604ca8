import type { Tx } from '@sealpost/postgres'
import type { VaultNeeds } from './needs.ts'
import { discardLater } from './objects.ts'
import { pruneShares } from './store/shares.ts'
import { listExpiredAttestations } from './store/values.ts'
import { pruneVerifications } from './store/verifications.ts'
import { loseAttestation } from './verification/operations.ts'

const AT_ONCE = 100

/**
 * Forgets staged files and verifications whose time is over, and takes back attestations that have expired. What fails
 * is told in the end and keeps nothing else from being done.
 */
export async function tidyVault(needs: VaultNeeds): Promise<void> {
  const now = needs.clock.now()
  const expired = await needs.database.read((read) => listExpiredAttestations(read, now, AT_ONCE))
  await doEach([
    () =>
      inSmallSteps(needs, async (tx) => {
        const keys = await pruneShares(tx, now, AT_ONCE)
        await discardLater(tx, keys, now)
        return keys.length
      }),
    () => inSmallSteps(needs, (tx) => pruneVerifications(tx, now, AT_ONCE)),
    ...expired.map(
      ({ accountId, fieldId }) =>
        () =>
          loseAttestation(needs, accountId, fieldId, ({ expiresAt }) => expiresAt !== null && expiresAt <= now),
    ),
  ])
}

async function doEach(acts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const act of acts) {
    try {
      await act()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${acts.length} chores failed`)
}

async function inSmallSteps(
  { database }: Pick<VaultNeeds, 'database'>,
  step: (tx: Tx) => Promise<number>,
): Promise<void> {
  let done = AT_ONCE
  while (done >= AT_ONCE) done = await database.transaction(step)
}
