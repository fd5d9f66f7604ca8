import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BUDGETS, EXCEPTIONS, findExpensive, findNeedlessExceptions, kindOf, machineFactor } from './budgets.ts'

const root = join(import.meta.dirname, '../../..')
const files = Array.from({ length: 30 }, (_, place) => `io/a/src/${place}.live.test.ts`)
const costs = (ms: number) => files.map((file) => ({ file, ms }))

test.each([
  ['pure/kernel/src/a.test.ts', 'unit'],
  ['io/bus/src/a.live.test.ts', 'live'],
  ['e2e/src/matrix/a.live.test.ts', 'live'],
  ['e2e/src/person/a.live.test.ts', 'journey'],
] as const)('%s is a %s test', (file, kind) => {
  expect(kindOf(file)).toBe(kind)
})

test('a file that costs clearly more than its kind may is refused, also one without a committed cost', () => {
  const dear = { file: 'io/a/src/new.live.test.ts', ms: BUDGETS.live * 1600 }
  expect(findExpensive([...costs(2000), dear], costs(2000))).toEqual([expect.stringContaining(dear.file)])
  expect(findExpensive([...costs(2000), { ...dear, ms: BUDGETS.live * 1400 }], costs(2000))).toEqual([])
})

test('on a machine that is three times slower, each file may use three times as much', () => {
  const dear = { file: 'io/a/src/new.live.test.ts', ms: BUDGETS.live * 4000 }
  expect(machineFactor(costs(6000), costs(2000))).toBe(3)
  expect(findExpensive([...costs(6000), dear], costs(2000))).toEqual([])
})

test('a faster machine does not tighten the budgets', () => {
  expect(machineFactor(costs(1000), costs(2000))).toBe(1)
})

test('every exception names a file that exists and needs it, with a reason', () => {
  const present = new Set(Object.keys(EXCEPTIONS).filter((file) => existsSync(join(root, file))))
  expect(findNeedlessExceptions(present)).toEqual([])
  for (const { reason } of Object.values(EXCEPTIONS)) expect(reason).not.toBe('')
})
