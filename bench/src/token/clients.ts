import { Client } from 'pg'

/**
 * Adds copies of a client with the same secret to the directory and returns all ids: a real front door serves many clients,
 * and caching one of them must not improve the result.
 */
export async function multiplyClient(databaseUrl: string, clientId: string, count: number): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ client_id: string }>(
      `insert into directory.client
      select (jsonb_populate_record(model, jsonb_build_object(
        'client_id', 'svc_Bench' || lpad(n::text, 19, '0'), 'service_id', gen_random_uuid()))).*
      from directory.client model, generate_series(2, $2) n
      where model.client_id = $1
      returning client_id`,
      [clientId, count],
    )
    return [clientId, ...rows.map((row) => row.client_id)]
  } finally {
    await client.end()
  }
}
