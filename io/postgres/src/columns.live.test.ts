import { createTestDatabase, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkRows, type Columns, columns } from './columns.ts'
import { type Database, openDatabase } from './database.ts'
import { runStatement } from './scope.ts'

let place: TestDatabase
let database: Database

beforeAll(async () => {
  checkRows()
  place = await createTestDatabase({ template: 'columns', migrations: {} })
  database = openDatabase({ url: place.url, poolSize: 1 })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const run = <Row extends object>(text: string, declared: Columns<Row>): Promise<readonly Row[]> =>
  database.read((read) => runStatement(read, text, [], declared))

const SCALARS = `
select 'a'::text as text, 'a'::varchar(9) as varchar, 'a'::name as name, '01890a5d-ac96-774b-bcce-b302099a8057'::uuid as uuid,
  date '2026-05-01' as date, 1.50::numeric as numeric, 1::int2 as int2, 2::int4 as int4, count(*) as int8, 0.5::float8 as float,
  true as boolean, timestamptz '2026-05-01T00:00Z' as timestamp, '\\x01'::bytea as bytes, '{"a":1}'::jsonb as json`

test('every scalar type is recognised, and its value is what the type says', async () => {
  const declared = columns({
    text: 'text',
    varchar: 'text',
    name: 'text',
    uuid: 'uuid',
    date: 'date',
    numeric: 'numeric',
    int2: 'integer',
    int4: 'integer',
    int8: 'integer',
    float: 'float',
    boolean: 'boolean',
    timestamp: 'timestamp',
    bytes: 'bytes',
    json: 'json',
  })
  const [row] = await run(SCALARS, declared)
  expect(row).toEqual({
    text: 'a',
    varchar: 'a',
    name: 'a',
    uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
    date: '2026-05-01',
    numeric: '1.50',
    int2: 1,
    int4: 2,
    int8: 1,
    float: 0.5,
    boolean: true,
    timestamp: new Date('2026-05-01T00:00Z'),
    bytes: Buffer.from([1]),
    json: { a: 1 },
  })
})

const ARRAYS = `
select '{a}'::text[] as text, array['01890a5d-ac96-774b-bcce-b302099a8057'::uuid] as uuid, array[date '2026-05-01'] as date,
  '{1}'::int8[] as int8, '{2}'::int4[] as int4, '{true}'::boolean[] as boolean, array[timestamptz '2026-05-01T00:00Z'] as timestamp,
  array['\\x01'::bytea] as bytes, array['{"a":1}'::jsonb] as json`

test('every array type is recognised, and its value is a list', async () => {
  const declared = columns({
    text: 'text[]',
    uuid: 'uuid[]',
    date: 'date[]',
    int8: 'integer[]',
    int4: 'integer[]',
    boolean: 'boolean[]',
    timestamp: 'timestamp[]',
    bytes: 'bytes[]',
    json: 'json[]',
  })
  const [row] = await run(ARRAYS, declared)
  expect(row).toEqual({
    text: ['a'],
    uuid: ['01890a5d-ac96-774b-bcce-b302099a8057'],
    date: ['2026-05-01'],
    int8: [1],
    int4: [2],
    boolean: [true],
    timestamp: [new Date('2026-05-01T00:00Z')],
    bytes: [Buffer.from([1])],
    json: [{ a: 1 }],
  })
})

const ID = columns({ id: 'integer' })

test.each([
  ['a missing column', 'select 1 as other', 'column id is missing; column other is not declared in: select 1 as other'],
  ['an undeclared column', 'select 1 as id, 2 as rev', 'column rev is not declared'],
  ['a column of another type', `select 'a' as id`, 'column id is text, declared integer'],
  [
    'a column of a type that no declaration has',
    `select '1s'::interval as id`,
    'column id is of the type with oid 1186',
  ],
  ['a column that is returned twice', 'select 1 as id, 2 as id', 'column id is returned twice'],
  ['a null in a column that is never null', 'select null::int as id', 'column id is null in a row'],
])('%s is refused', async (_what, text, problem) => {
  await expect(run(text, ID)).rejects.toThrow(problem)
})

test('a result without rows is compared too', async () => {
  await expect(run(`select 'a' as id where false`, ID)).rejects.toThrow('column id is text, declared integer')
})

test('a null is looked for in every row of every call', async () => {
  const sometimes = 'select $1::int as id'
  const call = (value: number | null) => database.read((read) => runStatement(read, sometimes, [value], ID))
  expect(await call(1)).toEqual([{ id: 1 }])
  await expect(call(null)).rejects.toThrow('column id is null in a row')
})

test('a declared null is allowed', async () => {
  expect(await run('select null::int as id', columns({ id: 'integer?' }))).toEqual([{ id: null }])
})
