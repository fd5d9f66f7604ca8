import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bodyOf, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { clientOf } from '../person/client-of.ts'
import { signInToPortal } from './acts.ts'
import { openPortal } from './portal.ts'

const portal = await openPortal()
const { world } = portal
const LONG = { timeout: scaled(120_000) }

test(
  'the API access page ends and registers the data client, shows its secret once with a program that works, edits the redirect URI, replaces and recovers the secret [PORTAL-01]',
  LONG,
  async () => {
    const company = await world.company({ region: 'eu', level: 'pro', displayName: 'Northwind Clinic' })
    const service = await world.service([{ slug: 'name', label: 'First name' }], { company, name: 'Intake' })
    const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
    const { id: connectionId } = await clientOf(person).connect(service.code, {})
    const { page, complaints } = await portal.desk()
    await signInToPortal(page, company)
    await page.getByRole('link', { name: 'Intake' }).click()
    await page.getByRole('link', { name: 'API access' }).click()
    const secretShown = page.getByRole('group', { name: 'Client secret' }).locator('code')
    const run = async (secret: string): Promise<string> => {
      const program = (await page.getByRole('region', { name: 'Shell' }).textContent()) ?? ''
      const { stdout } = await promisify(execFile)('sh', ['-c', program], {
        env: { ...process.env, CLIENT_SECRET: secret },
      })
      return stdout
    }
    await page.getByRole('button', { name: 'End the client …' }).click()
    await page.getByRole('button', { name: 'End the client', exact: true }).click()
    await page.getByRole('button', { name: 'Register the client' }).click()
    const first = (await secretShown.textContent()) ?? ''
    expect(await run(first)).toContain(connectionId)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.reload()
    await page.getByLabel('Password', { exact: true }).fill(company.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).waitFor()
    expect(await page.content()).not.toContain(first)

    await page.getByLabel('Address of your app').fill('https://app.example.com/back')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const client = await bodyOf(company.portal('GET', `${service.path}/client`))
    expect(client['redirect_uri']).toBe('https://app.example.com/back')

    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const second = (await secretShown.textContent()) ?? ''
    expect(await run(second)).toContain(connectionId)
    await expect(run(first)).rejects.toThrow()
    await page.getByRole('button', { name: 'I have stored it' }).click()

    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.getByLabel('The six digits from the mail').fill(await world.mail.waitForCode(company.email))
    await page.getByLabel('Password of your account', { exact: true }).fill(company.password)
    await page.getByRole('button', { name: 'Show the secret' }).click()
    await page.getByText('This is the secret of the client.').waitFor()
    expect(await secretShown.textContent()).toBe(second)
    expect(complaints).toEqual([])
  },
)
