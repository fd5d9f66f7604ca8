import { openPlaces } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { takeInTime } from './take-in-time.ts'

const tooLate = (): Error => new Error('too late')

test('a place that is given back twice is free once', async () => {
  const places = openPlaces(1)
  const giveBack = await takeInTime(places, 1_000, tooLate)
  giveBack()
  giveBack()
  await takeInTime(places, 1_000, tooLate)
  expect(places.waiting).toBe(0)
  const turn = places.take()
  expect(places.waiting).toBe(1)
  turn.giveUp()
})

test('a wait that exceeds its limit fails with the error of the caller and leaves the line', async () => {
  const places = openPlaces(1)
  await takeInTime(places, 1, tooLate)
  await expect(takeInTime(places, 1, tooLate)).rejects.toThrow('too late')
  expect(places.waiting).toBe(0)
})
