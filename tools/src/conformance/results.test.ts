import { expect, test } from 'vitest'
import { failedFiles, replaceResults } from './results.ts'

const file = (name: string, status: string, tests: readonly string[]) => ({
  name,
  status,
  assertionResults: tests.map((fullName) => ({ fullName, status })),
})
const first = JSON.stringify({ success: false, testResults: [file('a', 'passed', ['x']), file('b', 'failed', ['y'])] })

test('the files of a second run take the place of the failed ones', () => {
  expect(failedFiles(first)).toEqual(['b'])
  const merged = replaceResults(first, JSON.stringify({ testResults: [file('b', 'passed', ['y'])] }))
  expect(failedFiles(merged)).toEqual([])
  expect(JSON.parse(merged)).toMatchObject({ testResults: [{ name: 'a' }, { name: 'b', status: 'passed' }] })
})

test('a file that fails again stays failed', () => {
  expect(failedFiles(replaceResults(first, first))).toEqual(['b'])
})

test('another JSON file is refused', () => {
  expect(() => failedFiles('{}')).toThrow('JSON reporter')
  expect(() => failedFiles('{"testResults":[{}]}')).toThrow('JSON reporter')
})
