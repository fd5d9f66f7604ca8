import type { World } from '@sealpost/testkit'
import type { Page } from 'playwright-core'

export const PASSWORD = 'plum kettle orbit'

export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly region?: 'Europe' | 'United States'
}

/** As a person does it, up to the page with the recovery code. Answers the code. */
export async function register(world: World, page: Page, person: NewPerson): Promise<string> {
  await page.getByRole('link', { name: 'Begin' }).click()
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel(person.region ?? 'United States').check()
  await next(page)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await next(page)
  await page.getByLabel('The six digits').fill(await world.mail.waitForCode(person.email, 'confirmation'))
  await next(page)
  const groups = page.getByRole('list', { name: 'Your recovery code' }).getByRole('listitem')
  await groups.first().waitFor()
  return (await groups.allTextContents()).join('-')
}

/** Types back two groups of the code. */
export async function tryRecoveryCode(page: Page, code: string): Promise<void> {
  const groups = code.split('-')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByLabel('The first group').fill(groups[0] ?? '')
  await page.getByLabel('The last group').fill((groups.at(-1) ?? '').toLowerCase())
  await page.getByRole('button', { name: 'It works' }).click()
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('link', { name: 'I have an account' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function setPasscode(page: Page, passcode: string): Promise<void> {
  await page.getByLabel('Passcode', { exact: true }).fill(passcode)
  await page.getByLabel('Once more').fill(passcode)
  await page.getByRole('button', { name: 'Use this' }).click()
}

/** As a link of the app does: without loading it, which would lock it. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} })
    document.body.append(link)
    link.click()
    link.remove()
  })()`)
}

async function next(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Go on' }).click()
}
