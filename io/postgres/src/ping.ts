import type { Database } from './database.ts'
import { runStatement } from './scope.ts'

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await database.read((read) => runStatement(read, 'select 1', []))
}
