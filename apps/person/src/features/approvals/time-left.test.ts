import { expect, test } from 'vitest'
import { endOf, showLeft } from './time-left.ts'

const card = { createdAt: '2026-05-01T09:30:00.000Z', expiresAt: '2026-05-01T09:35:00.000Z' }
const created = Date.parse(card.createdAt)

test.each([
  ['in time', created + 60_000, 240_000],
  ['with a clock far ahead', created + 86_400_000, 300_000],
  ['with a clock far behind', created - 86_400_000, 300_000],
])('a card that comes %s', (_, seenMs, leftMs) => {
  expect(endOf(card, seenMs) - seenMs).toBe(leftMs)
})

test.each([
  [300_000, '5:00'],
  [65_000, '1:05'],
  [1, '0:01'],
  [0, '0:00'],
  [-5000, '0:00'],
])('%d ms are shown as %s', (leftMs, text) => {
  expect(showLeft(leftMs)).toBe(text)
})
