import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../../platform/remove-all.ts'
import type { EndedConnection } from '../../../connections/index.ts'
import type { NewEvent } from '../../../feed/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceContext } from '../context.ts'
import { KEPT_MS } from '../rules/life.ts'
import { deleteChallengesOf, deleteOldChallenges, forgetShareCode } from '../store/challenges.ts'
import { deleteEnrollment, deleteEnrollmentsOf } from '../store/enrollments.ts'
import { revokePending } from './enroll.ts'

const AT_ONCE = 500

/** In the transaction that ends a connection. Its challenges stay readable; the customer's side ends its own. */
export async function endEnrollment(
  context: ServiceContext,
  tx: Tx,
  { connection, isErased }: EndedConnection,
): Promise<readonly NewEvent[]> {
  const { serviceId, id } = connection
  if (isErased) await forgetShareCode(tx, serviceId, id)
  const events = await revokePending(context, tx, connection, 'knows')
  await deleteEnrollment(tx, serviceId, id)
  return events
}

/** The service is gone. */
export async function deleteTwofaOfService(tx: Tx, { serviceId }: ServiceName): Promise<void> {
  await deleteEnrollmentsOf(tx, serviceId)
  await deleteChallengesOf(tx, serviceId)
}

/** An outcome is kept for a day after the end, which is at most the lifetime after the raise. */
export async function tidyChallenges({ database, clock }: ServiceContext): Promise<void> {
  const before = instant(clock.now() - KEPT_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldChallenges(tx, before, limit)))
}
