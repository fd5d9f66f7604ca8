import { arbitraryAnswers, arbitraryScalar, brokenLanguage } from '@sealpost/testkit/arbitrary/expression'
import { propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundRefuses,
  computeConstants,
  convertInput,
  evaluateCondition,
  evaluateExpression,
  expandPluginAnswers,
  formatValue,
  inferType,
  isPrivateKey,
  keysReadBy,
  nextDraft,
  parseCondition,
  parseConstants,
  parseExpression,
  printCondition,
  printExpression,
} from './index.ts'
import { VALUE_TYPES } from './syntax.ts'

const { expression, condition } = brokenLanguage()
const broken = fc.oneof(expression, condition)

describe('for any input', { timeout: 1_200_000 }, () => {
  test('no evaluator throws, and conditions are true or false', () => {
    fc.assert(
      fc.property(broken, arbitraryAnswers, (tree, answers) => {
        evaluateExpression(tree, answers, '2026-07-01')
        expect(typeof evaluateCondition(tree, answers)).toBe('boolean')
        const constants = [tree, { key: 'a', expr: tree }, { key: 'b', expr: tree }]
        computeConstants(constants, answers, '2026-07-01', ['a', 'c'])
        expect(keysReadBy(tree).every((read) => typeof read === 'string')).toBe(true)
        const none = new Set<string>()
        const drafts = new Map([['b', tree]])
        const view = { constants: new Map([['a', tree]]), drafts, privateDrafts: none, ownSlugs: none }
        isPrivateKey('a', { ...view, privateSlugs: new Set(['c']) })
      }),
      propertySettings,
    )
  })

  test('no parser throws, and accepted input can be printed and typed', () => {
    const run = (): void =>
      fc.assert(
        fc.property(broken, (tree) => {
          const parsed = parseExpression(tree)
          if (parsed.ok) {
            printExpression(parsed.value)
            inferType(parsed.value, () => 'composite')
          }
          const parsedCondition = parseCondition(tree)
          if (parsedCondition.ok) printCondition(parsedCondition.value)
          parseConstants([tree, { key: 'a', result_type: 'text', expr: tree, shown_on: tree }], new Set())
        }),
        propertySettings,
      )
    expect(run).not.toThrow()
  })

  test('no rule about a value throws', () => {
    const value = fc.oneof(arbitraryScalar, broken)
    fc.assert(
      fc.property(value, value, fc.constantFrom(...VALUE_TYPES), (a, b, type) => {
        boundRefuses('min', a, b)
        convertInput(type, b)
        expect(typeof formatValue(b)).toBe('string')
        for (const kind of ['text', 'number', 'decimal', 'date'] as const) {
          nextDraft({ value: '', written: null, isLinked: false }, b, kind)
        }
      }),
      propertySettings,
    )
  })

  test('no plugin answer throws', () => {
    const part = fc.record({ key: fc.string(), id: arbitraryScalar, value: fc.oneof(arbitraryScalar, fc.jsonValue()) })
    const parts = fc.oneof(fc.array(part, { maxLength: 3 }), fc.jsonValue())
    const layout = fc
      .record({ blocks: parts, outputs: parts }, { requiredKeys: [] })
      .map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(fc.oneof(layout, fc.json(), fc.string(), broken), (value) => {
        const expanded = expandPluginAnswers(new Map([['p', value]]), ['p', 'q'])
        expect([...expanded.keys()].every((name) => name === 'p' || name.startsWith('p.'))).toBe(true)
      }),
      propertySettings,
    )
  })
})
