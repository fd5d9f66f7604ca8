import { existsSync, readFileSync } from 'node:fs'
import {
  conditionCases,
  expressionCases,
  plainConditionCases,
  plainConstantCases,
} from '@sealpost/testkit/vectors/expression'
import { describe, test } from 'vitest'

const published = new URL('../../../../shared/vectors/', import.meta.url)

const suites = [
  { file: new URL('../../../vectors/expressions.json', import.meta.url), cases: expressionCases },
  { file: new URL('../../../vectors/conditions.json', import.meta.url), cases: conditionCases },
  { file: new URL('flow-conditions.json', published), cases: plainConditionCases },
  { file: new URL('flow-constants.json', published), cases: plainConstantCases },
]

describe.each(suites.filter(({ file }) => existsSync(file)))('$file.pathname', ({ file, cases }) => {
  test.each(cases(JSON.parse(readFileSync(file, 'utf8'))))('$name', ({ run }) => run())
})
