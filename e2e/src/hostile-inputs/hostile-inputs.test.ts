import { openDice } from '@sealpost/testkit/dice'
import { describe, expect, test } from 'vitest'
import type { Answer, Outgoing } from '../matrix/send.ts'
import { needle } from '../secrets/needles.ts'
import { valueOf } from './grammar.ts'
import { judge } from './judge.ts'
import { mutate } from './mutate.ts'
import { hostileRoutes } from './routes.ts'

const outgoing: Outgoing = { method: 'POST', url: 'http://eu/api/services/a%2Db', headers: {}, body: '{"id":"own"}' }
const forbidden = { secrets: [needle('the pepper', 'the-pepper')], foreignIds: ['foreign-id', 'a-b'] }

function judged(answer: Partial<Answer>, tookMs = 5): string | null {
  return judge({ outgoing, answer: { status: 200, headers: [], text: '{}', ...answer }, tookMs }, forbidden)
}

describe('an answer is a finding', () => {
  test.each<[string, Partial<Answer>]>([
    ['a 500', { status: 500 }],
    ['a 503 without Retry-After', { status: 503 }],
    ['a secret in the body', { text: '{"error":"the-pepper"}' }],
    ['a secret in a header', { headers: [['x-debug', 'the-pepper']] }],
    ['an id of another tenant', { text: '{"service_id":"foreign-id"}' }],
    ['a stack', { text: 'Error\n    at run (main)' }],
    ['an error of the database', { text: 'syntax error at or near "x"' }],
  ])('%s', (_, answer) => {
    expect(judged(answer)).not.toBeNull()
  })

  test('when it takes more than ten seconds', () => {
    expect(judged({}, 10_001)).toContain('10001 ms')
  })
})

test.each<[string, Partial<Answer>]>([
  ['a refusal', { status: 400, text: '{"error":"…"}' }],
  ['a 503 that says when to come back', { status: 503, headers: [['retry-after', '1']] }],
  ['an id that the request contains', { text: '{"id":"a-b"}' }],
])('an answer is no finding: %s', (_, answer) => {
  expect(judged(answer)).toBeNull()
})

test('the same seed makes the same inputs, and another seed makes others', () => {
  const routes = hostileRoutes().filter(({ body }) => body !== null)
  const made = (seed: number) =>
    routes.map(({ body, definitions }, at) => {
      const dice = openDice(seed + at)
      return mutate(dice, valueOf(dice, body ?? {}, definitions), ['foreign-id'])
    })
  expect(made(1)).toEqual(made(1))
  expect(made(1)).not.toEqual(made(2))
})

test('every documented route has a grammar: a body where one is documented', () => {
  const routes = hostileRoutes()
  expect(routes.length).toBeGreaterThan(60)
  expect(routes.filter(({ route, body }) => route.hasBody !== (body !== null)).map(({ route }) => route.id)).toEqual([])
})
