import { readFileSync } from 'node:fs'
import { passes } from '@sealpost/testkit/vector-expectation'
import { flowRoutingCases, publishCases } from '@sealpost/testkit/vectors/flow'
import { describe, test } from 'vitest'

describe('publish.json', () => {
  for (const one of publishCases(vectors('publish.json'))) test(one.name, () => passes(one))
})

describe('flow-routing.json', () => {
  for (const one of flowRoutingCases(vectors('flow-routing.json'))) test(one.name, () => passes(one))
})

function vectors(file: string) {
  return JSON.parse(readFileSync(new URL(`../../../vectors/${file}`, import.meta.url), 'utf8'))
}
