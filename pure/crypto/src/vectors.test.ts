import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { passes } from '@sealpost/testkit/vector-expectation'
import { cryptoCases, decryptionCases } from '@sealpost/testkit/vectors/crypto'
import { webhookSignatureCases } from '@sealpost/testkit/vectors/webhook-signatures'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const agreed = join(root, '../shared/vectors/decryption.json')

describe('vectors/crypto.json', () => {
  const cases = cryptoCases(read(join(root, 'vectors/crypto.json')))
  test('holds at least forty cases, each under its own name', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })
  for (const found of cases) test(found.name, () => passes(found))
})

describe('vectors/webhook-signatures.json', () => {
  for (const found of webhookSignatureCases(read(join(root, 'vectors/webhook-signatures.json'))))
    test(found.name, () => passes(found))
})

describe.runIf(existsSync(agreed))('the agreed decryption vectors', () => {
  for (const found of existsSync(agreed) ? decryptionCases(read(agreed)) : []) test(found.name, () => passes(found))
})

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
