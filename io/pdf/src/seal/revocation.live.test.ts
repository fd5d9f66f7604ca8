import { webcrypto } from 'node:crypto'
import { openEgress } from '@sealpost/egress'
import { type Clock, instant, readSettings, Secret } from '@sealpost/kernel'
import { findSeal, readCertificate, readRevocation, readRevocationList } from '@sealpost/pdf-format'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { systemClock, systemRandom } from '@sealpost/process'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeySigner, openPdf, openSealer, type Pdf, sealSettings } from '../index.ts'
import {
  askOthers,
  corpusFiles,
  makePki,
  makeRevocationList,
  sealUnchecked,
  startListServer,
  startTimestampAuthority,
} from '../testing/index.ts'
import { derOf, sealRequest, verify } from '../testing/open-sealer.ts'

const server = await startListServer()
const pki = await makePki({ listUrl: server.url })
const authority = await startTimestampAuthority(pki)
const egress = openEgress({ policy: { allowPrivateTargets: true }, clock: systemClock })
const root = derOf(pki, 'root.pem')
const trust = { certificates: [root], timestampCertificates: [root] }
const chain = `${pki.read('seal-ec.pem')}${pki.read('root.pem')}`
const good = await makeRevocationList(pki)
const expired = await makeRevocationList(pki, { from: '20240101000000Z', to: '20240102000000Z' })
const stranger = await makeRevocationList(pki, { issuer: 'stranger' })
const forged = Buffer.from(good)
forged[forged.length - 3] = (forged[forged.length - 3] ?? 0) ^ 1
const opened: Pdf[] = []
let problems: string[] = []

beforeEach(() => {
  problems = []
  server.publish(good)
})
afterAll(async () => {
  egress.close()
  await Promise.all([...opened.map((pdf) => pdf.close()), server.close(), authority.close()])
})

interface Wish {
  readonly certificates?: string
  readonly trustedTime?: readonly string[]
  readonly clock?: Clock
}

function open({ certificates = chain, trustedTime, clock = systemClock }: Wish = {}): Pdf {
  const signer = createKeySigner(certificates, new Secret(pki.read('seal-ec.key')))
  const trusted = (trustedTime ?? []).map((name) => readCertificate(derOf(pki, name)))
  const timestamp = { url: authority.url, egress, clock: systemClock, random: systemRandom, trusted }
  const pdf = openPdf({
    signer,
    ...(trustedTime === undefined ? {} : { timestamp }),
    revocation: { egress, clock, onProblem: (problem) => problems.push(problem) },
  })
  opened.push(pdf)
  return pdf
}

async function seal(pdf: Pdf, file: Uint8Array = plainPdf()): Promise<Uint8Array<ArrayBuffer>> {
  const outcome = await pdf.seal(file, sealRequest())
  if (!outcome.ok) throw new Error(outcome.refusal)
  return outcome.value.bytes
}

const GOOD = { kind: 'crl', isSignedByIssuer: true, isCurrent: true, status: 'good' }

describe('a seal carries the list of its issuer', () => {
  const usual = open()

  // `seal.live.test.ts` seals all of them; the list changes only the update.
  test.each(corpusFiles().filter((_, n) => n % 4 === 0))(
    'inside the one update, and others find it valid: $name',
    async ({ bytes: file }) => {
      const bytes = await seal(usual, file)
      expect(await verify(bytes, trust)).toMatchObject({
        isIntact: true,
        coversWholeFile: true,
        isTrusted: true,
        revocation: [{ ...GOOD, of: 'seal', certificate: { name: 'Test seal' } }],
      })
      expect(await askOthers(bytes, pki.read('root.pem'))).toEqual({
        isClean: true,
        isSignatureValid: true,
        isAllSigned: true,
        isCades: true,
      })
      expect(problems).toEqual([])
    },
  )

  test('as a Document Security Store, with the certificates', async () => {
    const text = Buffer.from(await seal(usual)).toString('latin1')
    expect(text).toMatch(/\/DSS \d+ 0 R/)
    expect(text).toMatch(/<<\/Type \/DSS \/Certs \[\d+ 0 R \d+ 0 R\] \/CRLs \[\d+ 0 R\]>>/)
    expect(text).toContain(good.toString('latin1'))
    expect(text).toContain(Buffer.from(root).toString('latin1'))
  })

  test('and that of the time-stamping authority, if its certificate is known before', async () => {
    const bytes = await seal(open({ trustedTime: ['tsa.pem', 'root.pem'] }))
    expect(await verify(bytes, trust)).toMatchObject({
      isIntact: true,
      isTrusted: true,
      timestamp: { isTrusted: true },
      revocation: [
        { ...GOOD, of: 'seal' },
        { ...GOOD, of: 'timestamp', certificate: { name: 'Test time' } },
      ],
    })
    // One issuer, one list.
    expect(findSeal(bytes)?.lists).toHaveLength(1)
  })

  test('fetched once an hour', async () => {
    let now = systemClock.now()
    const pdf = open({ clock: { now: () => now } })
    const before = server.asked()
    await Promise.all([seal(pdf), seal(pdf)])
    await seal(pdf)
    expect(server.asked()).toBe(before + 1)
    now = instant(now + 3_600_000)
    await seal(pdf)
    expect(server.asked()).toBe(before + 2)
  })
})

describe('a list that cannot be used leaves the seal without it', () => {
  test.each([
    ['the server is away', null, 'status 503'],
    ['is too large', Buffer.alloc(300_000), 'larger than'],
    ['is no list', Buffer.from('<html>'), 'no revocation list in DER'],
    ['is out of date', expired, 'out of date'],
    ['is of another issuer', stranger, 'about other certificates'],
    ['has another signature', forged, 'not signed by the issuer'],
  ])('%s', async (_, list, reason) => {
    server.publish(list)
    const bytes = await seal(open())
    expect(await verify(bytes, trust)).toMatchObject({ isIntact: true, isTrusted: true, revocation: [] })
    expect(Buffer.from(bytes).includes('/DSS')).toBe(false)
    expect(problems).toEqual([expect.stringContaining(reason)])
    expect(problems[0]).toContain('Test seal')
  })

  test('egress does not allow its address', async () => {
    const closed = openEgress({ policy: {}, clock: systemClock })
    const signer = createKeySigner(chain, new Secret(pki.read('seal-ec.key')))
    const revocation = { egress: closed, clock: systemClock, onProblem: (text: string) => problems.push(text) }
    const pdf = openPdf({ signer, revocation })
    opened.push(pdf)
    expect(await verify(await seal(pdf), trust)).toMatchObject({ isTrusted: true, revocation: [] })
    expect(problems).toEqual([expect.stringContaining('not a public address')])
    closed.close()
  })

  test('the issuer is not among the certificates of the seal', async () => {
    const before = server.asked()
    expect(await verify(await seal(open({ certificates: pki.read('seal-ec.pem') })), trust)).toMatchObject({
      isTrusted: true,
      revocation: [],
    })
    expect(problems).toEqual([expect.stringContaining('its issuer is not among')])
    expect(server.asked()).toBe(before)
  })

  test('a server that is away is asked again after a minute, and the list at hand is used until it is due', async () => {
    let now = systemClock.now()
    const pdf = open({ clock: { now: () => now } })
    await seal(pdf)
    server.publish(null)
    const before = server.asked()
    now = instant(now + 3_600_000)
    expect(await verify(await seal(pdf), trust)).toMatchObject({ revocation: [GOOD] })
    await seal(pdf)
    expect(server.asked()).toBe(before + 1)
    now = instant(now + 86_400_000)
    expect(await verify(await seal(pdf), trust)).toMatchObject({ isTrusted: true, revocation: [] })
    expect(server.asked()).toBe(before + 2)
    expect(problems).toHaveLength(2)
  })
})

describe('a revoked certificate', () => {
  test('seals nothing', async () => {
    server.publish(await makeRevocationList(pki, { revoked: ['seal-ec'] }))
    await expect(open().seal(plainPdf(), sealRequest())).rejects.toMatchObject({
      name: 'SealError',
      fault: 'signer',
      message: 'Test seal is revoked',
    })
  })

  test('of the time-stamping authority gives no time', async () => {
    server.publish(await makeRevocationList(pki, { revoked: ['tsa'] }))
    const pdf = open({ trustedTime: ['tsa.pem', 'root.pem'] })
    await expect(pdf.seal(plainPdf(), sealRequest())).rejects.toMatchObject({ fault: 'timestamp' })
  })

  test('of another certificate of the same issuer is no obstacle', async () => {
    server.publish(await makeRevocationList(pki, { revoked: ['seal-rsa'] }))
    expect(await verify(await seal(open()), trust)).toMatchObject({ isTrusted: true, revocation: [GOOD] })
  })
})

describe('a seal below an authority of the root, opened by settings', () => {
  const problemsOf = { onRevocationProblem: (problem: string) => void problems.push(problem) }
  const openBySettings = (more: Readonly<Record<string, string>> = {}): Pdf => {
    const SEAL_CERT = ['issued', 'issuing', 'root'].map((name) => pki.read(`${name}.pem`)).join('')
    const settings = readSettings(sealSettings, { SEAL_CERT, SEAL_KEY: pki.read('issued.key'), ...more })
    const pdf = openSealer(settings, { egress, clock: systemClock, random: systemRandom, ...problemsOf })
    if (pdf === null) throw new Error('there is no seal')
    opened.push(pdf)
    return pdf
  }

  test('carries the lists of both issuers, and none if that is turned off', async () => {
    server.publish(await makeRevocationList(pki, { issuer: 'issuing' }), 'issuing')
    expect(await verify(await seal(openBySettings()), trust)).toMatchObject({
      isTrusted: true,
      revocation: [
        { ...GOOD, certificate: { name: 'Test issued' } },
        { ...GOOD, certificate: { name: 'Test issuing' } },
      ],
    })
    const before = server.asked()
    expect(await verify(await seal(openBySettings({ SEAL_REVOCATION: '0' })), trust)).toMatchObject({ revocation: [] })
    expect(server.asked()).toBe(before)
    expect(problems).toEqual([])
  })

  test('is not made when the authority is revoked', async () => {
    server.publish(await makeRevocationList(pki, { revoked: ['issuing'] }))
    await expect(openBySettings().seal(plainPdf(), sealRequest())).rejects.toMatchObject({
      fault: 'signer',
      message: 'Test issuing is revoked',
    })
  })
})

describe('a list about a part of the certificates', () => {
  test.each([
    ['of users', 'onlyuser=TRUE', true],
    ['of authorities', 'onlyCA=TRUE', false],
    ['of some reasons', 'onlysomereasons=keyCompromise', false],
    ['of any issuer', 'indirectCRL=TRUE', false],
    ['of this address', `fullname=URI:${server.url}`, true],
    ['of another address', 'fullname=URI:http://other.example/root.crl', false],
  ])('%s counts only if the certificate belongs to it', async (_, scope, isUsed) => {
    const list = readRevocationList(Uint8Array.from(await makeRevocationList(pki, { scope })))
    const question = { lists: [list], others: [readCertificate(root)], at: systemClock.now() }
    const states = await readRevocation(webcrypto, readCertificate(derOf(pki, 'seal-ec.pem')), question)
    expect(states.map(({ status }) => status)).toEqual(isUsed ? ['good'] : [])
  })
})

describe('a verifier judges the lists of a file', () => {
  const signer = createKeySigner(chain, new Secret(pki.read('seal-ec.key')))
  const sealedWith = async (list: Uint8Array) =>
    verify(await sealUnchecked(plainPdf(), sealRequest(), { signer, lists: [list] }), trust)

  test('revoked: the seal is not trusted', async () => {
    const list = await makeRevocationList(pki, { revoked: ['seal-ec', 'seal-rsa'] })
    expect(await sealedWith(list)).toMatchObject({
      isIntact: true,
      isTrusted: false,
      revocation: [{ status: 'revoked', isSignedByIssuer: true }],
    })
  })

  test('out of date, or signed by another key: it proves nothing, neither good nor revoked', async () => {
    expect(await sealedWith(expired)).toMatchObject({
      isTrusted: true,
      revocation: [{ status: 'unknown', isSignedByIssuer: true, isCurrent: false }],
    })
    const lying = await makeRevocationList(pki, { revoked: ['seal-ec'] })
    lying[lying.length - 3] = (lying[lying.length - 3] ?? 0) ^ 1
    expect(await sealedWith(lying)).toMatchObject({
      isTrusted: true,
      revocation: [{ status: 'unknown', isSignedByIssuer: false }],
    })
  })

  test('of another issuer, or no list at all: as if the file carried none', async () => {
    for (const list of [stranger, Buffer.from('no list')])
      expect(await sealedWith(list)).toMatchObject({ isIntact: true, isTrusted: true, revocation: [] })
  })

  test('a list that was exchanged breaks the seal', async () => {
    const file = await sealUnchecked(plainPdf(), sealRequest(), { signer, lists: [good] })
    const [place = { start: 0, length: 0 }] = findSeal(file)?.lists ?? []
    for (const at of [place.start, place.start + 40, place.start + place.length - 1]) {
      const copy = Uint8Array.from(file)
      copy[at] = (copy[at] ?? 0) ^ 1
      expect(await verify(copy, trust)).toMatchObject({ isIntact: false })
    }
  })
})
