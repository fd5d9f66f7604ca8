import { accepts } from '@sealpost/field-types'
import type { ConnectionId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { collapseKey, serviceEvents } from '@sealpost/protocol'
import type { NewEvent } from '../../../feed/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { listRequestRows, type ServiceName } from '../../../services/index.ts'
import type { FlowValue, StoredConnection } from '../model.ts'
import { putFlowValue } from '../store/flow-values.ts'
import { listPresentSlots } from '../store/slots.ts'

/**
 * The answers of a completed run become values of a connection, which the caller has locked. A request field of the same
 * slug and a type that accepts the answer's counts as filled. Answers one event per value.
 */
export async function putFlowValues(
  tx: Tx,
  connection: StoredConnection,
  values: readonly FlowValue[],
): Promise<readonly NewEvent[]> {
  if (values.length === 0) return []
  const { companyId, serviceId, id } = connection
  const rows = await listRequestRows(tx, companyId, serviceId)
  const registry = await loadRegistry(tx)
  for (const value of values) {
    const row = rows.find(({ slug, type }) => slug === value.slug && accepts(registry, type, value.type))
    await putFlowValue(tx, serviceId, id, { ...value, requestFieldId: row?.id ?? null })
  }
  return values.map((value) => flowEvent('field_updated', connection, value))
}

/** An event about a value of a flow. */
export function flowEvent(
  kind: 'field_updated' | 'field_deleted',
  connection: StoredConnection,
  { slug, flowId }: Pick<FlowValue, 'slug' | 'flowId'>,
): NewEvent {
  const { companyId, serviceId, id, customerId, shareCode, customerType } = connection
  return {
    owner: { kind: 'service', companyId, serviceId },
    kind,
    connectionId: id,
    payload: {
      person_user_id: customerId,
      share_code: shareCode,
      customer_type: customerType,
      slug,
      flow_id: flowId,
    },
    key: collapseKey(serviceEvents[kind].collapse, { connection_id: id, request_field_id: `flow:${slug}` }),
  }
}

/** Whether the customer shares something for the request field of that slug. */
export async function hasAnswered(
  read: Tx,
  { companyId, serviceId }: ServiceName,
  connectionId: ConnectionId,
  slug: string,
): Promise<boolean> {
  const rows = await listRequestRows(read, companyId, serviceId)
  const ids = rows.filter((row) => row.slug === slug).map(({ id }) => id)
  if (ids.length === 0) return false
  return (await listPresentSlots(read, serviceId, connectionId, ids)).some(({ state }) => state === 'answered')
}
