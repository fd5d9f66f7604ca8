import { expect, test } from 'vitest'
import { inspectPdf } from '../index.ts'
import { hostileContentFiles } from '../testing/index.ts'

test.each(hostileContentFiles())('$name is refused', ({ bytes, refusal }) => {
  expect(inspectPdf(bytes)).toEqual({ ok: false, refusal })
})
