import { expect, test } from 'vitest'
import { IDLE_LIMIT_MS, watchIdle } from './idle.ts'

function start() {
  let [time, locks] = [1000, 0]
  const idle = watchIdle({ nowMs: () => time, lock: () => (locks += 1) })
  return { idle, pass: (ms: number) => (time += ms), locks: () => locks }
}

test('the portal locks when nothing was done for 15 minutes, once', () => {
  const { idle, pass, locks } = start()
  pass(IDLE_LIMIT_MS - 1)
  idle.look()
  expect(locks()).toBe(0)
  idle.touch()
  pass(IDLE_LIMIT_MS - 1)
  idle.look()
  expect(locks()).toBe(0)
  pass(1)
  idle.look()
  idle.look()
  expect([locks(), IDLE_LIMIT_MS]).toEqual([1, 900_000])
})

test('what is done on a device that has slept past the limit does not keep the portal open', () => {
  const { idle, pass, locks } = start()
  pass(IDLE_LIMIT_MS * 3)
  idle.touch()
  idle.look()
  expect(locks()).toBe(1)
})
