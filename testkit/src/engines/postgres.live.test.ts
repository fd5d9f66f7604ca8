import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { withClient } from './client.ts'
import { answersSql, startPrivatePostgres, startPrivateStandby } from './postgres.ts'
import { waitUntil } from './wait-until.ts'

test('a committed row outlives SIGKILL; a wipe gives an empty server at the same address', async () => {
  const server = await startPrivatePostgres()
  try {
    await run(server.url, 'create table kept as select 1 as one')
    await server.kill()
    expect(await answersSql(server.url)).toBe(false)
    await server.start()
    expect(await run(server.url, 'select one from kept')).toEqual([{ one: 1 }])

    await server.kill()
    await server.wipe()
    await server.start()
    await expect(run(server.url, 'select one from kept')).rejects.toThrow('does not exist')
  } finally {
    await server.remove()
  }
})

test('servers that start at the same time keep one cluster, and each has its own', async () => {
  const keptIn = mkdtempSync(join(tmpdir(), 'kept-clusters-'))
  const started = await Promise.allSettled([startPrivatePostgres({ keptIn }), startPrivatePostgres({ keptIn })])
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    expect(servers).toHaveLength(2)
    for (const { url } of servers) await run(url, 'create table own as select 1 as one')
    expect(readdirSync(keptIn)).toHaveLength(1)
  } finally {
    await Promise.all(servers.map((server) => server.remove()))
    rmSync(keptIn, { recursive: true })
  }
})

test('a standby takes over from a killed primary, which comes back as its standby', async () => {
  const first = await startPrivatePostgres()
  const second = await startPrivateStandby(first)
  try {
    await run(first.url, 'create table kept as select 1 as one')
    await second.catchUpWith(first)
    await first.kill()
    await second.promote()
    await run(second.url, 'insert into kept values (2)')

    await first.follow(second)
    await first.catchUpWith(second)
    expect(await run(first.url, 'select one from kept order by one')).toEqual([{ one: 1 }, { one: 2 }])
    await expect(run(first.url, 'insert into kept values (3)')).rejects.toThrow('read-only')
  } finally {
    await Promise.all([first.remove(), second.remove()])
  }
})

test('a restart ends open transactions and keeps what was committed', async () => {
  const server = await startPrivatePostgres()
  const open = new Client({ connectionString: server.url })
  open.on('error', () => {})
  try {
    await run(server.url, 'create table kept as select 1 as one')
    await open.connect()
    await open.query('begin')
    await open.query('insert into kept values (2)')
    await server.restart()
    expect(await run(server.url, 'select one from kept')).toEqual([{ one: 1 }])
    await expect(open.query('commit')).rejects.toThrow()
  } finally {
    await server.remove()
  }
})

test('with a standby required no commit is acknowledged while none has it, and none that was is lost', async () => {
  const first = await startPrivatePostgres()
  const second = await startPrivateStandby(first)
  try {
    await run(first.url, 'create table kept (one integer)')
    await first.requireStandby()
    await run(first.url, 'insert into kept values (1)')
    await second.kill()
    const waiting = run(first.url, 'insert into kept values (2)').then(
      () => 'acknowledged',
      () => 'broken',
    )
    await waitUntil('the commit waits for a standby', 5000, async () => {
      const sql = `select count(*)::integer as count from pg_stat_activity where wait_event = 'SyncRep'`
      return JSON.stringify(await run(first.url, sql)) === '[{"count":1}]'
    })
    await first.kill()
    expect(await waiting).toBe('broken')

    await second.start()
    await second.promote()
    expect(await run(second.url, 'select one from kept')).toEqual([{ one: 1 }])
  } finally {
    await Promise.all([first.remove(), second.remove()])
  }
})

test('an engine is gone when the process that started it is killed', async () => {
  const module = fileURLToPath(new URL('./postgres.ts', import.meta.url))
  const script = `import { startPrivatePostgres } from ${JSON.stringify(module)}
    console.log((await startPrivatePostgres()).url)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: owner.stdout })
  const url = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
  })
  expect(await answersSql(url)).toBe(true)

  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await waitUntil('the orphaned server is gone', 5000, async () => !(await answersSql(url)))
})

async function run(url: string, sql: string): Promise<unknown[]> {
  return (await withClient(url, (client) => client.query(sql))).rows
}
