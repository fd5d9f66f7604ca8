import { parseUuid } from '@sealpost/kernel'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { isAnswerFile, newHandle } from './file-handles.ts'

const context = { ids: fixedIds(fixedClock()) }

test.each(['rf', 'af', 'gi'] as const)('a handle is %s_ and a UUIDv7', (kind) => {
  const handle = newHandle(context, kind)
  expect(handle.slice(0, 3)).toBe(`${kind}_`)
  expect(parseUuid(handle.slice(3))).not.toBeNull()
})

const UUID = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'

test.each([
  [`af_${UUID}`, true],
  [`rf_${UUID}`, false],
  [`gi_${UUID}`, false],
  [UUID, false],
  [`xaf_${UUID}`, false],
  [`af_${UUID}0`, false],
  [`af_${UUID.toUpperCase()}`, false],
  [`af_${UUID.replaceAll('-', '')}`, false],
  ['af_', false],
])('%s is the handle of a file answer: %s', (text, is) => {
  expect(isAnswerFile(text)).toBe(is)
})
