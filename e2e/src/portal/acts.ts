import type { Page } from 'playwright-core'

export async function signInToPortal(page: Page, company: { readonly email: string; readonly password: string }) {
  await page.getByRole('link', { name: 'We have an account' }).click()
  await page.getByLabel('E-mail address').fill(company.email)
  await page.getByLabel('Password', { exact: true }).fill(company.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Services', exact: true }).click()
  await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
}

/** Up to the passphrase of a new service; answers its groups, of which two are covered. */
export async function beginService(page: Page, name: string, code: string): Promise<readonly string[]> {
  await page.getByRole('link', { name: 'New service' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel(/^Code/).fill(code)
  await page.getByRole('button', { name: 'Go on to the key' }).click()
  const groups = page.getByRole('group', { name: 'Passphrase' }).getByRole('listitem')
  await groups.first().waitFor()
  return groups.allTextContents()
}
