import { expect, test } from 'vitest'
import { openPersonApp } from './person-app.ts'

const app = await openPersonApp()

test('a person registers, keeps the recovery code, sets up a passkey and unlocks with it', async () => {
  const { page, complaints } = await app.device({ authenticator: 'prf' })
  await page.getByRole('link', { name: 'Begin' }).click()
  await page.getByLabel('Name').fill('Mara Lind')
  await page.getByLabel('E-mail address').fill('mara@start.example')
  await page.getByLabel('United States').check()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('Password', { exact: true }).fill('plum kettle orbit')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('The six digits').fill(await app.world.mail.waitForCode('mara@start.example', 'confirmation'))
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).waitFor()
  expect(complaints).toEqual([])
})
