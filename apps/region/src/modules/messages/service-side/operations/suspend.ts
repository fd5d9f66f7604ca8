import { findService, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Suspendable } from '../model.ts'
import { deleteSuspensions, insertSuspension } from '../store/suspensions.ts'

/** A command of the operator, in force when it answers. False when the company has no such service here. */
export async function suspend(
  { database, clock }: ServiceSideContext,
  { companyId, serviceId }: ServiceName,
  what: Suspendable,
  isSuspended: boolean,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    if ((await findService(tx, companyId, serviceId)) === null) return false
    if (isSuspended) await insertSuspension(tx, serviceId, what, clock.now())
    else await deleteSuspensions(tx, serviceId, [what])
    return true
  })
}
