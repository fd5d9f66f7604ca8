import { partitionOf } from '@sealpost/postgres'
import type { DevicesContext } from '../context.ts'
import { dayToEmpty, HINT_PARTITIONS, oldestKept } from '../rules/retention.ts'
import { emptyHints } from '../store/hints.ts'

export async function tidyHints({ database, clock }: Pick<DevicesContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  await database.transaction((tx) => emptyHints(tx, partitionOf(dayToEmpty(now), HINT_PARTITIONS), oldestKept(now)))
}
