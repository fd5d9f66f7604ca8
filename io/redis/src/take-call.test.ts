import { expect, test } from 'vitest'
import { callsFor } from './take-call.ts'

const request = (key: string, quota = 60) => ({ policy: 'data', key, quota, windowSeconds: 60 })

test('requests of a few paces go into one call, in their order', () => {
  const [call, ...others] = callsFor([[request('a'), request('b', 120)], [request('c')]])
  expect(others).toEqual([])
  expect(call?.keys).toEqual(['rate:data:a', 'rate:data:b', 'rate:data:c'])
  expect(call?.args[0]).toHaveLength(3)
})

test('requests of more paces than a call can name go into several, none of them split', () => {
  const asked = Array.from({ length: 20 }, (_, n) => [request(`a${n}`, 2 * n + 1), request(`b${n}`, 2 * n + 2)])
  const calls = callsFor(asked)
  expect(calls.map(({ keys }) => keys.length)).toEqual([16, 16, 8])
  expect(calls.flatMap(({ keys }) => keys)).toEqual(asked.flat().map(({ key }) => `rate:data:${key}`))
})
