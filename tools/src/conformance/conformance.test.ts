import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatReport } from './report.ts'
import { parseRequirements, select } from './requirements.ts'
import { countTests, parseResults, ruleIds } from './results.ts'
import { assess } from './verdict.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const all = parseRequirements(readFileSync(join(fixtures, 'requirements.tsv'), 'utf8'))
const results = parseResults(readFileSync(join(fixtures, 'results.json'), 'utf8'))
const everything = { areas: null, since: null }

function standing(id: string) {
  return assess(all, all, results.outcomes).standings.find(({ requirement }) => requirement.id === id)?.standing
}

describe('a rule', () => {
  test('is shown by a passing test that names it', () => {
    expect(standing('FEED-01')).toBe('shown')
  })

  test('is failing when one of the tests that name it fails', () => {
    expect(standing('FEED-02')).toBe('failing')
  })

  test('is failing when only failing tests name it', () => {
    expect(standing('HOOK-01')).toBe('failing')
  })

  test('is failing when its passing test is in a file that fails elsewhere', () => {
    const outcome = { name: 'a [FEED-01]', hasPassed: true, hasFailed: false }
    const [first] = assess(all, select(all, { areas: ['FEED'], since: null }), [
      { ...outcome, isFilePassing: false },
    ]).standings
    expect(first?.standing).toBe('failing')
  })

  test('is missing when only a skipped test names it', () => {
    expect(standing('HOOK-02')).toBe('missing')
  })

  test('is missing when no test names it', () => {
    expect(standing('CLIENT-11')).toBe('missing')
  })
})

test('one test may name several rules, in one bracket or in several', () => {
  expect(ruleIds('a drained event is gone [FEED-01, FEED-02] at once [HOOK-03]')).toEqual([
    'FEED-01',
    'FEED-02',
    'HOOK-03',
  ])
})

test('a name without an id names no rule', () => {
  expect(ruleIds('accepts a list [1] and a name [feed] in lower case')).toEqual([])
})

test('an unknown id is reported with the test that names it', () => {
  expect(assess(all, all, results.outcomes).unknown).toEqual([
    { id: 'FEED-99', test: 'feed names a rule by mistake [FEED-99]' },
  ])
})

test('areas and capabilities limit what is looked at', () => {
  expect(select(all, { areas: ['HOOK'], since: null }).map(({ id }) => id)).toEqual(['HOOK-01', 'HOOK-02'])
  expect(select(all, { areas: null, since: 'access' }).map(({ id }) => id)).toEqual(['CLIENT-11'])
  expect(select(all, { areas: null, since: 'delivery' })).toHaveLength(5)
})

test('an area that does not exist is refused', () => {
  expect(() => select(all, { areas: ['FEEDS'], since: null })).toThrow('FEEDS')
})

test('the report ends with the count and lists what is not shown', () => {
  const lines = formatReport(assess(all, select(all, everything), results.outcomes), false)
  expect(lines.at(-1)).toBe('conformance: 1 of 5 shown')
  expect(lines).toContain('FEED         1 of   2')
  expect(lines.join('\n')).toMatch(/named by a failing test, or in a failing file:\n {2}FEED-02[^\n]*\n {2}HOOK-01/)
})

test('a file that broke before its tests counts as one failure', () => {
  expect(countTests(results)).toEqual({ passed: 3, failed: 3 })
})

test('two rules of one id and an unknown capability are refused', () => {
  const heading = 'id\tdoc\tsection\tarea\trequirement\tsince\n'
  const line = 'FEED-01\t1\t6\tFEED\tDrained is gone.\tdelivery\n'
  expect(() => parseRequirements(heading + line + line)).toThrow('two rules called FEED-01')
  expect(() => parseRequirements(heading + line.replace('delivery', 'later'))).toThrow('known capability')
})

test('the project’s own table can be read', () => {
  const file = join(import.meta.dirname, '../../../docs/requirements.tsv')
  expect(parseRequirements(readFileSync(file, 'utf8')).length).toBeGreaterThan(700)
})
