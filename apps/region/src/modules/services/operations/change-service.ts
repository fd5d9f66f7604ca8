import { refuse } from '@sealpost/protocol'
import type { ServicesContext } from '../context.ts'
import type { Actor, Audience, Service, ServiceName } from '../model.ts'
import { changeCount, lockService, updateService } from '../store/services.ts'
import type { WireService } from '../wire.ts'
import { readWithProgress } from './read-services.ts'
import { recordChange, type RecordedChange } from './record-change.ts'

/** Absent members stay as they are. */
export interface ServiceChange {
  readonly name?: string | undefined
  readonly audience?: Audience | undefined
  readonly shareCode?: string
  readonly adminEmail?: string
  readonly numberMatching?: boolean
  readonly require2fa?: boolean
}

export async function changeService(
  services: ServicesContext,
  actor: Actor,
  { companyId, serviceId }: ServiceName,
  change: ServiceChange,
  recorded: RecordedChange,
): Promise<WireService> {
  return services.database.transaction(async (tx) => {
    const before = await lockService(tx, companyId, serviceId)
    if (before === null) throw refuse('services.not_found')
    const after = { ...before, ...withoutAbsent(change) }
    const isSame = Object.entries(after).every(([member, value]) => Reflect.get(before, member) === value)
    if (isSame) return readWithProgress(services, tx, before)
    // Locks the counter row, as the creation of services does: a code is given to one service at a time.
    if (after.shareCode !== before.shareCode) await changeCount(tx, companyId, 0)
    const isPublic =
      after.name !== before.name || after.audience !== before.audience || after.shareCode !== before.shareCode
    // See [Note: numbers by time].
    const rev = isPublic ? Math.max(before.rev + 1, services.clock.now()) : before.rev
    const isDone = await updateService(tx, { companyId, serviceId }, { ...after, rev })
    if (!isDone) throw refuse('services.share_code_taken')
    await recordChange(services, tx, actor, serviceId, recorded)
    if (isPublic) for (const hook of services.hooks.onFactsChanged) await hook(tx, { companyId, serviceId })
    return readWithProgress(services, tx, { ...after, rev })
  })
}

function withoutAbsent(change: ServiceChange): Partial<Service> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
