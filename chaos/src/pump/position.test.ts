import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { markStart, recordHandled } from './handled.ts'
import { openPosition } from './position.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealpost-position-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const idOf = (number: number): string => String(number).padStart(36, '0')
const upTo = (count: number): string[] => Array.from({ length: count }, (_, at) => idOf(at))

test('a consumer is where the last change is that it handled, whatever it passed over or repeated', () => {
  const file = join(folder, 'one.txt')
  const acknowledged = upTo(10)
  const position = openPosition(file, acknowledged, () => 0)
  expect(position.reached()).toBe(0)
  markStart(file)
  recordHandled(file, idOf(0))
  recordHandled(file, idOf(4))
  expect(position.reached()).toBe(5)
  markStart(file)
  expect(position.reached()).toBe(5)
  recordHandled(file, idOf(4))
  expect(position.reached()).toBe(5)
  acknowledged.push(idOf(10))
  recordHandled(file, idOf(10))
  expect(position.reached()).toBe(11)
})

test('a consumer that does not get on for two minutes is waited for no longer; one without work does not stall', () => {
  const file = join(folder, 'two.txt')
  const acknowledged = upTo(3)
  let now = 0
  const position = openPosition(file, acknowledged, () => now)
  markStart(file)
  recordHandled(file, idOf(1))
  expect(position.settled()).toBe(2)
  now = 119_000
  expect(position.settled()).toBe(2)
  now = 121_000
  expect(position.settled()).toBe(3)
  recordHandled(file, idOf(2))
  expect(position.settled()).toBe(3)
  now = 500_000
  expect(position.settled()).toBe(3)
  acknowledged.push(idOf(3))
  expect(position.settled()).toBe(3)
})
