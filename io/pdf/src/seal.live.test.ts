import { createHash } from 'node:crypto'
import { findSeal, inspectPdf } from '@sealpost/pdf-format'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { openPdf, type Sealed } from './index.ts'
import { corpusFiles, makePki, signersOfManyScripts } from './testing/index.ts'
import { derOf, keySigner, sealRequest, verify } from './testing/open-sealer.ts'
import { openFolder, runTool } from './testing/tools.ts'

const pki = await makePki()
const request = sealRequest()
const folder = openFolder()
const trust = { certificates: [derOf(pki, 'root.pem')] }
const pdf = openPdf({ signer: keySigner(pki, 'seal-ec') })
afterAll(() => pdf.close())

async function sealed(file: Uint8Array, by = pdf, wanted = request): Promise<Sealed> {
  const outcome = await by.seal(file, wanted)
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What the programs of others say about a sealed file. */
async function checkByOthers(name: string, bytes: Uint8Array): Promise<void> {
  const path = folder.write(name, bytes)
  const [syntax, signature] = [await runTool('qpdf', '--check', path), await runTool('pdfsig', path)]
  expect(syntax).toMatchObject({
    code: 0,
    output: expect.stringContaining('No syntax or stream encoding errors'),
  })
  expect(signature.output).toContain('Signature is Valid')
  expect(signature.output).toContain('Total document signed')
  expect(signature.output).toContain('ETSI.CAdES.detached')
}

describe.each(corpusFiles())('$name', ({ name, bytes }) => {
  test('is sealed; its bytes are the beginning of the result, and others find the seal valid', async () => {
    const { bytes: result, signedSha256, sha256: own } = await sealed(bytes)
    expect(Buffer.from(result.subarray(0, bytes.length)).equals(bytes)).toBe(true)
    expect([signedSha256, own]).toEqual([sha256(bytes), sha256(result)])
    await checkByOthers(name, result)
    const report = await verify(result, trust)
    expect(report).toMatchObject({ isIntact: true, isTrusted: true, isSignedContent: true, signedSha256 })
    const count = async (path: string) => /Pages: +(\d+)/.exec((await runTool('pdfinfo', path)).output)?.[1]
    const before = await count(folder.write(`before-${name}`, bytes))
    expect(Number(await count(folder.write(name, result)))).toBe(Number(before) + 1)
  })
})

describe('the seal', () => {
  test.each(['seal-ec', 'seal-rsa'] as const)('of %s is CAdES for OpenSSL', async (key) => {
    const own = openPdf({ signer: keySigner(pki, key) })
    const { bytes } = await sealed(plainPdf(), own)
    await own.close()
    const { contentsStart, contentsEnd, end } = findSeal(bytes) ?? { contentsStart: 0, contentsEnd: 0, end: 0 }
    const content = Buffer.concat([bytes.subarray(0, contentsStart - 1), bytes.subarray(contentsEnd + 1, end)])
    const hex = Buffer.from(bytes.subarray(contentsStart, contentsEnd)).toString('latin1')
    const files = [
      '-in',
      folder.write(`${key}.p7s`, Buffer.from(hex, 'hex')),
      '-content',
      folder.write(`${key}.bin`, content),
    ]
    const how = [
      '-inform',
      'DER',
      '-binary',
      '-cades',
      '-purpose',
      'any',
      '-CAfile',
      pki.path('root.pem'),
      '-out',
      '/dev/null',
    ]
    const checked = await runTool('openssl', 'cms', '-verify', ...how, ...files)
    expect(checked.output).toContain('CAdES Verification successful')
    const printed = await runTool(
      'openssl',
      'cms',
      '-cmsout',
      '-print',
      '-noout',
      '-inform',
      'DER',
      ...files.slice(0, 2),
    )
    expect(printed.output).toContain('id-smime-aa-signingCertificateV2')
    expect(printed.output).not.toContain('signingTime')
  })

  test('certifies the file: no change is allowed', async () => {
    const { bytes } = await sealed(plainPdf())
    const text = Buffer.from(bytes).toString('latin1')
    expect(text).toMatch(/\/Perms <<\/DocMDP \d+ 0 R>>/)
    expect(text).toContain('/TransformParams <</Type /TransformParams /P 1 /V /1.2>>')
  })

  test('is made once: a sealed file is refused', async () => {
    const { bytes } = await sealed(plainPdf())
    expect(inspectPdf(bytes)).toEqual({ ok: false, refusal: 'signed' })
    expect(await pdf.seal(bytes, request)).toEqual({ ok: false, refusal: 'signed' })
  })

  test('of another key than that of the certificate is not handed out', async () => {
    const other = keySigner(pki, 'seal-rsa')
    const wrong = { ...keySigner(pki, 'seal-ec'), sign: (content: Uint8Array<ArrayBuffer>) => other.sign(content) }
    const own = openPdf({ signer: wrong })
    await expect(own.seal(plainPdf(), request)).rejects.toMatchObject({ name: 'SealError', fault: 'signer' })
    await own.close()
  })
})

describe('the Signatures page', () => {
  test('shows names of many scripts, the document and its hash, and can be searched', async () => {
    const acts = signersOfManyScripts()
    const { bytes, signedSha256 } = await sealed(plainPdf(), pdf, { ...request, acts })
    const { output } = await runTool('pdftotext', '-layout', folder.write('scripts.pdf', bytes), '-')
    const plain = output.replaceAll(/[\u{202a}-\u{202e}\u{200e}\u{200f}]/gu, '').replaceAll(/\s+/g, ' ')
    for (const { signer_first_name: first, signer_last_name: last } of acts)
      // Marks of Indic vowels are drawn apart, so that some readers insert a space.
      for (const name of [first, ...last.split(' ')]) expect(plain.replaceAll(' ', '')).toContain(name)
    expect(plain).toContain(signedSha256)
    expect(plain).toContain('Vertrag über 契約書')
    expect(plain).toContain('2026-05-01 09:10:00 UTC')
  })

  test('embeds all of its fonts', async () => {
    const { bytes } = await sealed(plainPdf(), pdf, { ...request, acts: signersOfManyScripts() })
    const { output } = await runTool('pdffonts', folder.write('fonts.pdf', bytes))
    const rows = output.split('\n').filter((row) => row.includes('noto-sans') || row.includes('vazirmatn'))
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) expect(row).toMatch(/CID TrueType +Identity-H +yes yes yes/)
  })

  test('goes on to a second page, and shows a sign for what no font has', async () => {
    const acts = Array.from({ length: 20 }, (_, index) => ({
      ...signersOfManyScripts()[0],
      signer_first_name: index === 0 ? '\u{1f600}\u{13000}' : `Signer${index}`,
      position: index + 1,
    }))
    const { bytes } = await sealed(plainPdf(), pdf, { ...request, acts: acts as never })
    const { output } = await runTool('pdftotext', folder.write('many.pdf', bytes), '-')
    expect(output).toContain('Signer19')
    expect(output).toContain('\u{fffd}')
    await checkByOthers('many-2.pdf', bytes)
  })
})
