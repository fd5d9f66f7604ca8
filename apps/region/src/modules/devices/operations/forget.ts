import type { UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { deleteHintsOf, raiseLife } from '../store/hints.ts'
import { deleteSubscriptions, lockHead } from '../store/subscriptions.ts'

/** In the transaction that deletes the account. */
export async function forgetDevices(tx: Tx, accountId: UserId): Promise<void> {
  await lockHead(tx, accountId)
  await deleteSubscriptions(tx, accountId, {})
  await deleteHintsOf(tx, accountId)
}

/** In the transaction that removes a trusted device. */
export async function forgetDevice(tx: Tx, accountId: UserId, deviceId: string): Promise<void> {
  await lockHead(tx, accountId)
  await deleteSubscriptions(tx, accountId, { deviceId })
}

/** After a restore from a backup: positions that devices remember may be of numbers that are given out again. */
export async function renumberHints(database: Database): Promise<void> {
  await database.transaction(raiseLife)
}
