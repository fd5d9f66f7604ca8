import type { Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ServiceAddress, ServiceCard } from '../model.ts'

const CARD = `service_id as "serviceId", company_id as "companyId", company_region as "companyRegion", rev::float8 as rev,
  facts, round(extract(epoch from rows_at) * 1000)::float8 as "rowsAt", is_ended as "isEnded"`

export function listCards(read: Read, serviceIds: readonly ServiceId[]): Promise<readonly ServiceCard[]> {
  return runStatement<ServiceCard>(
    read,
    `select ${CARD} from connections_customer.service_card where service_id = any($1)`,
    [serviceIds],
  )
}

export async function findCard(read: Read, serviceId: ServiceId): Promise<ServiceCard | null> {
  const [row] = await listCards(read, [serviceId])
  return row ?? null
}

/** FOR SHARE: a concurrent change or end of the service waits until the transaction ends. */
export async function lockCardForShare(tx: Tx, serviceId: ServiceId): Promise<ServiceCard | null> {
  const [row] = await runStatement<ServiceCard>(
    tx,
    `select ${CARD} from connections_customer.service_card where service_id = $1 for share`,
    [serviceId],
  )
  return row ?? null
}

export async function lockCard(tx: Tx, serviceId: ServiceId): Promise<ServiceCard | null> {
  const [row] = await runStatement<ServiceCard>(
    tx,
    `select ${CARD} from connections_customer.service_card where service_id = $1 for update`,
    [serviceId],
  )
  return row ?? null
}

/** False when a concurrent transaction inserted it first. */
export async function insertCard(tx: Tx, card: ServiceCard): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into connections_customer.service_card (service_id, company_id, company_region, rev, facts, rows_at, is_ended)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7) on conflict (service_id) do nothing returning service_id`,
    [
      card.serviceId,
      card.companyId,
      card.companyRegion,
      card.rev,
      JSON.stringify(card.facts),
      card.rowsAt,
      card.isEnded,
    ],
  )
  return rows.length === 1
}

export async function updateCard(
  tx: Tx,
  serviceId: ServiceId,
  { rev, facts, rowsAt }: Pick<ServiceCard, 'rev' | 'facts'> & { readonly rowsAt: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.service_card set rev = $2, facts = $3, rows_at = to_timestamp($4 / 1000.0)
    where service_id = $1`,
    [serviceId, rev, JSON.stringify(facts), rowsAt],
  )
}

/** Null when there is no card, or it has ended already. */
export async function endCard(
  tx: Tx,
  { serviceId, companyRegion }: Pick<ServiceAddress, 'serviceId' | 'companyRegion'>,
): Promise<ServiceCard | null> {
  const [row] = await runStatement<ServiceCard>(
    tx,
    `update connections_customer.service_card set is_ended = true
    where service_id = $1 and company_region = $2 and not is_ended returning ${CARD}`,
    [serviceId, companyRegion],
  )
  return row ?? null
}
