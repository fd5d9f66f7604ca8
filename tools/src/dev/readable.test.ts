import { expect, test } from 'vitest'
import { readable } from './readable.ts'

const err = {
  type: 'ApiError',
  message: 'The other region did not answer',
  stack: '    at refuse (a.ts:1)\n    at ask (b.ts:2)',
}
const line = (entry: object): string => JSON.stringify({ time: 1, service: 'region', ...entry })

test('a warning is one line, with what went wrong and without a trace', () => {
  const told = readable(line({ level: 'warn', msg: 'keys could not be read', peer: 'us', err }))
  expect(told).toEqual(['WARN keys could not be read peer=us (The other region did not answer type=ApiError)'])
})

test('an error shows where it came from, a line for each step', () => {
  const told = readable(line({ level: 'error', msg: 'failed', err }))
  expect(told).toEqual([
    'ERROR failed (The other region did not answer type=ApiError)',
    'at refuse (a.ts:1)',
    'at ask (b.ts:2)',
  ])
})

test('what is no entry of the log is shown as it came', () => {
  expect(readable(line({ level: 'info', msg: 'is listening', url: 'http://x' }))).toEqual(['is listening url=http://x'])
  for (const other of ['Restarting', '{"a":1}', '3', '']) expect(readable(other)).toEqual([other])
  expect(readable(line({ level: 'warn', msg: 'odd', err: 'a text' }))).toEqual(['WARN odd a text'])
})
