import type { Instant, UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'

export interface CompanyRow {
  readonly id: UserId
  readonly displayName: string
  readonly level: Level
  readonly createdAt: Instant
}

/** The same company put twice is one company. */
export async function insertCompany(tx: Tx, company: CompanyRow): Promise<void> {
  await runStatement(
    tx,
    `insert into account.company (id, display_name, level, created_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0)) on conflict (id) do nothing`,
    [company.id, company.displayName, company.level, company.createdAt],
  )
}
