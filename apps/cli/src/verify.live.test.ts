import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@sealpost/kernel'
import { createKeySigner } from '@sealpost/pdf'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { makePki, makeRevocationList, openTestSealer, sealUnchecked, withoutTimestamp } from '@sealpost/pdf/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { openTerminal } from './testing.ts'

const terminal = openTerminal()
const pki = await makePki()
const sealer = await openTestSealer(pki)
afterAll(() => {
  terminal[Symbol.dispose]()
  return sealer.close()
})
const { request } = sealer
const signer = createKeySigner(pki.read('seal-ec.pem'), new Secret(pki.read('seal-ec.key')))
const CONTRACT = plainPdf(2)
const TRUST = ['--trust', pki.path('root.pem')]
const sealed = Buffer.from(await sealer.seal(CONTRACT))
const stamped = Buffer.from(await sealer.seal(CONTRACT, { isStamped: true }))

const put = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(terminal.folder, name), bytes)
  return name
}

test('a sealed PDF is valid: who sealed it and when, who signed, and the digest of what was signed', async () => {
  const { code, out, logged } = await terminal.run('verify', put('sealed.pdf', sealed), ...TRUST)
  expect({ code, logged }).toEqual({ code: 0, logged: '' })
  expect(out).toMatch(/^valid$/m)
  expect(out).toMatch(/^ {2}intact +yes$/m)
  expect(out).toMatch(/^ {2}covers the whole file +yes$/m)
  expect(out).toMatch(/^ {2}sealed by +Test seal, Sealpost test \(certificate [0-9a-f]{64}\)$/m)
  expect(out).toContain(new Date(request.sealedAt).toISOString())
  expect(out).toMatch(/^ {2}time-stamp +none$/m)
  expect(out).toMatch(/^ {2}revocation +the file carries no revocation data$/m)
  expect(out).toMatch(/^ {2}signed +verified name Mara Müller-Łódź, biometric, 2026-05-01T09:10/m)
  const digest = createHash('sha256').update(CONTRACT).digest('hex')
  expect(out).toMatch(new RegExp(`^ {2}SHA-256 of the signed bytes +${digest}$`, 'm'))
})

test('a time-stamp is named with its authority, which must be trusted, too', async () => {
  const path = put('stamped.pdf', stamped)
  const { code, out } = await terminal.run('verify', path, ...TRUST)
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}time-stamp +20.+Z by Test time, Sealpost test \(certificate [0-9a-f]{64}\)$/m)
  const other = await terminal.run('verify', path, ...TRUST, '--trust-time', pki.path('stranger.pem'))
  expect(other).toMatchObject({ code: 1, logged: expect.stringContaining('The time-stamp does not lead') })
})

test('a revocation list inside the file is named, and what it says', async () => {
  const withList = await sealUnchecked(CONTRACT, request, { signer, lists: [await makeRevocationList(pki)] })
  const path = put('listed.pdf', withList)
  const { code, out } = await terminal.run('verify', path, ...TRUST)
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}warning +The seal is of an older form/m)
  expect(out).toMatch(/^ {2}revocation +good: Test seal \(list of 20.+Z, next due 20.+Z\)$/m)
  const { out: json } = await terminal.run('verify', path, '--json', ...TRUST)
  expect(JSON.parse(json)).toMatchObject({
    isValid: true,
    // Its record is of the older form.
    warnings: ['timestamp_unknown'],
    seal: { revocation: [{ kind: 'crl', of: 'seal', status: 'good', thisUpdate: expect.stringMatching(/^20.+Z$/) }] },
  })
})

test('before anything is sent, a PDF is checked whether it can be sealed, in words', async () => {
  const good = await terminal.run('documents', 'check', put('contract.pdf', CONTRACT))
  expect(good).toMatchObject({ code: 0, out: 'can be signed (2 pages)', logged: '' })
  const bad = await terminal.run('documents', 'check', put('sealed.pdf', sealed))
  expect(bad).toMatchObject({
    code: 1,
    out: 'CANNOT BE SIGNED: signed',
    logged: expect.stringContaining('already has a digital signature'),
  })
  const { code, out } = await terminal.run('documents', 'check', 'sealed.pdf', '--json')
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 1, isSignable: false, refusal: 'signed' })
})

describe('not valid', () => {
  const check = async (bytes: Uint8Array, ...trust: readonly string[]) => {
    const { code, out, logged } = await terminal.run('verify', put('other.pdf', bytes), '--json', ...trust)
    return { code, logged, ...JSON.parse(out) }
  }

  test.each([5, 30, 60, 95])('one bit is flipped at %i percent', async (percent) => {
    const copy = Buffer.from(stamped)
    const at = Math.floor((copy.length * percent) / 100)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    const found = await check(copy, ...TRUST)
    expect(found).toMatchObject({ code: 1, isValid: false, logged: expect.stringMatching(/^\{"error":"not valid: /) })
  })

  test('an edit is appended', async () => {
    const edit = '4 0 obj\n<</Length 0>>\nstream\n\nendstream\nendobj\n'
    expect(await check(Buffer.concat([sealed, Buffer.from(edit)]), ...TRUST)).toMatchObject({
      code: 1,
      problems: ['bytes_added'],
      seal: { isIntact: false, coversWholeFile: false, bytesAfterSeal: edit.length },
    })
  })

  test('the signed bytes were exchanged', async () => {
    const text = sealed.toString('latin1').replace('(Agreement)', '(Agreemint)')
    expect(await check(Buffer.from(text, 'latin1'), ...TRUST)).toMatchObject({
      code: 1,
      problems: ['changed', 'other_content'],
    })
  })

  test('the seal is of a party that is not trusted, or none is named', async () => {
    for (const trust of [[], ['--trust', pki.path('stranger.pem')]])
      expect(await check(sealed, ...trust)).toMatchObject({ code: 1, problems: ['untrusted_seal'] })
  })

  test('the file itself shows that the certificate of the seal was revoked', async () => {
    const lists = [await makeRevocationList(pki, { revoked: ['seal-ec'] })]
    const revoked = await sealUnchecked(CONTRACT, request, { signer, lists })
    expect(await check(revoked, ...TRUST)).toMatchObject({
      code: 1,
      problems: ['revoked_seal'],
      seal: { isIntact: true, isTrusted: false, revocation: [{ status: 'revoked' }] },
    })
    const { out } = await terminal.run('verify', put('revoked.pdf', revoked), ...TRUST)
    expect(out).toMatch(/^ {2}revocation +revoked: Test seal /m)
  })

  test('its time-stamp was removed, which is no change of what is signed', async () => {
    expect(await check(withoutTimestamp(stamped), ...TRUST)).toMatchObject({
      code: 1,
      problems: ['timestamp_missing'],
      seal: { isIntact: true, isTrusted: true, timestamp: null },
    })
  })

  test('there is no seal', async () => {
    expect(await check(CONTRACT, ...TRUST)).toMatchObject({ code: 1, problems: ['no_seal'], seal: null })
  })
})

test('a file or a certificate that cannot be read is named', async () => {
  expect(await terminal.run('verify', 'missing.pdf', ...TRUST)).toMatchObject({
    code: 1,
    logged: 'sealpost: the PDF cannot be read from missing.pdf: there is no such file',
  })
  const wrong = await terminal.run('verify', put('sealed.pdf', sealed), '--trust', put('ca.pem', Buffer.from('no')))
  expect(wrong).toMatchObject({ code: 1, logged: expect.stringContaining('a trusted certificate cannot be read') })
})

test('names in a file cannot steer the terminal', async () => {
  const odd = await sealer.seal(CONTRACT, { request: { ...request, documentName: 'Lease\u{1b}[2J\u{202e}x' } })
  const { code, out } = await terminal.run('verify', put('odd.pdf', odd), ...TRUST)
  expect(code).toBe(0)
  expect(out).toContain('Lease\u{fffd}[2J\u{fffd}x')
})
