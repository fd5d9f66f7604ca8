import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { JWK } from 'jose'

const KEY = columns<{ readonly jwk: JWK }>({ jwk: 'json' })

/** The last published keys: with them a region starts and serves while the directory cannot be reached. */
export async function listStoredKeys(read: Read): Promise<readonly JWK[]> {
  const rows = await runStatement(read, 'select jwk from access.signing_key order by kid', [], KEY)
  return rows.map((row) => row.jwk)
}

export async function replaceStoredKeys(tx: Tx, keys: readonly JWK[]): Promise<void> {
  await runStatement(
    tx,
    `insert into access.signing_key (kid, jwk) select key ->> 'kid', key from jsonb_array_elements($1::jsonb) as key
    on conflict (kid) do update set jwk = excluded.jwk`,
    [JSON.stringify(keys)],
  )
  const kids = keys.map((key) => key.kid ?? '')
  await runStatement(tx, 'delete from access.signing_key where kid <> all ($1)', [kids])
}
