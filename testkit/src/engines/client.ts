import { Client, type ClientConfig } from 'pg'

/** Runs the work with a connection of its own to PostgreSQL. */
export async function withClient<T>(server: string | ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(server)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
