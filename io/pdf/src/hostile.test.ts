import { inspectPdf, PDF_REFUSALS } from '@sealpost/pdf-format'
import { scaled } from '@sealpost/testkit/slowness'
import { afterAll, describe, expect, test } from 'vitest'
import { openPdf } from './index.ts'
import { hostileFiles } from './testing/hostile/index.ts'

const files = hostileFiles()

describe.each(files)('$name', ({ bytes, refusal }) => {
  test(`is refused as ${refusal}, in time`, () => {
    const start = performance.now()
    expect(inspectPdf(bytes)).toEqual({ ok: false, refusal })
    expect(performance.now() - start).toBeLessThan(scaled(5_000))
  })
})

test('every refusal has a file', () => {
  expect(new Set(files.map(({ refusal }) => refusal))).toEqual(new Set(Object.keys(PDF_REFUSALS)))
})

describe('in a process of its own', () => {
  const pdf = openPdf()
  afterAll(() => pdf.close())

  test.each(['a bomb in a bomb', 'a script that runs when opened'])('%s gets the same refusal', async (name) => {
    const file = files.find((one) => one.name === name)
    expect(await pdf.inspect('ana', file?.bytes ?? new Uint8Array())).toEqual({ ok: false, refusal: file?.refusal })
  })
})
