import { readFileSync } from 'node:fs'
import { passes } from '@sealpost/testkit/vector-expectation'
import { textCases } from '@sealpost/testkit/vectors/text'
import { test } from 'vitest'

const file = new URL('../../../vectors/text.json', import.meta.url)

test.each(textCases(JSON.parse(readFileSync(file, 'utf8'))))('$name', passes)
