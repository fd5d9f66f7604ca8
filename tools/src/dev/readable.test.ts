import { expect, test } from 'vitest'
import { readable } from './readable.ts'

const err = {
  type: 'ApiError',
  message: 'The other region did not answer',
  stack: '    at refuse (a.ts:1)\n    at ask (b.ts:2)',
}
const line = (entry: object): string => JSON.stringify({ time: 1, service: 'region', ...entry })

test('a warning is one line with its cause and without a stack trace', () => {
  const lines = readable(line({ level: 'warn', msg: 'keys could not be read', peer: 'us', err }))
  expect(lines).toEqual(['WARN keys could not be read peer=us (The other region did not answer type=ApiError)'])
})

test('an error is followed by its stack trace, one line per frame', () => {
  const lines = readable(line({ level: 'error', msg: 'failed', err }))
  expect(lines).toEqual([
    'ERROR failed (The other region did not answer type=ApiError)',
    'at refuse (a.ts:1)',
    'at ask (b.ts:2)',
  ])
})

test('a line that is not a log entry is printed unchanged', () => {
  expect(readable(line({ level: 'info', msg: 'is listening', url: 'http://x' }))).toEqual(['is listening url=http://x'])
  for (const other of ['Restarting', '{"a":1}', '3', '']) expect(readable(other)).toEqual([other])
  expect(readable(line({ level: 'warn', msg: 'odd', err: 'a text' }))).toEqual(['WARN odd a text'])
})
