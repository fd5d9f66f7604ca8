import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readRegistry, resolveType, seedRows } from '@sealpost/field-types'
import { type Calls, keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { operate as runCommand } from '../../commands/operate/index.ts'

const SCRIPT = fileURLToPath(new URL('../../commands/operate/main.ts', import.meta.url))
const PATH = '/api/contact-field-types'
const run = promisify(execFile)

// Of its own: types are added to a region for all its companies.
const world = await openWorld({ own: true })
const { northwind, harborline, mara } = await world.personas()
const service = northwind.data

async function rowsOf(calls: Calls): Promise<readonly Record<string, unknown>[]> {
  const answer = await calls('GET', PATH)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.text) as Record<string, unknown>[]
}

function operate(...args: readonly string[]): Promise<string> {
  return runCommand(world.eu, args)
}

const add = (row: unknown): Promise<string> => operate('types:add', JSON.stringify(row))

describe('the registry', () => {
  test('is a bare array of raw rows, for everybody who works with fields [FTYPE-01]', async () => {
    const client = await northwind.accountClient([])
    for (const calls of [service, northwind.calls, mara.calls, harborline.calls, client.calls]) {
      const rows = await rowsOf(calls)
      expect(rows).toEqual(seedRows)
      // Raw: what a child inherits is not filled in.
      expect(rows.find(({ type }) => type === 'passport')).toEqual({
        type: 'passport',
        parent: 'proof_of_identity',
        label: 'fieldtype_passport',
        input: null,
        lane: null,
        check: null,
        options: null,
        fields: null,
        validation: null,
        is_system: true,
      })
    }
  })

  test('may be kept for five minutes and is answered with 304 while it has not changed', async () => {
    const first = await service('GET', PATH)
    const tag = first.headers.get('etag') ?? ''
    expect([first.headers.get('cache-control'), tag]).toEqual([
      'max-age=300',
      expect.stringMatching(/^"[0-9a-f]{64}"$/),
    ])
    const again = await fetch(`${northwind.apiUrl}${PATH}`, {
      headers: { authorization: `Bearer ${northwind.token}`, 'if-none-match': tag },
    })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
  })

  test('is refused to callers without a token, and cannot be written by any caller', async () => {
    expect(await world.anonymous('GET', PATH)).toMatchObject({ status: 401, body: { error_key: 'auth.token_missing' } })
    const refused = await service('POST', PATH, { body: {} })
    expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
  })
})

describe('types:add', () => {
  test('a row that an operator adds is read by every process at the next call, without a restart [FTYPE-16]', async () => {
    const other = (await world.another('eu')).url ?? ''
    const tag = (await service('GET', PATH)).headers.get('etag')
    expect((await service('GET', PATH, { url: other })).headers.get('etag')).toBe(tag)

    const row = { type: 'loyalty_number', parent: 'text', label: 'Loyalty number', validation: 'L[0-9]{6}' }
    const env = { ...process.env, ...world.environment.eu }
    const { stdout } = await run(process.execPath, [SCRIPT, 'types:add', JSON.stringify(row)], { env })
    expect(stdout.trim()).toBe('eu has loyalty_number from now on')

    for (const url of [northwind.apiUrl, other]) {
      const answer = await service('GET', PATH, { url })
      const rows: unknown = JSON.parse(answer.text)
      expect((rows as unknown[]).at(-1)).toMatchObject({ ...row, is_system: false, lane: null })
      expect(resolveType(readRegistry(rows), 'loyalty_number')).toMatchObject({ known: true, lane: 'inline' })
      expect(answer.headers.get('etag')).not.toBe(tag)
    }
    // It is a type like any other.
    const field = { label: 'Loyalty', type: 'loyalty_number' }
    const made = await northwind.calls('POST', '/api/contact-fields', { body: field })
    expect(made).toMatchObject({ status: 201, body: { type: 'loyalty_number' } })
    // Each region has its own list.
    expect((await rowsOf(harborline.data)).some(({ type }) => type === 'loyalty_number')).toBe(false)
  })

  test('adds several rows at once that are each other’s parents, or none of them', async () => {
    const vehicle = { type: 'vehicle', label: 'Vehicle', input: 'line', lane: 'inline' }
    const truck = { type: 'truck', parent: 'vehicle', label: 'Truck' }
    await expect(add([vehicle, { ...truck, parent: 'ship' }])).rejects.toThrow('There is no type of this name')
    expect(await operate('types:list')).not.toContain('vehicle')
    expect(await add([truck, vehicle])).toBe('eu has truck, vehicle from now on')
    expect(await operate('types:list')).toContain('truck vehicle added')
    await expect(add([truck])).rejects.toThrow('A type of this name exists')
  })

  test.each([
    ['a regex outside the common subset', { type: 'bad_a', parent: 'text', label: 'A', validation: '(?=a)a' }, 'regex'],
    ['an unknown parent', { type: 'bad_b', parent: 'no_such_type', label: 'B' }, 'There is no type of this name'],
    ['its own parent', { type: 'bad_c', parent: 'bad_c', label: 'C' }, 'its own ancestor'],
    ['the reserved name', { type: 'plugin', parent: 'text', label: 'D' }, 'reserved'],
    ['a name of the platform', { type: 'email', parent: 'text', label: 'E' }, 'exists'],
    ['a system type', { type: 'bad_f', parent: 'text', label: 'F', is_system: true }, 'is_system'],
    ['a misspelled column', { type: 'bad_g', parent: 'text', label: 'G', validaton: 'x' }, 'No column has this name'],
    [
      'a reserved key beside a file',
      { type: 'bad_h', parent: 'document', label: 'H', fields: [{ key: 'file', input: 'line' }] },
      'already has a member',
    ],
    [
      'a file that descends from a text',
      { type: 'bad_i', parent: 'text', label: 'I', input: 'file', lane: 'document' },
      'cannot descend',
    ],
  ])('refuses %s with a sentence that says why', async (_, row, why) => {
    await expect(add(row)).rejects.toThrow(why)
    expect((await rowsOf(service)).some(({ label }) => label === row.label)).toBe(false)
  })

  test('refuses what is no JSON, and says how it is called', async () => {
    await expect(operate('types:add', '{')).rejects.toThrow('types:add <row or list of rows as JSON>')
    await expect(operate('types:add')).rejects.toThrow('give one JSON text')
    await expect(operate('types:add', '[]')).rejects.toThrow('the list is empty')
  })

  test('two operators who add the same type at once: one of them does', async () => {
    const row = { type: 'raced', parent: 'text', label: 'Raced' }
    const outcomes = await Promise.allSettled([add(row), add(row)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})
