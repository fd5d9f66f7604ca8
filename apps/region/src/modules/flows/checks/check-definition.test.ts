import { buildRegistry, seedRows } from '@sealpost/field-types'
import { checkForPublish, parseDefinition, type PublishFacts } from '@sealpost/flow'
import { quietTelemetry } from '@sealpost/telemetry'
import { expect, test } from 'vitest'
import { largeFlow, oneStep } from '../testing/definitions.ts'
import { openChecks } from './check-definition.ts'

const facts: PublishFacts = {
  types: buildRegistry(seedRows),
  requestFields: new Map([['name', { type: 'text', audience: 'both' }]]),
  plugins: new Map(),
  templates: new Map([['contract', ['town']]]),
}

function parsed(json: object) {
  const definition = parseDefinition(json)
  if (!definition.ok) throw new Error(JSON.stringify(definition.refusal))
  return definition.value
}

test('a thread finds in a large definition what the checks find, and the event loop goes on meanwhile', async () => {
  const definition = parsed({ ...largeFlow(), entry: 'nowhere' })
  const expected = checkForPublish(definition, facts)
  expect(expected).not.toHaveLength(0)
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setTimeout(count, 1)
  }
  setTimeout(count, 1)
  const found = await openChecks(quietTelemetry())('ana', { definition, facts })
  isDone = true
  expect(found).toEqual(expected)
  // The same checks on this thread would leave no turn at all.
  expect(turns).toBeGreaterThan(20)
})

test('definitions of a company are checked one after the other, too many at once are refused, and those of another pass by', async () => {
  const check = openChecks(quietTelemetry(), 4)
  const definition = parsed(largeFlow(40))
  const done: string[] = []
  const checkOne = async (owner: string) => {
    await check(owner, { definition, facts })
    done.push(owner)
  }
  const answers = await Promise.allSettled([...Array.from({ length: 4 }, () => checkOne('greedy')), checkOne('ana')])
  const [, , , fourth, other] = answers.map(({ status }) => status)
  expect([fourth, other]).toEqual(['rejected', 'fulfilled'])
  // In one line for all it would be the last.
  expect(done.indexOf('ana')).toBeLessThan(3)
  expect(await check('greedy', { definition: parsed(oneStep()), facts })).toEqual([])
})
