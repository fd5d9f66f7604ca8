import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ConnectionName, FanOut } from '../model.ts'

type FanOutRow = Omit<FanOut, 'after'> & { readonly afterAccount: UserId | null; readonly afterId: ConnectionId | null }

const FAN_OUT = `service_id as "serviceId", rev::float8 as rev, kind, is_card_changed as "isCardChanged",
  new_rows as "newRows", gone_rows as "goneRows", after_account as "afterAccount", after_id as "afterId"`

export async function insertFanOut(tx: Tx, fanOut: Omit<FanOut, 'after'>): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_customer.fan_out (service_id, rev, kind, is_card_changed, new_rows, gone_rows)
    values ($1, $2, $3, $4, $5, $6) on conflict (service_id, rev, kind) do nothing`,
    [fanOut.serviceId, fanOut.rev, fanOut.kind, fanOut.isCardChanged, fanOut.newRows, fanOut.goneRows],
  )
}

/** Services with a pending fan-out. The fan-outs of one service run in the order of their revisions. */
export async function listDueServices(read: Read, limit: number): Promise<readonly ServiceId[]> {
  const rows = await runStatement<{ serviceId: ServiceId }>(
    read,
    'select distinct service_id as "serviceId" from connections_customer.fan_out limit $1',
    [limit],
  )
  return rows.map(({ serviceId }) => serviceId)
}

/** The first fan-out of a service; null also while another worker has it. */
export async function claimFanOut(tx: Tx, serviceId: ServiceId): Promise<FanOut | null> {
  const [row] = await runStatement<FanOutRow>(
    tx,
    `select ${FAN_OUT} from connections_customer.fan_out f where service_id = $1 and not exists (
      select 1 from connections_customer.fan_out e where e.service_id = $1 and (e.rev, e.kind) < (f.rev, f.kind))
    for update skip locked`,
    [serviceId],
  )
  if (row === undefined) return null
  const { afterAccount, afterId, ...fanOut } = row
  return {
    ...fanOut,
    after: afterAccount === null || afterId === null ? null : { accountId: afterAccount, id: afterId },
  }
}

export async function moveFanOut(tx: Tx, { serviceId, rev, kind }: FanOut, after: ConnectionName): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.fan_out set after_account = $4, after_id = $5
    where service_id = $1 and rev = $2 and kind = $3`,
    [serviceId, rev, kind, after.accountId, after.id],
  )
}

export async function deleteFanOut(tx: Tx, { serviceId, rev, kind }: FanOut): Promise<void> {
  await runStatement(tx, 'delete from connections_customer.fan_out where service_id = $1 and rev = $2 and kind = $3', [
    serviceId,
    rev,
    kind,
  ])
}
