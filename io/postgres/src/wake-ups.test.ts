import { expect, test } from 'vitest'
import { openWakeUps, WAKE_LASTS_MS } from './wake-ups.ts'

/** Wake-ups on a clock of their own, and what other processes were told. */
function openCounted(tell: () => Promise<void> = async () => {}) {
  const at = { ms: 0 }
  const told: string[] = []
  const wakeUps = openWakeUps(
    async (channel) => {
      told.push(channel)
      await tell()
    },
    () => at.ms,
  )
  return { wakeUps, at, told }
}

test('the own process is woken at each commit, others at most once a second and channel', () => {
  const { wakeUps, at, told } = openCounted()
  let woken = 0
  wakeUps.listen('one', () => {
    woken += 1
  })
  for (const ms of [0, 10, 999]) {
    at.ms = ms
    wakeUps.send('one')
  }
  wakeUps.send('two')
  expect([woken, told]).toEqual([3, ['one', 'two']])
  at.ms = 1000
  wakeUps.send('one')
  expect(told).toEqual(['one', 'two', 'one'])
})

test('others are told again before a woken loop looks seldom', () => {
  const { wakeUps, at, told } = openCounted()
  wakeUps.send('one')
  at.ms = WAKE_LASTS_MS / 2
  wakeUps.send('one')
  expect(told).toHaveLength(2)
})

test('after a failure others are told at the next commit', async () => {
  const { wakeUps, told } = openCounted(() => Promise.reject(new Error('no connection')))
  wakeUps.send('one')
  await new Promise(setImmediate)
  wakeUps.send('one')
  expect(told).toEqual(['one', 'one'])
})
