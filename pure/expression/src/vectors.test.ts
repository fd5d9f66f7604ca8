import { existsSync, readFileSync } from 'node:fs'
import { passes } from '@sealpost/testkit/vector-expectation'
import {
  conditionCases,
  expressionCases,
  plainConditionCases,
  plainConstantCases,
} from '@sealpost/testkit/vectors/expression'
import { describe, test } from 'vitest'

const suites = [
  { path: 'vectors/expressions.json', cases: expressionCases },
  { path: 'vectors/conditions.json', cases: conditionCases },
  { path: '../shared/vectors/flow-conditions.json', cases: plainConditionCases },
  { path: '../shared/vectors/flow-constants.json', cases: plainConstantCases },
].map((suite) => ({ ...suite, url: new URL(`../../../${suite.path}`, import.meta.url) }))

describe.each(suites.filter(({ url }) => existsSync(url)))('$path', ({ url, cases }) => {
  test.each(cases(JSON.parse(readFileSync(url, 'utf8'))))('$name', passes)
})
