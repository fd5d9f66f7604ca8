import { openEgress } from '@sealpost/egress'
import { readCertificate } from '@sealpost/pdf-format'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { systemClock, systemRandom } from '@sealpost/process'
import { TEST_START } from '@sealpost/testkit/fixed'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPdf } from '../index.ts'
import { makePki, startTimestampAuthority } from '../testing/index.ts'
import { derOf, keySigner, sealRequest, verify } from '../testing/open-sealer.ts'
import { openFolder, runTool } from '../testing/tools.ts'

const pki = await makePki()
const authority = await startTimestampAuthority(pki)
const egress = openEgress({ policy: { allowPrivateTargets: true }, clock: systemClock })
const trusted = [readCertificate(derOf(pki, 'root.pem'))]
const base = { url: authority.url, egress, clock: systemClock, random: systemRandom }
const signer = keySigner(pki, 'seal-ec')
const pdf = openPdf({ signer, timestamp: { ...base, trusted } })
const request = sealRequest()
afterEach(() => authority.change(null))
afterAll(async () => {
  egress.close()
  await Promise.all([pdf.close(), authority.close()])
})

test('a seal with a time-stamp is valid for this verifier, pdfsig and OpenSSL', async () => {
  const outcome = await pdf.seal(plainPdf(), request)
  const bytes = outcome.ok ? outcome.value.bytes : new Uint8Array()
  const root = [derOf(pki, 'root.pem')]
  const report = await verify(bytes, { certificates: root, timestampCertificates: root })
  expect(report).toMatchObject({
    isIntact: true,
    isTrusted: true,
    timestamp: { isTrusted: true, authority: { name: 'Test time' } },
  })
  expect(await verify(bytes, { certificates: root })).toMatchObject({ isIntact: true, timestamp: { isTrusted: false } })
  const signature = await runTool('pdfsig', openFolder().write('stamped.pdf', bytes))
  expect(signature.output).toContain('Signature is Valid')
})

describe('a failing authority fails the seal', () => {
  const failure = (reason: string) => ({
    name: 'SealError',
    fault: 'timestamp',
    message: expect.stringContaining(reason),
  })

  test('one that answers an older request', async () => {
    const replies: Buffer[] = []
    authority.change((reply) => {
      replies.push(reply)
      return replies[0] ?? reply
    })
    expect((await pdf.seal(plainPdf(), request)).ok).toBe(true)
    // Another signature: the imprint of the older answer does not match.
    await expect(pdf.seal(plainPdf(2), request)).rejects.toMatchObject(failure('not valid for the signature'))
  })

  test('one whose token was changed', async () => {
    authority.change((reply) => {
      const copy = Buffer.from(reply)
      const at = copy.length - 10
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy
    })
    await expect(pdf.seal(plainPdf(), request)).rejects.toMatchObject(failure('no time-stamp'))
  })

  test.each([
    ['an empty answer', Buffer.alloc(0), 'malformed'],
    ['noise', Buffer.from('<html>'), 'malformed'],
    ['a refusal', Buffer.from('30053003020102', 'hex'), 'refused with status 2'],
    ['a long answer', Buffer.alloc(100_000), 'larger than'],
  ])('one that sends %s', async (_, reply, reason) => {
    authority.change(() => reply)
    await expect(pdf.seal(plainPdf(), request)).rejects.toMatchObject(failure(reason))
  })

  test('one that no trusted certificate leads to', async () => {
    const stranger = [readCertificate(derOf(pki, 'stranger.pem'))]
    const strict = openPdf({ signer, timestamp: { ...base, trusted: stranger } })
    await expect(strict.seal(plainPdf(), request)).rejects.toMatchObject(failure('not trusted'))
    await strict.close()
  })

  test('one whose clock is another', async () => {
    const early = { now: () => TEST_START }
    const strict = openPdf({ signer, timestamp: { ...base, trusted, clock: early } })
    await expect(strict.seal(plainPdf(), request)).rejects.toMatchObject(failure('clock'))
    await strict.close()
  })

  test('one that is away, or that egress does not allow', async () => {
    const away = openPdf({ signer, timestamp: { ...base, trusted, url: 'http://127.0.0.1:1/' } })
    await expect(away.seal(plainPdf(), request)).rejects.toMatchObject(failure('no connection'))
    const closed = openEgress({ policy: {}, clock: systemClock })
    const refused = openPdf({ signer, timestamp: { ...base, trusted, egress: closed } })
    await expect(refused.seal(plainPdf(), request)).rejects.toMatchObject(failure('not a public address'))
    closed.close()
    await Promise.all([away.close(), refused.close()])
  })
})
