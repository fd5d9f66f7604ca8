import { propertyRuns } from '@sealpost/testkit/property-runs'
import { expect, test } from 'vitest'
import { Counts } from '../flows/counts.ts'
import { checkCase } from './check-case.ts'

const COUNT = Math.ceil(propertyRuns() / 3)

test('a plugin is sent no value that is private or computed from a private one, in any random flow [SDK-27]', () => {
  const counts = new Counts()
  for (let seed = 0; seed < COUNT; seed += 1) checkCase(seed, counts)
  expect(counts.get('cases')).toBe(COUNT)
  const sources = [
    'own answer',
    'answer of the other party',
    'answer of this step',
    'default of this step',
    'constant',
  ].flatMap((source) => [`${source} sent`, `${source} withheld`])
  const unlisted = [
    'own answer sent',
    'answer of the other party withheld',
    'constant withheld',
    'default of this step withheld',
  ]
  for (const kind of [...sources, ...unlisted.map((each) => `${each} without the list`), 'unanswerable'])
    expect([kind, counts.get(kind)]).toEqual([kind, expect.toSatisfy((times: number) => times > 0)])
  expect(counts.get('answer of the other party sent without the list')).toBe(0)
})
