import { AccountClient, verifySealedPdf } from '@sealpost/sdk'
import { scaled, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { go, signIn } from './acts.ts'
import { contract, openForms, PAPER } from './forms.ts'
import { button, link } from './inbox.ts'
import { openPersonApp } from './person-app.ts'

const app = await openPersonApp()
const forms = await openForms(app.world)
const { person, client, key, service, connectionId } = forms
const LONG = { timeout: scaled(240_000) }
const SOON = { timeout: scaled(20_000) }
const MAIL = 'mara@lind.example'

test(
  'who answers last has the contract made, follows the line, and signs it with a passkey [PERSON-09]',
  LONG,
  async () => {
    const run = await forms.start(await forms.publish(contract('allowed')))
    const { page, complaints, sent } = await app.device({ authenticator: 'prf' })
    await signIn(page, person.email, person.password)
    await link(page, 'Open without your password').click()
    await button(page, 'Use this').click()
    await page.getByText('This device', { exact: true }).waitFor()
    await link(page, 'Home').click()
    await link(page, 'Fill in Sign up').first().click()
    await link(page, 'Fill it in').click()
    await page.getByText('Sealpost sees them once, while the documents are made.').waitFor()
    await page.getByLabel('Your e-mail address').fill(MAIL)
    const { bytes, mimeType, originalName: name } = PAPER
    await page.getByLabel('The agreement').setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) })
    await page.getByRole('list', { name: 'Chosen files' }).getByText('agreement.pdf').waitFor()
    await page.getByText('Then the documents are made from the answers, and everybody signs in turn.').waitFor()
    await button(page, 'Seal and send').click()

    // Made by this device: the company has done nothing yet.
    await page.getByText('It is for you to sign “Agreement”.').waitFor()
    const line = page.getByRole('list', { name: 'Who signs' }).getByRole('listitem')
    expect(await line.allTextContents()).toEqual([
      'YouAgreement · to sign now',
      'Northwind ClinicAgreement · comes later',
    ])
    const generated = sent.flatMap((request) => /flow-runs\/[\w-]+(\/generate\S*)/.exec(request)?.[1] ?? [])
    expect(generated).toEqual(['/generate/inputs', '/generate'])
    await link(page, 'Read and sign').click()
    await page.getByText(`Agreement with ${MAIL}`).waitFor()
    const order = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Who signs, in this order' }) })
      .getByRole('listitem')
    expect(await order.allTextContents()).toEqual(['You, as customer Agreement · Signs now', 'us Agreement · Later'])
    await button(page, 'Sign').click()
    await page.getByText('You have signed.').waitFor()
    await go(page, `/forms/${connectionId}/${run}`)
    await page.getByText('It is for Northwind Clinic to sign now. You are told when it is your turn.').waitFor()
    expect(await line.allTextContents()).toEqual([
      expect.stringMatching(/^YouAgreement · signed .+/),
      'Northwind ClinicAgreement · to sign now',
    ])

    // The company signs last; then both have the same sealed file, and this device checks it.
    const account = new AccountClient({ accessToken: () => Promise.resolve(service.company) })
    await client.flows.waitForStep(run, { pollSeconds: 0.1 })
    const copy = { serviceId: service.serviceId, runId: run, outputKey: 'agreement' }
    await account.runDocuments.sign(await account.runDocuments.open(copy, key))
    await page.getByText('This is completed. Nothing more is to be done.').waitFor()
    await link(page, 'Agreement').click()
    await page.getByText('Checked on this device: unchanged since it was sealed.').waitFor(SOON)
    const { file } = await client.flows.openDocument(run, 'agreement', key)
    const verdict = await verifySealedPdf(file.bytes, { certificates: testSeal().root })
    expect(verdict).toMatchObject({ isValid: true, seal: { acts: [{ action: 'signed' }, { action: 'signed' }] } })
    expect(complaints).toEqual([])
  },
)
