import { createCryptoPlatform, importSealingKey, openWrapper, sealWrapper } from '@sealpost/crypto'
import { expect, test } from 'vitest'
import { openServiceKey } from './people/index.ts'
import { companies } from './personas.ts'

const platform = createCryptoPlatform(globalThis)

test.each(companies)('the passphrase of $companyName opens what is sealed to its service', async ({ service }) => {
  const sealing = await importSealingKey(platform, service.publicKey)
  const sealed = sealing.ok ? await sealWrapper(platform, sealing.value, 'Mara') : sealing
  const opened = sealed.ok ? await openWrapper(platform, await openServiceKey(service), sealed.value) : sealed
  expect(opened).toEqual({ ok: true, value: 'Mara' })
})

test('every service has a key and a code of its own', () => {
  expect(new Set(companies.map(({ service }) => service.publicKey)).size).toBe(companies.length)
  for (const { service } of companies) expect(service.shareCode).toMatch(/^[A-Z0-9]{1,8}$/)
})
