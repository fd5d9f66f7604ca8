import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findProblems, LISTS, type Lists, readSources } from './repository.ts'
import { findStatements } from './statements.ts'
import { validateStatement } from './validate-statement.ts'

const root = join(import.meta.dirname, '../../..')
const OWNERS = new Map([
  ['shop.order', ['company_id']],
  ['shop.item', ['company_id', 'user_id']],
  ['shop.price', []],
])

describe('a statement that names the owner of its rows passes', () => {
  test.each([
    'select * from shop.order where company_id = $1',
    'select * from shop.order o where o.id = $2 and $1 = o.company_id',
    'select * from shop.order where company_id = any($1::uuid[])',
    'select * from shop.order where (company_id, id) = ($1, $2)',
    'select * from shop.order where (company_id = $1 and id = $2) or (company_id = $1 and code = $3)',
    'select * from shop.order where company_id = $1 and ($2::uuid is null or id > $2) limit 5 for update skip locked',
    'select * from shop.order o join shop.item i using (company_id, order_id) where o.company_id = $1',
    'select * from shop.order o, shop.item i where i.company_id = o.company_id and i.user_id is not distinct from $1',
    'select * from shop.order o join shop.item i on o.company_id = i.seller where i.user_id = $1',
    'select (select count(*) from shop.item i where i.company_id = o.company_id) from shop.order o where o.company_id = $1',
    'with gone as (delete from shop.item where company_id = $1 returning id) select count(*) from gone',
    'update shop.order o set total = 1 from shop.price p where p.id = o.price_id and o.company_id = $1',
    'delete from shop.order o using unnest($1::uuid[]) as u(company_id) where o.company_id = u.company_id',
    'insert into shop.order (company_id, id) values ($1, $2) on conflict (company_id, id) do update set total = 1',
    'insert into shop.order as o (company_id, id) values ($1, $2) on conflict (id) do update set total = 1 where o.company_id = $1',
    'select price from shop.price',
  ])('%s', (text) => {
    expect(validateStatement(text, OWNERS)).toEqual([])
  })
})

describe('a statement that could touch rows of another owner is refused', () => {
  test.each([
    'select * from shop.order',
    'select company_id from shop.order where id = $1',
    'select * from shop.order where company_id <> $1',
    'select * from shop.order where company_id > $1 order by company_id',
    'select * from shop.order where company_id = $1 or id = $2',
    'select * from shop.order where not (company_id = $1)',
    'select * from shop.order where company_id not in ($1, $2)',
    'select * from shop.order where company_id is distinct from $1',
    'select * from shop.order where company_id = coalesce($1, company_id)',
    'select * from shop.order o join shop.item i using (company_id)',
    'select * from shop.order o join shop.item i on i.order_id = o.id where o.company_id = $1',
    'select * from shop.order o join shop.item i on o.company_id = i.seller where i.code = $1',
    'select * from shop.order where company_id = $1 union select * from shop.order',
    'select * from shop.order where company_id in (select company_id from shop.item where price = $1)',
    'with all_items as (select * from shop.item) select * from shop.order where company_id = $1',
    'update shop.order set total = 1 where id = $1',
    'update shop.order set company_id = $1 where id = $2',
    'delete from shop.order where id = $1',
    'insert into shop.order (id) values ($1)',
    'insert into shop.order (company_id, id) select company_id, id from shop.item',
    'insert into shop.order (company_id, id) values ($1, $2) on conflict (id) do update set total = 1',
    'select * from orders where company_id = $1',
    'select * from shop.orders where company_id = $1',
  ])('%s', (text) => {
    expect(validateStatement(text, OWNERS)).not.toEqual([])
  })

  test('a text that cannot be parsed is refused', () => {
    expect(validateStatement('select § from shop.order', OWNERS)).toHaveLength(1)
    expect(validateStatement('select (1 from shop.order where company_id = $1', OWNERS)).toHaveLength(1)
    expect(validateStatement('truncate shop.order', OWNERS)).toEqual(['not a query'])
  })
})

describe('a statement is found with its whole text', () => {
  const found = (...lines: readonly string[]): readonly string[] =>
    findStatements(new Map([['store.ts', lines.join('\n')]])).statements.map(({ text }) => text)

  test.each([
    ['where it is run', ["export const f = (tx) => runStatement(tx, 'select 1', [])"], ['select 1']],
    ['in a constant', ["const SQL = 'select 1'", 'const f = (tx) => runStatement(tx, SQL, [])'], ['select 1']],
    [
      'with columns from a constant',
      ["const C = 'a, b'", 'const f = (tx) => runStatement(tx, `select ${C}`, [])'],
      ['select a, b'],
    ],
    [
      'in each of two cases',
      ["const f = (tx, x) => runStatement(tx, x ? 'select 1' : 'select 2', [])"],
      ['select 1', 'select 2'],
    ],
    [
      'for each table of a list',
      ["const T = ['a', 'b']", 'async function f(tx) { for (const t of T) await runStatement(tx, `select ${t}`, []) }'],
      ['select a', 'select b'],
    ],
    [
      'built by a function of the file',
      [
        'const ms = (column) => `extract(epoch from ${column})`',
        "const f = (tx) => runStatement(tx, `select ${ms('at')}`, [])",
      ],
      ['select extract(epoch from at)'],
    ],
    [
      'passed to a function that runs it',
      ['function run(tx, sql) { return runStatement(tx, sql, []) }', "const f = (tx) => run(tx, 'select 1')"],
      ['select 1'],
    ],
  ])('%s', (_case, lines, texts) => {
    expect(found(...lines)).toEqual(texts)
  })

  test('including parts imported from another file', () => {
    const files = new Map([
      ['a/store/columns.ts', "export const COLUMNS = 'id'"],
      [
        'a/store/rows.ts',
        "import { COLUMNS } from './columns.ts'\nconst f = (tx) => runStatement(tx, `select ${COLUMNS}`, [])",
      ],
    ])
    expect(findStatements(files).statements).toEqual([{ place: 'a/store/rows.ts#f', line: 2, text: 'select id' }])
  })

  test('or reported when it is built at run time', () => {
    const made =
      'export const f = (tx, sql) => runStatement(tx, sql, [])\nconst g = (tx) => runStatement(tx, make(), [])'
    const { statements, unread } = findStatements(new Map([['store.ts', made]]))
    expect(statements).toEqual([])
    expect(unread.map(({ line }) => line)).toEqual([1, 2])
  })
})

describe('the lists of exemptions', () => {
  const sources = {
    migrations: new Map([
      [
        'm.ts',
        'sqlMigration(`create table shop.order (company_id uuid, id uuid, code text); create table shop.tax (rate int);`)',
      ],
    ]),
    stores: new Map([
      [
        'store.ts',
        "const all = (r) => runStatement(r, 'select * from shop.order', [])\nconst tax = (r) => runStatement(r, 'select * from shop.tax', [])",
      ],
    ]),
  }
  const none: Lists = { unowned: {}, otherOwners: {}, acrossOwners: {} }

  test('apply to the entries only', () => {
    expect(findProblems(sources, none)).toHaveLength(2)
    const lists = { ...none, unowned: { 'shop.tax': 'the law' }, acrossOwners: { 'store.ts#all': 'a report' } }
    expect(findProblems(sources, lists)).toEqual([])
  })

  test('contain no entry that is not needed', () => {
    const lists = {
      unowned: { 'shop.tax': 'the law', 'shop.order': 'it has an owner' },
      otherOwners: { 'shop.order.code': 'no statement selects by it' },
      acrossOwners: { 'store.ts#all': 'a report', 'store.ts#tax': 'a tax has no owner' },
    }
    expect(findProblems(sources, lists)).toEqual([
      'shop.order is listed in UNOWNED_TABLES, but has an owner or is unused',
      'shop.order.code is listed in OTHER_OWNERS and no statement needs it: remove it',
      'store.ts#all is listed in ACROSS_OWNERS and need not be: remove it',
      'store.ts#tax is listed in ACROSS_OWNERS and need not be: remove it',
    ])
  })
})

test('every statement of every store names the owner of its rows', () => {
  const sources = readSources(root)
  expect(findStatements(sources.stores).statements.length).toBeGreaterThan(350)
  expect(findProblems(sources, LISTS)).toEqual([])
})
