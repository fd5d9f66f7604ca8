import {
  arbitraryAnswers,
  arbitraryDay,
  arbitraryKey,
  arbitraryNumber,
  arbitraryScalar,
  validLanguage,
} from '@sealpost/testkit/arbitrary/expression'
import { propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  computeConstants,
  dateText,
  dayNumber,
  evaluateCondition,
  evaluateExpression,
  isPrivateKey,
  numberText,
  parseCondition,
  parseExpression,
  printCondition,
  printExpression,
  roundHalfAway,
  toDate,
} from './index.ts'

const TWENTY_MINUTES = 1_200_000
const MS_PER_DAY = 86_400_000

const { expression, condition } = validLanguage()

describe('the language', { timeout: TWENTY_MINUTES }, () => {
  test('parsing the printed text gives the same expression, with the same meaning as before it was parsed', () => {
    fc.assert(
      fc.property(expression, arbitraryAnswers, (raw, given) => {
        const parsed = parseExpression(raw)
        if (!parsed.ok) return expect(parsed.refusal.reason).toBe('too_deep')
        const printed = printExpression(parsed.value)
        const again = parseExpression(JSON.parse(printed))
        expect(again).toEqual(parsed)
        expect(again.ok && printExpression(again.value)).toBe(printed)
        const meaning = evaluateExpression(raw, given, '2026-07-01')
        expect(evaluateExpression(parsed.value, given, '2026-07-01')).toEqual(meaning)
      }),
      propertySettings,
    )
  })

  test('parsing the printed text gives the same condition, with the same meaning as before it was parsed', () => {
    fc.assert(
      fc.property(condition, arbitraryAnswers, (raw, given) => {
        const parsed = parseCondition(raw)
        if (!parsed.ok) return expect(parsed.refusal.reason).toBe('too_deep')
        const again = parseCondition(JSON.parse(printCondition(parsed.value)))
        expect(again).toEqual(parsed)
        expect(evaluateCondition(parsed.value, given)).toBe(evaluateCondition(raw, given))
      }),
      propertySettings,
    )
  })

  test('groups and negated operators follow logic', () => {
    fc.assert(
      fc.property(
        condition,
        condition,
        arbitraryKey,
        arbitraryScalar,
        arbitraryAnswers,
        (a, b, field, value, given) => {
          const holds = (tree: unknown) => evaluateCondition(tree, given)
          expect(holds({ op: 'and', children: [a, b] })).toBe(holds(a) && holds(b))
          expect(holds({ op: 'or', children: [a, b] })).toBe(holds(a) || holds(b))
          expect(holds({ op: 'not', children: [a, b] })).toBe(!holds(a))
          expect(holds({ field, op: 'empty' })).toBe(!holds({ field, op: 'answered' }))
          expect(holds({ field, op: 'nin', value: [value] })).toBe(!holds({ field, op: 'in', value: [value] }))
          expect(holds({ field, op: 'not_contains', value })).toBe(!holds({ field, op: 'contains', value }))
          const [lt, le, ge, gt] = ['lt', 'le', 'ge', 'gt'].map((op) => holds({ field, op, value }))
          expect({ le, ge }).toEqual(lt || gt ? { le: lt, ge: gt } : { le: ge, ge: le })
        },
      ),
      propertySettings,
    )
  })

  test('evaluating an accepted expression reads each part at most once', () => {
    fc.assert(
      fc.property(expression, (raw) => {
        const parsed = parseExpression(raw)
        if (!parsed.ok) return expect(parsed.refusal.reason).toBe('too_deep')
        let reads = 0
        const counting = { get: () => void (reads += 1) }
        evaluateExpression(parsed.value, counting, '2026-07-01')
        expect(reads).toBeLessThanOrEqual(printExpression(parsed.value).match(/"(key|field)":/g)?.length ?? 0)
      }),
      propertySettings,
    )
  })

  test('the order in which constants are declared does not matter', () => {
    const name = (index: number) => `k${index}`
    const declared = fc.array(expression, { minLength: 1, maxLength: 6 }).map((expressions) =>
      // The nth may read `a`, `b` and every constant before it: so there is no cycle.
      expressions.map((raw, index) => ({
        key: name(index),
        expr: {
          type: 'concat',
          parts: [raw, ...expressions.slice(0, index).map((_, at) => ({ type: 'ref', key: name(at) }))],
        },
      })),
    )
    const shuffled = declared.chain((constants) =>
      fc.tuple(fc.constant(constants), fc.shuffledSubarray(constants, { minLength: constants.length })),
    )
    fc.assert(
      fc.property(shuffled, arbitraryAnswers, ([first, second], given) => {
        const one = computeConstants(first, given, '2026-07-01')
        expect(computeConstants(second, given, '2026-07-01')).toEqual(one)
      }),
      propertySettings,
    )
  })

  test('nesting deeper than 64 levels or more than 2,000 parts are refused, all else is accepted', () => {
    const sizes = fc.record({ levels: fc.integer({ min: 1, max: 70 }), width: fc.integer({ min: 1, max: 40 }) })
    fc.assert(
      fc.property(sizes, ({ levels, width }) => {
        let raw: unknown = { type: 'today' }
        for (let level = 1; level < levels; level += 1) {
          raw = { type: 'concat', parts: [raw, ...Array.from({ length: width - 1 }, () => ({ type: 'today' }))] }
        }
        const nodes = 1 + (levels - 1) * width
        const parsed = parseExpression(raw)
        expect(parsed.ok ? null : parsed.refusal.reason).toBe(levels > 64 || nodes > 2000 ? 'too_deep' : null)
      }),
      propertySettings,
    )
  })

  test('privacy only spreads: a longer list makes nothing public', () => {
    const graph = fc.record({
      constants: fc.dictionary(arbitraryKey, expression),
      drafts: fc.dictionary(arbitraryKey, fc.option(expression)),
    })
    const slugs = fc.uniqueArray(arbitraryKey)
    fc.assert(
      fc.property(graph, slugs, slugs, arbitraryKey, ({ constants, drafts }, some, more, asked) => {
        const view = (list: readonly string[]) => ({
          constants: new Map(Object.entries(constants)),
          drafts: new Map(Object.entries(drafts)),
          privateDrafts: new Set<string>(),
          privateSlugs: new Set(list),
          ownSlugs: new Set<string>(),
        })
        if (isPrivateKey(asked, view(some))) expect(isPrivateKey(asked, view([...some, ...more]))).toBe(true)
        expect(isPrivateKey(asked, view([]))).toBe(false)
      }),
      propertySettings,
    )
  })
})

describe('numbers and dates', { timeout: TWENTY_MINUTES }, () => {
  test('the text of a number is that number again, without an exponent below 1e21', () => {
    fc.assert(
      fc.property(arbitraryNumber, (value) => {
        const text = numberText(value)
        expect(Number(text)).toBe(value === 0 ? 0 : value)
        expect(text.includes('e')).toBe(Math.abs(value) >= 1e21)
      }),
      propertySettings,
    )
  })

  test('cents round as on paper', () => {
    const typed = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 99_999 }), fc.boolean())
    fc.assert(
      fc.property(typed, ([whole, digits, isNegative]) => {
        const fraction = String(digits).padStart(5, '0')
        const sign = isNegative ? -1 : 1
        const cents = whole * 100 + Number(fraction.slice(0, 2)) + (fraction.charAt(2) >= '5' ? 1 : 0)
        const rounded = roundHalfAway(sign * Number(`${whole}.${fraction}`), 2)
        expect(rounded).toBe(cents === 0 ? 0 : (sign * cents) / 100)
        expect(roundHalfAway(rounded, 2)).toBe(rounded)
      }),
      propertySettings,
    )
  })

  test('days are counted as in the calendar', () => {
    const [from, to] = [
      { type: 'ref', key: 'from' },
      { type: 'ref', key: 'to' },
    ]
    fc.assert(
      fc.property(arbitraryDay, arbitraryDay, (start, end) => {
        const answers = new Map([
          ['from', start],
          ['to', end],
        ])
        const days = evaluateExpression({ type: 'datediff', unit: 'days', from, to }, answers, '')
        expect(days).toBe((Date.parse(end) - Date.parse(start)) / MS_PER_DAY)
        const parsed = toDate(start)
        expect(parsed && dateText(parsed)).toBe(start)
        expect(parsed && dayNumber(parsed)).toBe((Date.parse(start) - Date.parse('0001-01-01')) / MS_PER_DAY)
      }),
      propertySettings,
    )
  })
})
