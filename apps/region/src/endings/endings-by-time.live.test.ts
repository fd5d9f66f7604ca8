import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { listModules } from '../compose.ts'
import { regionHooks } from '../hooks.ts'
import { elsewhere } from './elsewhere.ts'
import { choresWithoutEnding, endingNames, endings } from './endings.ts'
import { observe, tableFor } from './testing/check.ts'
import { endingsByTime, stageFor } from './testing/endings.ts'
import { listRows, tableOf } from './testing/observe.ts'

const world = await openWorld({ own: true, withPersonas: false })
const open = stageFor(world, { company: 'eu', customer: 'us', customerType: 'person' })

test('every table of a region and of the directory is in the table of endings, or is listed with a reason', async () => {
  const sql = `select table_schema || '.' || table_name as name from information_schema.tables t
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and not exists (select from pg_class c where c.relispartition
        and c.oid = format('%I.%I', t.table_schema, t.table_name)::regclass)`
  const found = new Set<string>()
  for (const site of ['eu', 'directory'] as const)
    for (const { name } of await world.rows<{ name: string }>(sql, [], site)) found.add(name)
  const listed = [...listRows().map(({ rows }) => tableOf(rows)), ...Object.keys(elsewhere)]
  expect([...new Set(listed)].toSorted()).toEqual([...found].toSorted())
})

test('every hook of an ending is known: a new one is an ending, or a step of one', () => {
  // No hook runs, so no module is read.
  const hooks = regionHooks(() => {
    throw new Error('no module is open')
  })
  const names = Object.entries(hooks).flatMap(([module, own]) => namesOf(module, own))
  expect(names.filter((name) => /\.on.*(Ended|Deleted|Gone|Removed|LevelChanged)$/.test(name)).toSorted()).toEqual([
    'account.onAccountDeleted',
    'account.onLevelChanged',
    'connections.customer.onEnded',
    'connections.customer.onServiceEnded',
    'connections.service.onEnded',
    'login.onDeviceRemoved',
    'registry.onFieldDeleted',
    'services.onServiceDeleted',
    'services.onServiceGone',
    'vault.onPhotoDeleted',
    'vault.onValueDeleted',
  ])
})

function namesOf(path: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return Object.entries(value).flatMap(([name, below]) => namesOf(`${path}.${name}`, below))
}

test('every chore of a worker belongs to an ending, or ends nothing', () => {
  const chores = listModules(world.eu.modules).flatMap(({ chores: own }) => (own ?? []).map(({ what }) => what))
  const listed = [...endingNames.flatMap((name) => [...endings[name].others]), ...choresWithoutEnding]
  expect(chores.filter((what) => !listed.includes(what))).toEqual([])
  expect(choresWithoutEnding.filter((what) => !chores.includes(what))).toEqual([])
})

test.each(endingsByTime)('a person abroad and the company have what the table says: %s', async (ending) => {
  const stage = await open(ending)
  expect(await observe(stage, ending)).toEqual(tableFor(stage, ending))
})
