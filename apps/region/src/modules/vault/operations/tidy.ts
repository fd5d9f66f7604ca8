import type { Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../platform/remove-all.ts'
import type { VaultContext } from '../context.ts'
import { discardObjects } from '../garbage/index.ts'
import { pruneShares } from '../store/shares.ts'
import { listExpiredAttestations } from '../store/values.ts'
import { withdrawAttestation } from '../verification/operations/verifications.ts'
import { pruneVerifications } from '../verification/store/verifications.ts'

const AT_ONCE = 100

/**
 * Deletes expired staged files and verifications, and takes expired attestations back. A failed step does not keep the
 * others from running; all failures are thrown at the end.
 */
export async function tidyVault(vault: VaultContext): Promise<void> {
  const now = vault.clock.now()
  await runAll([
    () =>
      inBatches(vault, async (tx) => {
        const keys = await pruneShares(tx, now, AT_ONCE)
        await discardObjects(tx, keys, now)
        return keys.length
      }),
    () => inBatches(vault, (tx) => pruneVerifications(tx, now, AT_ONCE)),
    () => removeAll(AT_ONCE, (limit) => withdrawExpired(vault, now, limit)),
  ])
}

async function withdrawExpired(vault: VaultContext, now: Instant, limit: number): Promise<number> {
  const expired = await vault.database.read((read) => listExpiredAttestations(read, now, limit))
  const hasExpired = ({ expiresAt }: { readonly expiresAt: Instant | null }): boolean =>
    expiresAt !== null && expiresAt <= now
  await runAll(
    expired.map(
      ({ accountId, fieldId }) =>
        () =>
          withdrawAttestation(vault, accountId, fieldId, hasExpired),
    ),
  )
  return expired.length
}

async function runAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${steps.length} steps failed`)
}

async function inBatches(
  { database }: Pick<VaultContext, 'database'>,
  batch: (tx: Tx) => Promise<number>,
): Promise<void> {
  await removeAll(AT_ONCE, () => database.transaction(batch))
}
