import type { UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'

const TABLES = ['credential', 'second_factor', 'device', 'device_challenge', 'mailed_code', 'registration']

/** Everything that proves who an account is. Its ended sessions stay until every region has heard of their end. */
export async function removeLogin(tx: Tx, userId: UserId): Promise<void> {
  for (const table of TABLES) await runStatement(tx, `delete from login.${table} where user_id = $1`, [userId])
}
