import { Client } from 'pg'

/** Runs the work with a connection of its own. */
export async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench-seed' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Does at once what the server's own maintenance would do within an hour: planner statistics and visibility maps. */
export async function vacuum(client: Client, ...tables: readonly string[]): Promise<void> {
  await client.query(`vacuum (analyze) ${tables.join(', ')}`)
  await client.query('checkpoint')
}
