import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld } from '@sealpost/testkit'
import { beforeEach, expect, test } from 'vitest'
import { openAccountTerminal } from './testing.ts'

const NAME = { slug: 'name', label: 'Name', type: 'text' }
const PHONE = { slug: 'phone', label: 'Phone', type: 'phone' }
const NOTE = { slug: 'note', label: 'Note', type: 'text' }

const world = await openWorld()
const company = await world.company()
const terminal = openAccountTerminal(world, await company.accountClient(['service_management']))
const service = await world.service([NAME, PHONE, NOTE], { company })
await world.customer(service, [
  { slug: 'name', text: 'Ana' },
  { slug: 'phone', text: '+4930123456' },
])
const { connectionId } = await world.customer(service, [{ slug: 'name', text: 'Ben' }])

const push = (...more: readonly string[]) =>
  terminal.run('services', 'request-fields', 'push', service.serviceId, '--file', 'fields.json', ...more)
const write = (document: unknown) => writeFileSync(join(terminal.folder, 'fields.json'), JSON.stringify(document))
const published = async () => {
  const { body } = await company.portal('GET', `${service.path}/request-fields`)
  return (body['request_fields'] as { slug: string }[]).map(({ slug }) => slug)
}

beforeEach(() => {
  terminal.typed = null
})

test('a push shows what it adds, changes and removes, and without --remove it removes nothing', async () => {
  write([
    { ...NAME, label: 'Full name', mandatory: true },
    { slug: 'site', label: 'Site', type: 'url' },
  ])
  const refused = await push()
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.logged.split('\n')).toEqual([
    '+ site: "Site", url',
    '~ name: label "Name" -> "Full name", mandatory_provide false -> true',
    '- phone: "Phone"; deletes the value of 1 customer',
    '- note: "Note"; no customer has given a value',
    'sealpost: nothing was published: confirm each removal with --remove phone --remove note',
  ])
  expect((await push('--remove', 'phone')).logged).toMatch(/--remove note$/)
  expect(await published()).toEqual(['name', 'phone', 'note'])
  expect(await service.value(connectionId, 'name')).toBe('Ben')
})

test('a dry run prints the difference and publishes nothing', async () => {
  write([PHONE])
  const dry = await push('--dry-run')
  expect(dry).toMatchObject({ code: 0, logged: 'dry run: nothing was published' })
  expect(dry.out.split('\n')).toEqual([
    '- name: "Name"; deletes the values of 2 customers',
    '- note: "Note"; no customer has given a value',
  ])
  const { out } = await push('--dry-run', '--json')
  expect(JSON.parse(out)).toEqual({
    added: [],
    changed: [],
    removed: [
      { slug: 'name', label: 'Name', value_count: 2 },
      { slug: 'note', label: 'Note', value_count: 0 },
    ],
    is_reordered: false,
  })
  expect(await published()).toEqual(['name', 'phone', 'note'])
})

test('at a terminal the user confirms removals; the file stays as it is', async () => {
  write([PHONE, NAME])
  const before = readFileSync(join(terminal.folder, 'fields.json'), 'utf8')
  terminal.typed = ['no']
  const declined = await push()
  expect(declined).toMatchObject({ code: 1, logged: expect.stringMatching(/sealpost: nothing was published$/) })
  expect(declined.logged).toContain('the order of the rows changes')
  expect(await published()).toEqual(['name', 'phone', 'note'])
  terminal.typed = ['yes']
  const done = await push()
  expect(done).toMatchObject({ code: 0, logged: expect.stringMatching(/published 2 rows$/) })
  expect(await published()).toEqual(['phone', 'name'])
  expect(readFileSync(join(terminal.folder, 'fields.json'), 'utf8')).toBe(before)
  // Nothing is asked without a removal, nor published without a difference.
  terminal.typed = []
  expect(await push()).toMatchObject({ code: 0, logged: 'nothing to publish: these 2 rows are published' })
})

test('--remove confirms a row that the file leaves out, and refuses one that it has', async () => {
  write([NAME])
  expect(await push('--remove', 'name', '--remove', 'phone')).toMatchObject({
    code: 1,
    logged: expect.stringContaining('--remove name: fields.json still has this row'),
  })
  expect(await published()).toEqual(['phone', 'name'])
  expect(await push('--remove', 'phone', '--remove', 'note')).toMatchObject({ code: 0 })
  expect(await published()).toEqual(['name'])
  expect(await service.value(connectionId, 'name')).toBe('Ben')
})
