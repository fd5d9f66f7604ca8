import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { type MigrationSet, openDatabase, runStatement, sqlMigration } from '@sealpost/postgres'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './databases.ts'
import { withClient } from './engines/client.ts'
import { readEngines } from './engines/endpoints.ts'

const template = `selftest${process.pid}`
const migrations = { '0001_note': sqlMigration('create table note (text text)') }
const created: TestDatabase[] = []

afterAll(async () => {
  for (const database of created) await database.drop()
  const templates = await rows(`select datname from pg_database where datname like '%${template}%'`)
  for (const { datname } of templates) await rows(`drop database "${datname}"`)
})

test('databases asked for at the same time come from one template and do not see each other', async () => {
  const [one, other] = await Promise.all([create(), create()])
  await write(one, 'only here')
  expect(await read(one)).toEqual(['only here'])
  expect(await read(other)).toEqual([])
  expect(await rows(`select datname from pg_database where datname like '%${template}%'`)).toHaveLength(1)
})

test('another text of a migration is another template', async () => {
  const changed = { '0001_note': sqlMigration(`create table note (text text); insert into note values ('seed')`) }
  expect(await read(await create(changed))).toEqual(['seed'])
  expect(await read(await create())).toEqual([])
})

test('a database that a killed run left behind is dropped by the next run', async () => {
  const gone = spawn('true')
  await once(gone, 'exit')
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 6)
  const leftover = `sealpost_test_clone_${machine}_${gone.pid}_1`
  await rows(`create database ${leftover}`)

  const script = `import { createTestDatabase } from ${JSON.stringify(new URL('./databases.ts', import.meta.url).href)}
    await (await createTestDatabase({ template: '${template}', migrations: {} })).drop()`
  const nextRun = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  await once(nextRun, 'exit')
  expect(await rows(`select datname from pg_database where datname = '${leftover}'`)).toEqual([])
})

async function create(set: MigrationSet = migrations): Promise<TestDatabase> {
  const database = await createTestDatabase({ template, migrations: set })
  created.push(database)
  return database
}

async function write({ url }: TestDatabase, text: string): Promise<void> {
  const database = openDatabase({ url })
  await database.transaction((tx) => runStatement(tx, 'insert into note values ($1)', [text]))
  await database.close()
}

async function read({ url }: TestDatabase): Promise<readonly string[]> {
  const database = openDatabase({ url })
  const notes = await database.read((scope) => runStatement<{ text: string }>(scope, 'select text from note', []))
  await database.close()
  return notes.map((note) => note.text)
}

async function rows(sql: string): Promise<{ datname: string }[]> {
  const server = readEngines().directory.postgresUrl
  return (await withClient(server, (client) => client.query<{ datname: string }>(sql))).rows
}
