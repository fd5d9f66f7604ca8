import type { UserId } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Subscription, SubscriptionId } from '../model.ts'

const SUBSCRIPTION = `account_id as "accountId", id, device_id as "deviceId", endpoint, p256dh, auth,
  (extract(epoch from created_at) * 1000)::float8 as "createdAt"`
const SUBSCRIPTION_COLUMNS = columns<Subscription>({
  accountId: 'uuid',
  id: 'uuid',
  deviceId: 'uuid',
  endpoint: 'text',
  p256dh: 'bytes',
  auth: 'bytes',
  createdAt: 'float',
})

export async function listOfDevice(read: Read, accountId: UserId, deviceId: string): Promise<readonly Subscription[]> {
  return runStatement(
    read,
    `select ${SUBSCRIPTION} from devices.subscription where account_id = $1 and device_id = $2 order by id`,
    [accountId, deviceId],
    SUBSCRIPTION_COLUMNS,
  )
}

export type SubscriptionName = Pick<Subscription, 'accountId' | 'id'>

const NAME_COLUMNS = columns<SubscriptionName>({ accountId: 'uuid', id: 'uuid' })

export async function listSubscriptions(
  read: Read,
  accountIds: readonly UserId[],
): Promise<readonly SubscriptionName[]> {
  return runStatement(
    read,
    'select account_id as "accountId", id from devices.subscription where account_id = any($1::uuid[]) order by id',
    [accountIds],
    NAME_COLUMNS,
  )
}

export async function findSubscription(
  read: Read,
  accountId: UserId,
  id: SubscriptionId,
): Promise<Subscription | null> {
  const [row] = await runStatement(
    read,
    `select ${SUBSCRIPTION} from devices.subscription where account_id = $1 and id = $2`,
    [accountId, id],
    SUBSCRIPTION_COLUMNS,
  )
  return row ?? null
}

/** The row of the head serialises the changes of an account. */
export async function lockHead(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'insert into devices.head (account_id) values ($1) on conflict (account_id) do nothing', [
    accountId,
  ])
  await runStatement(tx, 'select from devices.head where account_id = $1 for update', [accountId])
}

/** The same endpoint of a device keeps its id and gets the new keys. Requires the lock of the head. */
export async function putSubscription(tx: Tx, subscription: Subscription): Promise<Subscription> {
  const { accountId, id, deviceId, endpoint, p256dh, auth, createdAt } = subscription
  const [row] = await runStatement(
    tx,
    `insert into devices.subscription (account_id, id, device_id, endpoint, p256dh, auth, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
    on conflict (account_id, device_id, sha256(endpoint::bytea)) do update
      set p256dh = excluded.p256dh, auth = excluded.auth returning ${SUBSCRIPTION}`,
    [accountId, id, deviceId, endpoint, p256dh, auth, createdAt],
    SUBSCRIPTION_COLUMNS,
  )
  if (row === undefined) throw new Error('a push subscription was not written')
  await recount(tx, accountId)
  return row
}

/** Requires the lock of the head. */
export async function deleteSubscriptions(
  tx: Tx,
  accountId: UserId,
  which: { readonly id?: SubscriptionId; readonly deviceId?: string },
): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from devices.subscription where account_id = $1 and ($2::uuid is null or id = $2)
      and ($3::uuid is null or device_id = $3) returning id`,
    [accountId, which.id ?? null, which.deviceId ?? null],
  )
  if (rows.length > 0) await recount(tx, accountId)
  return rows.length
}

async function recount(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(
    tx,
    `update devices.head set subscriptions = (select count(*) from devices.subscription where account_id = $1)
    where account_id = $1`,
    [accountId],
  )
}
