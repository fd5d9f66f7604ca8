import { existsSync, readFileSync } from 'node:fs'
import { allOperations } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { elsewhere } from './elsewhere.ts'
import { endingNames, endings, endsOfOneRecord } from './endings.ts'
import { recordNames, records, type RecordKind } from './records.ts'
import { cellOf } from './table.ts'

const DOCS = new URL('../../../../docs/', import.meta.url)
const ENDS = /(cancel|decline|disconnect|delete|revoke|reject|deny|report)/

test('every operation that ends something belongs to an ending, or ends one record only', () => {
  const ending = allOperations
    .filter(({ id, method, path }) => method === 'DELETE' || ENDS.test(id) || (method !== 'GET' && ENDS.test(path)))
    .map(({ id }) => id)
  const listed = [...endingNames.flatMap((name) => [...endings[name].operations]), ...Object.keys(endsOfOneRecord)]
  expect(ending.filter((id) => !listed.includes(id))).toEqual([])
  const known = new Set(allOperations.map(({ id }) => id))
  expect(listed.filter((id) => !known.has(id))).toEqual([])
})

test('every line names a rule that exists', () => {
  const requirements = readFileSync(new URL('requirements.tsv', DOCS), 'utf8')
  const decisions = existsSync(new URL('decisions/0035-what-stays.md', DOCS)) ? ['0035'] : []
  const rules = new Set(recordNames.flatMap((kind) => endingNames.map((ending) => cellOf(kind, ending).rule)))
  const isKnown = (rule: string) =>
    /^G-\d{3}$/.test(rule) || decisions.includes(rule) || requirements.includes(`\n${rule}\t`)
  expect([...rules].filter((rule) => !isKnown(rule))).toEqual([])
})

test('a table of the tables that are not listed names no listed one, and each kind that it refers to exists', () => {
  const kinds: Readonly<Record<string, RecordKind>> = records
  const listed = Object.values(kinds).flatMap(({ rows }) => Object.values(rows).flat())
  const tables = new Set(listed.map((rows) => rows.slice(0, rows.indexOf(' '))))
  expect(Object.keys(elsewhere).filter((name) => tables.has(name))).toEqual([])
  const reasons = Object.values(elsewhere).filter((reason) => {
    const [, kind] = /^part of ([a-z_]+): /.exec(reason) ?? []
    return kind === undefined ? !/^(machinery|passing): /.test(reason) : !Object.hasOwn(kinds, kind)
  })
  expect(reasons).toEqual([])
})
