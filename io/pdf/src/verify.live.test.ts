import { plainPdf } from '@sealpost/pdf-format/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPdf } from './index.ts'
import { makePki } from './testing/index.ts'
import { derOf, keySigner, sealRequest, verify } from './testing/open-sealer.ts'

const pki = await makePki()
const request = sealRequest()
const root = derOf(pki, 'root.pem')
const pdf = openPdf({ signer: keySigner(pki, 'seal-rsa') })
afterAll(() => pdf.close())
let file: Buffer

beforeAll(async () => {
  const outcome = await pdf.seal(plainPdf(), request)
  if (!outcome.ok) throw new Error(outcome.refusal)
  file = Buffer.from(outcome.value.bytes)
})

const trust = { certificates: [root] }

/** The file with other bytes at a place. */
function changed(at: number, text: string): Buffer {
  const copy = Buffer.from(file)
  copy.write(text, at, 'latin1')
  return copy
}

test('a sealed file says who sealed it, when, who signed what, and which bytes', async () => {
  expect(await verify(file, trust)).toMatchObject({
    isIntact: true,
    coversWholeFile: true,
    bytesAfterSeal: 0,
    isTrusted: true,
    sealedBy: { name: 'Test seal', organization: 'Sealpost test' },
    sealedAt: request.sealedAt,
    timestamp: null,
    isSignedContent: true,
    record: { document_id: 'doc_7', acts: request.acts },
  })
})

describe('trust', () => {
  test('of the certificate of the seal itself is enough', async () => {
    expect(await verify(file, { certificates: [derOf(pki, 'seal-rsa.pem')] })).toMatchObject({ isTrusted: true })
  })

  test('of others is none', async () => {
    expect(await verify(file, { certificates: [derOf(pki, 'stranger.pem')] })).toMatchObject({
      isIntact: true,
      isTrusted: false,
    })
    expect(await verify(file, { certificates: [] })).toMatchObject({ isTrusted: false })
  })
})

describe('a change is found', () => {
  test('in the signed bytes', async () => {
    const report = await verify(changed(file.indexOf('Agreement'), 'Agrement!'), trust)
    expect(report).toMatchObject({ isIntact: false, isSignedContent: false })
  })

  test('in the record, so that no act can be added', async () => {
    expect(await verify(changed(file.indexOf('"Mara"'), '"Lara"'), trust)).toMatchObject({ isIntact: false })
  })

  test('behind the seal: an update that changes a page, or a comment', async () => {
    for (const more of ['% comment\n', '4 0 obj\n<</Length 0>>\nstream\n\nendstream\nendobj\n'])
      expect(await verify(Buffer.concat([file, Buffer.from(more)]), trust)).toMatchObject({
        isIntact: false,
        coversWholeFile: false,
        bytesAfterSeal: more.length,
      })
  })

  test('at the end: a file that is cut off', async () => {
    expect(await verify(file.subarray(0, -7), trust)).toMatchObject({ isIntact: false, coversWholeFile: false })
  })

  test('in the zeros after the signature', async () => {
    const end = file.lastIndexOf('0>>>')
    expect(await verify(changed(end, '1'), trust)).toBe('malformed_seal')
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((tenth) => Math.floor(((tenth - 0.5) * 100) / 10)))(
    'in one bit at %i percent of the file',
    async (percent) => {
      const copy = Buffer.from(file)
      const at = Math.floor((copy.length * percent) / 100)
      copy[at] = (copy[at] ?? 0) ^ 1
      const report = await verify(copy, trust)
      expect(typeof report === 'string' || !report.isIntact).toBe(true)
    },
  )

  test('in the span of the signed bytes', async () => {
    const at = file.lastIndexOf('/SealpostSpans[') + '/SealpostSpans['.length
    const shorter = String(Number(file.toString('latin1', at, at + 10)) - 1).padStart(10, '0')
    expect(await verify(changed(at, shorter), trust)).toMatchObject({ isIntact: false, isSignedContent: false })
  })
})

test('a file without a seal, and one whose seal is an invention', async () => {
  expect(await verify(plainPdf(), trust)).toBe('no_seal')
  const invented = file.subarray(file.lastIndexOf('/SealpostSpans[') - 20)
  expect(['no_seal', 'malformed_seal']).toContain(await verify(invented, trust))
})
