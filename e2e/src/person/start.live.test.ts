import { scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { PASSWORD, register, setPasscode, signIn, tryRecoveryCode } from './acts.ts'
import { openPersonApp, viewports } from './person-app.ts'

const app = await openPersonApp()
const { world } = app
const LONG = { timeout: scaled(120_000) }

// Pia goes through several tests: registering costs more than what follows.
const PIA = { name: 'Pia', email: 'pass@start.example', nextPassword: 'another good phrase' }
const desk = await app.device({ authenticator: 'plain', ...viewports.desk })
const phone = await app.device()
let recoveryCode = ''

describe('a person', () => {
  test('registers, tries the recovery code, and opens the app with a passkey from then on', LONG, async () => {
    const { page, complaints, sent } = await app.device({ authenticator: 'prf', keepsApp: true })
    const code = await register(world, page, { name: 'Mara Lind', email: 'mara@start.example' })
    expect(code).toMatch(/^(\w{4}-){13}\w{4}$/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByLabel('The first group').fill('XXXX')
    await page.getByRole('button', { name: 'It works' }).click()
    expect(await page.getByText('That is not it.').count()).toBe(2)
    await page.getByRole('button', { name: 'Show the code again' }).click()
    await tryRecoveryCode(page, code)
    await page.getByLabel('Fingerprint, face or device PIN').check()
    await page.getByRole('button', { name: 'Use this' }).click()
    await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()

    await page.reload()
    await page.getByRole('heading', { name: 'Welcome back, Mara Lind' }).waitFor()
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()
    expect(complaints).toEqual([])
    const everything = sent.join('\n')
    for (const secret of [PASSWORD, code, code.replaceAll('-', ''), '"prf"']) expect(everything).not.toContain(secret)
    expect(everything).toContain('attestationObject')
  })

  test('uses a passcode where the passkey cannot keep a key; five wrong ones need the password', LONG, async () => {
    const { page, complaints } = desk
    recoveryCode = await register(world, page, PIA)
    await tryRecoveryCode(page, recoveryCode)
    await page.getByLabel('Fingerprint, face or device PIN').check()
    await page.getByRole('button', { name: 'Use this' }).click()
    await page.getByText('it cannot keep your key').waitFor()
    await page.getByRole('radio', { name: 'A passcode' }).check()
    await setPasscode(page, '482913')
    await page.getByRole('heading', { name: 'Hello, Pia' }).waitFor()

    await page.reload()
    await page.getByLabel('Your passcode').fill('482913')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Hello, Pia' }).waitFor()

    await page.reload()
    for (const wrong of ['000001', '000002', '000003', '000004']) {
      await page.getByLabel('Your passcode').fill(wrong)
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('That is not your passcode.').waitFor()
      await expect.poll(() => page.getByLabel('Your passcode').inputValue()).toBe('')
    }
    await page.getByLabel('Your passcode').fill('000005')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Hello, Pia' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('who forgot the password comes back with the recovery code, to the same data', LONG, async () => {
    const first = desk
    const { page, complaints } = phone
    await first.page.getByRole('link', { name: 'My data' }).click()
    await first.page.getByRole('link', { name: 'First name' }).click()
    await first.page.getByLabel('First name').fill('Pia Ole')
    await first.page.getByRole('button', { name: 'Save' }).click()
    await first.page.getByText('Saved and sealed.').waitFor()

    await page.getByRole('link', { name: 'I have an account' }).click()
    await page.getByRole('link', { name: 'I have forgotten my password' }).click()
    await page.getByLabel('E-mail address').fill(PIA.email)
    await page.getByLabel('Recovery code').fill(recoveryCode.slice(1))
    await page.getByLabel('New password').fill(PIA.nextPassword)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('This is not a whole recovery code.').waitFor()
    await page.getByLabel('Recovery code').fill(recoveryCode.toLowerCase().replaceAll('-', ' '))
    await page.getByRole('button', { name: 'Open' }).click()
    const groups = page.getByRole('list', { name: 'Your recovery code' }).getByRole('listitem')
    await groups.first().waitFor()
    const newCode = (await groups.allTextContents()).join('-')
    expect(newCode).not.toBe(recoveryCode)
    await tryRecoveryCode(page, newCode)
    await page.getByRole('link', { name: 'My data' }).click()
    await page.getByText('Pia Ole').waitFor()
    expect(complaints).toEqual([])
    await first.page.reload()
    await first.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await first.page.getByRole('button', { name: 'Sign in' }).click()
    await first.page.getByText('is not right').waitFor()
  })

  test('takes out a file with everything, then deletes the account', LONG, async () => {
    const { page, complaints } = phone
    const { email, nextPassword } = PIA
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Take your data with you' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the file' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({
      account: { email, name: 'Pia' },
      values: [{ label: 'First name', value: 'Pia Ole' }],
    })
    await page.goto(`${app.url}/settings/delete`)
    await page.getByLabel('Password', { exact: true }).fill(nextPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Send me the code for it' }).click()
    await page.getByLabel('The six digits of the mail').fill(await world.mail.waitForCode(email, 'delet'))
    await page.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('link', { name: 'Begin' }).waitFor()
    expect(complaints).toEqual([])
    await signIn(page, email, nextPassword)
    await page.getByText('is not right').waitFor()
  })
})
