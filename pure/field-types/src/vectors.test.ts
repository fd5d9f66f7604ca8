import { existsSync, readFileSync } from 'node:fs'
import { passes } from '@sealpost/testkit/vector-expectation'
import { fieldTypeCases, plainValueCases, registryCases } from '@sealpost/testkit/vectors/field-types'
import { describe, test } from 'vitest'

const own = new URL('../../../vectors/', import.meta.url)
const published = new URL('../../../../shared/vectors/', import.meta.url)

const suites = [
  { name: 'field-types.json', file: new URL('field-types.json', own), cases: fieldTypeCases },
  { name: 'field-types-registry.json', file: new URL('field-types-registry.json', published), cases: registryCases },
  { name: 'field-validation.json', file: new URL('field-validation.json', published), cases: plainValueCases },
]

describe.each(suites.filter(({ file }) => existsSync(file)))('$name', ({ file, cases }) => {
  test.each(cases(JSON.parse(readFileSync(file, 'utf8'))))('$name', passes)
})
