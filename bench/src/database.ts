import type { Client } from 'pg'

/** Does at once what the server's own maintenance would do within an hour: planner statistics and visibility maps. */
export async function vacuum(client: Client, ...tables: readonly string[]): Promise<void> {
  await client.query(`vacuum (analyze) ${tables.join(', ')}`)
  await client.query('checkpoint')
}
