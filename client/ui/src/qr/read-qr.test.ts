import { describe, expect, test } from 'vitest'
import { readQr } from './read-qr.ts'
import { drawQr, type Sight } from './testing/draw-qr.ts'

const TEXTS = [
  'NRTHWD/INTAKE',
  'https://my.example.com/connect/NRTHWD/INTAKE',
  'https://accounts.example.com/oauth2/authorize?client_id=0198c0de&response_mode=detached&state=Grüße',
]

const sights: Readonly<Record<string, Sight>> = {
  'straight on': {},
  'with small modules': { module: 2.7 },
  turned: { degrees: 17 },
  'upside down': { degrees: 180 },
  'on its corner': { degrees: 45, module: 5 },
  tilted: { tilt: 0.15, degrees: 5, module: 6 },
  'with a shadow': { lightAtRight: 0.35 },
  'with noise': { noise: 60, module: 5 },
  'in a mirror': { isMirrored: true },
  'turned, tilted, with a shadow and noise': { degrees: -12, tilt: 0.15, lightAtRight: 0.6, noise: 25, module: 6 },
}

describe.each(Object.entries(sights))('%s,', (_, sight) => {
  test.each(TEXTS)('a picture of a code is read: %s', (text) => {
    expect(readQr(drawQr(text, sight))).toBe(text)
  })
})

test('a picture without a code is null', () => {
  expect(readQr({ width: 40, height: 30, data: new Uint8ClampedArray(40 * 30 * 4).fill(255) })).toBeNull()
  expect(readQr({ width: 3, height: 2, data: new Uint8ClampedArray(3 * 2 * 4) })).toBeNull()
})

test('a code that is damaged beyond its check bytes is null, and never guessed', () => {
  const picture = drawQr('https://my.example.com/connect/NRTHWD/INTAKE', { module: 6 })
  const { width, data } = picture
  const third = Math.floor(width / 3)
  for (let y = third; y < 2 * third; y += 1) data.fill(128, (y * width + third) * 4, (y * width + 2 * third) * 4)
  expect(readQr(picture)).toBeNull()
})
