import type { AttentionRecord } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'

export type NeedKind = AttentionRecord['kind']

/** What waits in one service, all of one kind together: the platform answers the oldest ones of each kind. */
export interface Need {
  readonly kind: NeedKind
  readonly serviceId: string
  readonly serviceName: string
  /** Something is broken; else it waits. */
  readonly isFailed: boolean
  readonly count: number
  /** The platform answers no more of a kind than this, so more may wait. */
  readonly isAtLeast: boolean
  /** Of the one that has waited longest. */
  readonly since: string
}

const MOST_OF_KIND = 50
const FAILED: readonly NeedKind[] = ['webhook_parked', 'event_quarantined']

/** What has failed comes first, then what has waited longest. */
export async function listNeeds(context: PortalContext): Promise<readonly Need[]> {
  const { company } = requireOpen(context).client
  const [items, services] = await Promise.all([company.attention(), allOf(company.services.list())])
  const names = new Map(services.map(({ id, name }) => [id, name]))
  const groups = Map.groupBy(
    // A service that was deleted between the two reads waits for nothing.
    items.filter(({ service_id: id }) => names.has(id)),
    ({ kind, service_id: id }) => `${kind} ${id}`,
  )
  const ofKind = Map.groupBy(items, ({ kind }) => kind)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const { kind, service_id: serviceId, since } = first
      const isAtLeast = (ofKind.get(kind)?.length ?? 0) >= MOST_OF_KIND
      const serviceName = names.get(serviceId) ?? ''
      return [{ kind, serviceId, serviceName, isFailed: FAILED.includes(kind), count: group.length, isAtLeast, since }]
    })
    .toSorted((one, other) => Number(other.isFailed) - Number(one.isFailed) || one.since.localeCompare(other.since))
}
