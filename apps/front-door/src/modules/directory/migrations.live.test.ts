import { migrate, openDatabase, runStatement } from '@sealpost/postgres'
import { createTestDatabase } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { directoryMigrations } from './migrations.ts'

const { '0100_directory_create': created, ...later } = directoryMigrations

test('existing apps with a secret may still make detached requests; what the previous release inserts may not', async () => {
  if (created === undefined) throw new Error('no first step')
  const first = { '0100_directory_create': created }
  const place = await createTestDatabase({ template: 'directoryfirst', migrations: first })
  const database = openDatabase({ url: place.url })
  const user = '019a0000-0000-7000-8000-000000000001'
  const insert = (clientId: string, kind: string, secret: string | null) =>
    database.transaction((tx) =>
      runStatement(
        tx,
        `insert into directory.client (client_id, kind, user_id, name, service_id, capabilities, patterns, redirect_uris,
          is_confidential, secret_id, secret_key_id, secret_hash, created_at)
        values ($1, $2, $3, 'A client', case when $2 = 'svc' then $3::uuid end, '{}', '{}', '{}',
          $4::uuid is not null, $4, $5, $6, to_timestamp(0))`,
        [clientId, kind, user, secret, secret === null ? null : 'a', secret === null ? null : Buffer.alloc(32)],
      ),
    )
  await database.transaction((tx) =>
    runStatement(
      tx,
      `insert into directory.account (user_id, user_type, region, level, share_code) values ($1, 'company', 'eu', 'pro', 'A')`,
      [user],
    ),
  )
  await insert('app', 'idw', user)
  await insert('public app', 'idw', null)
  await insert('data client', 'svc', user)
  await migrate(place.url, { ...first, ...later })
  await insert('app of the previous release', 'idw', user)
  const sql = 'select client_id from directory.client where allows_detached'
  expect(await database.read((read) => runStatement(read, sql, []))).toEqual([{ client_id: 'app' }])
  await database.close()
  await place.drop()
})
