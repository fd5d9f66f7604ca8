import encodeQr from 'qr'
import { expect, test } from 'vitest'
import { pathOf } from './draw-code.tsx'
import { readQr } from './read-qr.ts'

const LINK = `https://my.example.com/connect/NRTHWD/INTAKE#k=${'0123456789abcdef'.repeat(4)}`

test('a link with the fingerprint of a key is drawn so that it can be read again', () => {
  const modules = encodeQr(LINK, 'raw', { border: 4 })
  const scale = 4
  const side = modules.length * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y, width] of pathOf(modules).matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column += 1)
        data.set([0, 0, 0, 255], (row * side + column) * 4)
  expect(readQr({ width: side, height: side, data })).toBe(LINK)
})
