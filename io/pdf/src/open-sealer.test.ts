import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEgress } from '@sealpost/egress'
import { instant, readSettings } from '@sealpost/kernel'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { systemClock, systemRandom } from '@sealpost/process'
import { afterAll, expect, test } from 'vitest'
import { isSealValid, openSealer, sealAdvice } from './open-sealer.ts'
import { sealSettings } from './settings.ts'
import { makeSeal, signersOfManyScripts } from './testing/index.ts'

const { certificate: SEAL_CERT, key: SEAL_KEY } = makeSeal()
const egress = openEgress({ policy: {}, clock: systemClock })
afterAll(() => egress.close())
type Texts = Readonly<Record<string, string>>
const settingsOf = (texts: Texts) => readSettings(sealSettings, texts)
const open = (texts: Texts) => openSealer(settingsOf(texts), { egress, clock: systemClock, random: systemRandom })
const at = (date: string) => ({ now: () => instant(Date.parse(date)) })

test('certificate and key are PEM, or files with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-seal-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  for (const texts of [
    { SEAL_CERT, SEAL_KEY },
    { SEAL_CERT: file('seal.pem', SEAL_CERT), SEAL_KEY: file('seal.key', SEAL_KEY) },
  ]) {
    const pdf = open(texts)
    const request = {
      documentId: '7',
      owner: 'ana',
      documentName: 'Terms',
      sealedAt: systemClock.now(),
      acts: signersOfManyScripts(),
    }
    expect(await pdf?.seal(plainPdf(), request)).toMatchObject({ ok: true })
    await pdf?.close()
  }
})

test('settings that do not belong together are refused, and the key is never shown', () => {
  expect(open({})).toBeNull()
  expect(() => open({ SEAL_KEY })).toThrow('SEAL_CERT is empty')
  expect(() => open({ SEAL_CERT })).toThrow('either SEAL_KEY or SEAL_SIGNER')
  expect(() => open({ SEAL_CERT, SEAL_KEY, SEAL_SIGNER: '/run/signer' })).toThrow('either SEAL_KEY or SEAL_SIGNER')
  expect(() => open({ SEAL_CERT, SEAL_KEY: '/nowhere/seal.key' })).toThrow('SEAL_KEY is neither PEM nor the path')
  expect(() => open({ SEAL_CERT, SEAL_KEY, TSA_URL: 'https://tsa.example/tsr' })).toThrow('TSA_CERT is neither PEM')
  expect(() => open({ SEAL_CERT: SEAL_CERT.replace('MII', 'AAA'), SEAL_KEY })).toThrow('cannot be read')
  expect(() => open({ SEAL_CERT, SEAL_KEY: makeSeal().key })).toThrow('SEAL_KEY is not the key of SEAL_CERT')
  expect(() => settingsOf({ TSA_URL: 'ftp://tsa.example' })).toThrow('TSA_URL')
})

test('an operator learns of a certificate that is missing, expired, or will expire soon', () => {
  expect(sealAdvice(settingsOf({}), systemClock)).toContain('there is no seal')
  const settings = settingsOf({ SEAL_CERT: makeSeal({ from: '260101', to: '261231' }).certificate, SEAL_KEY })
  const said = (date: string) => [sealAdvice(settings, at(date)), isSealValid(settings, at(date))]
  expect(said('2026-06-01T00:00:00Z')).toEqual([null, true])
  expect(said('2026-12-15T00:00:00Z')).toEqual([expect.stringContaining('expires at 2026-12-31'), true])
  expect(said('2027-01-01T00:00:00Z')).toEqual([expect.stringContaining('has expired at 2026-12-31'), false])
  expect(said('2025-01-01T00:00:00Z')).toEqual([expect.stringContaining('is valid only from 2026-01-01'), false])
  expect(sealAdvice(settingsOf({ SEAL_CERT: '/nowhere.pem', SEAL_KEY }), systemClock)).toContain('cannot be read')
})
