import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { bodyOf, scaled, type Service } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDevice } from '../browser/device.ts'
import { go, signIn } from '../person/acts.ts'
import { beginService, signInToPortal } from './acts.ts'
import { openPortal } from './portal.ts'

const portal = await openPortal()
const { world } = portal
const LONG = { timeout: scaled(120_000) }

test(
  'a service is made with a key of this browser: the passphrase is shown once and read back, and only its sealed parts are sent [PORTAL-02]',
  LONG,
  async () => {
    const company = await world.company({ region: 'us', displayName: 'Northwind Clinic' })
    const { page, complaints, sent } = await portal.desk({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signInToPortal(page, company)
    const shown = await beginService(page, 'Home visits', 'VISITS')
    await page.getByRole('button', { name: 'Copy: Passphrase' }).click()
    const passphrase = await page.evaluate<string>('navigator.clipboard.readText()')
    const groups = passphrase.match(/.{1,4}/g) ?? []
    expect(shown.map((group, at) => (group === '' ? '' : groups[at]))).toEqual([...shown])
    const pem = await downloadOf(page, 'Download key file (PEM)')
    expect(sent.filter((line) => line.includes('/api/services ')).length).toBeLessThan(2)
    await page.getByLabel('Group 4').fill(groups[3] ?? '')
    await page.getByLabel('Group 9').fill('????')
    await page.getByRole('button', { name: 'Create Home visits' }).click()
    await page.getByText('That is not this group').waitFor()
    await page.getByLabel('Group 9').fill(groups[8] ?? '')
    await page.getByRole('button', { name: 'Create Home visits' }).click()
    await page.getByRole('heading', { name: 'Home visits is there' }).waitFor()
    expect(await page.content()).not.toContain(groups[0])

    const services = await bodyOf(company.portal('GET', '/api/services'))
    expect(services['items']).toMatchObject([
      { name: 'Home visits', share_code: 'VISITS', public_key: publicKeyOf(pem, passphrase) },
    ])
    const copies = await bodyOf(company.portal('GET', '/api/account/recovery-copies'))
    expect(copies['items']).toMatchObject([{ kind: 'service_passphrase' }])
    const everything = sent.join('\n')
    for (const secret of [passphrase, 'PRIVATE KEY']) expect(everything).not.toContain(secret)
    expect(complaints).toEqual([])
  },
)

test(
  'the Overview tab of a service hands out its key as an encrypted PKCS#8 PEM, to who has the passphrase [CRYPTO-12] [SERVICE-14]',
  LONG,
  async () => {
    const company = await world.company({ region: 'eu', displayName: 'Harborline Homes' })
    const service = await world.service([{ slug: 'name', label: 'First name' }], { company, name: 'Housing' })
    const { page, complaints } = await portal.desk()
    await signInToPortal(page, company)
    await page.getByRole('link', { name: 'Housing' }).click()
    await page.getByText('does not know the key of this service yet').waitFor()
    await page.getByLabel('Passphrase of the service').fill('a'.repeat(43))
    await page.getByRole('button', { name: 'Download the key file' }).click()
    await page.getByText('does not open the key of this service').waitFor()
    await page.getByLabel('Passphrase of the service').fill(service.passphrase)
    const pem = await downloadOf(page, 'Download the key file')
    const { public_key: publicKey } = await bodyOf(company.portal('GET', service.path))
    expect(publicKeyOf(pem, service.passphrase)).toBe(publicKey)
    expect(algorithmsOf(pem)).toEqual({ pbes2: true, pbkdf2: true, hmacSha256: true, aes256Cbc: true })
    // The key was judged: from now on links carry its fingerprint.
    await page.getByRole('img', { name: 'QR code of the link to Housing' }).waitFor()
    expect(complaints).toEqual([])
  },
)

test(
  'the link of a service leads a customer without an account back to it, and a link with another key is refused',
  LONG,
  async () => {
    const company = await world.company({ region: 'eu', displayName: 'Vasa Fitness' })
    const service = await world.service([{ slug: 'name', label: 'First name' }], { company, name: 'Membership' })
    const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
    const { page } = await portal.desk()
    await signInToPortal(page, company)
    await page.getByRole('link', { name: 'Membership' }).click()
    await page.getByRole('link', { name: 'Open the key' }).click()
    await page.getByLabel('Passphrase of the service').first().fill(service.passphrase)
    await page.getByRole('button', { name: 'Open the key' }).click()
    await page.getByRole('button', { name: 'Close the key' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    const link = (await page.getByText(`${portal.personUrl}/connect/`).textContent()) ?? ''
    expect(link).toBe(
      `${portal.personUrl}/connect/${service.code}#k=${fingerprintOf(await publicKeyOfService(service))}`,
    )

    const { page: app, complaints, sent } = await openDevice(portal.browser, link)
    await signIn(app, person.email, person.password)
    await app.getByRole('button', { name: /^Connect/ }).waitFor()
    expect(new URL(app.url()).hash).toBe(new URL(link).hash)
    await go(app, new URL(link).pathname + link.slice(link.indexOf('#')).replace(/....$/, '0000'))
    await app.getByRole('alert').getByText('another key for this company than its link says').waitFor()
    expect(sent.join('\n')).not.toContain(new URL(link).hash.slice(3))
    expect(complaints).toEqual([])
  },
)

async function publicKeyOfService({ portal: calls, path }: Service): Promise<string> {
  return String((await bodyOf(calls('GET', path)))['public_key'])
}

function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
}

async function downloadOf(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

function publicKeyOf(pem: string, passphrase: string): string {
  const key = createPublicKey(
    createPrivateKey({ key: pem, passphrase }).export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  return key.export({ type: 'spki', format: 'der' }).toString('base64')
}

/** The object identifiers that OpenSSL reads in it. */
function algorithmsOf(pem: string) {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64').toString('hex')
  return {
    pbes2: der.includes('06092a864886f70d01050d'),
    pbkdf2: der.includes('06092a864886f70d01050c'),
    hmacSha256: der.includes('06082a864886f70d0209'),
    aes256Cbc: der.includes('060960864801650304012a'),
  }
}
