import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { FORWARDER_URL } from '../plugins/forwarder-site.ts'
import { go, signIn } from './acts.ts'
import { openPlace, routeForwarder } from './forms-plugin.ts'
import { contract, delivery, lease, openForms, PAPER, verifyMail } from './forms.ts'
import { openPersonApp, viewports } from './person-app.ts'

const app = await openPersonApp({ apiOrigins: [FORWARDER_URL] })
const { world } = app
const forms = await openForms(world)
const { person, client, key, connectionId } = forms
const [leaseId, contractId] = [await forms.publish(lease()), await forms.publish(contract('verified'))]
const LONG = { timeout: scaled(240_000) }
const SOON = { timeout: scaled(20_000) }
const NAME = (id: string) => ({ id, connection_id: connectionId })

// Signing in costs more than what follows, so the tests in English go on with the same device.
const { page, context, complaints, sent } = await app.device(viewports.phone)
await signIn(page, person.email, person.password)
await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()

/** A day of the run's own calendar, so many days after its start. */
function dayAfter(referenceDate: string, days: number): string {
  return new Date(Date.parse(`${referenceDate}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const constant = (label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(label, { exact: true }) })
    .getByRole('definition')

async function beginTurn(title: string): Promise<void> {
  await go(page, '/')
  await page
    .getByRole('link', { name: `Fill in ${title}` })
    .first()
    .click()
  await page.getByRole('link', { name: 'Fill it in' }).click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

test(
  'a person takes turns by the pinned definition, and everybody gets the answers sealed [EXPR-29][EXPR-30][PERSON-08]',
  LONG,
  async () => {
    const run = await forms.start(leaseId, { rent: 900 })
    const { reference_date: today } = await client.flows.get(run)
    await page.getByText('Fill in Your lease').first().waitFor()
    await beginTurn('Your lease')
    await page.getByText('You and Northwind Clinic can open all answers. Sealpost cannot.').waitFor()

    // Texts with values, the default, options that are open, and what is computed.
    await page.getByText('Dear Mara, the rent is 900 a month. You want 12 months.').waitFor()
    expect(await page.getByRole('link', { name: 'Terms' }).getAttribute('rel')).toBe('noopener noreferrer')
    await page.getByText('A plan of the flat').waitFor()
    expect(await page.getByRole('radio', { name: 'A house' }).count()).toBe(0)
    expect(await page.getByLabel('What the dog is called').count()).toBe(0)
    const months = page.getByLabel('Months')
    expect(await months.inputValue()).toBe('12')
    await page.getByText('From 6 to 36.').waitFor()
    expect(await constant('Rent in total').textContent()).toBe('10800')
    expect(await constant('days_until').textContent()).toBe('Follows from your answers')
    const [lastInput, shown] = [await page.getByLabel('Country').boundingBox(), await page.locator('dl').boundingBox()]
    expect(shown?.y).toBeGreaterThan(lastInput?.y ?? Number.NaN)
    expect(await page.locator('dl').getByRole('textbox').count()).toBe(0)

    // Nothing goes on without what is needed.
    await page.getByRole('button', { name: 'Seal and send' }).click()
    await page.getByText('This is needed.').first().waitFor()
    await page.locator('input:focus').and(page.getByLabel('How we call you')).waitFor()
    await page.getByRole('button', { name: 'First name: Mara' }).click()
    await page.getByText('Every later change reaches Northwind Clinic too.').waitFor()
    await page.getByRole('button', { name: 'Answer something else' }).click()
    await page.getByLabel('How we call you').fill('Mara from the north')
    await page.getByRole('radio', { name: 'A flat' }).check()
    await page.getByRole('checkbox', { name: 'A dog' }).check()
    await page.getByLabel('What the dog is called').fill('Buster')
    await page.getByLabel('First day').fill(dayAfter(today, 30))
    await expect.poll(() => constant('days_until').textContent()).toBe('30')
    await months.fill('48')
    await expect.poll(() => constant('Rent in total').textContent()).toBe('43200')
    await page.getByRole('button', { name: /Seal and send|Go on/ }).click()
    await page.getByText('This is too much.').waitFor()
    await months.fill('24')
    await expect.poll(() => constant('Rent in total').textContent()).toBe('21600')
    await page.getByLabel('Street').fill('Storgatan')

    // A second step of the own turn, and back: nothing has left the device.
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByLabel('Why so long?').fill('The garden')
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByLabel('What the dog is called').inputValue()).toBe('Buster')
    await page.getByRole('checkbox', { name: 'A dog' }).uncheck()
    await page.getByRole('checkbox', { name: 'A cat' }).check()
    await page.getByLabel('What the dog is called').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('Until then it is kept on this device').waitFor()
    expect((await client.flows.get(run)).answers.map(({ slug }) => slug)).toEqual(['rent'])

    // Interrupted: the app is loaded anew, which locks it.
    await page.reload()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'A long lease' }).waitFor()
    expect(await page.getByLabel('Why so long?').inputValue()).toBe('The garden')
    await page.getByText('Then Northwind Clinic goes on.').waitFor()
    await page.getByRole('button', { name: 'Seal and send' }).click()
    await page.getByText('Northwind Clinic answers now. You are told').waitFor()

    const answered = await client.flows.get(run)
    expect(answered).toMatchObject({ status: 'awaiting_us', current_node: 'check' })
    const opened = await client.flows.open(answered, key)
    expect(
      Object.fromEntries(Object.entries(opened).map(([slug, one]) => [slug, 'text' in one ? one.text : one.kind])),
    ).toEqual({
      rent: '900',
      nick: 'Mara from the north',
      kind: 'flat',
      pets: '["cat"]',
      start: dayAfter(today, 30),
      months: '24',
      home: '{"street":"Storgatan"}',
      why: 'The garden',
    })
    expect(await forms.app.flows.open(await forms.app.flows.get(connectionId, run))).toMatchObject({
      nick: { text: 'Mara from the north' },
    })
    await page.getByText('Mara from the north').waitFor()
    await page.getByText('A cat', { exact: true }).waitFor()

    // The page follows the others.
    await client.flows.answer(run, { key_number: { value: 'K-7' } }, key)
    await page.getByText('This is completed. Nothing more is to be done.').waitFor()
    await page.getByRole('link', { name: 'Forms' }).click()
    await page.getByText(/Housing · Completed/).waitFor()
    const everything = sent.join('\n')
    for (const plain of ['Mara from the north', 'Buster', 'Storgatan', 'The garden'])
      expect(everything).not.toContain(plain)
    expect(complaints).toEqual([])
  },
)

test(
  'a verified value and a linked file are frozen into the run, and this device has the documents made [PERSON-10]',
  LONG,
  async () => {
    await verifyMail(world, forms)
    const paper = await forms.app.contactFields.create({
      label: 'My agreement',
      type: 'pdf_document',
      usertype: 'person',
    })
    await forms.app.contactData.put(paper.id, { file: PAPER })
    const run = await forms.start(contractId)
    const desk = await app.device({ ...viewports.desk, locale: 'de-DE' })
    await signInGerman(desk.page)
    await desk.page.getByRole('link', { name: 'Ausfüllen: Sign up' }).first().click()
    await desk.page.getByRole('link', { name: 'Ausfüllen', exact: true }).click()
    await desk.page.getByText('Sealpost sieht sie einmal, während die Dokumente erstellt werden.').waitFor()
    await desk.page.getByText('Muss bestätigt sein').waitFor()
    await desk.page.getByRole('radio', { name: person.email }).check()
    await desk.page.getByRole('button', { name: /My agreement/ }).click()
    await desk.page.getByText('Eine Kopie, so wie es beim Senden ist.').waitFor()
    await desk.page.getByRole('button', { name: 'Versiegeln und senden' }).click()
    await desk.page.getByText('Es ist an Ihnen, „Agreement“ zu unterschreiben.').waitFor()
    const line = desk.page.getByRole('list', { name: 'Wer unterschreibt' }).getByRole('listitem')
    expect(await line.allTextContents()).toEqual([
      'SieAgreement · unterschreibt jetzt',
      'Northwind ClinicAgreement · kommt später',
    ])

    const made = await client.flows.get(run)
    expect(made).toMatchObject({ status: 'awaiting_signature' })
    expect(await client.flows.open(made, key)).toMatchObject({
      mail: { text: person.email, attestation: 'attested' },
      paper: { kind: 'file', isHeld: true, isLinked: true },
    })
    const [copy] = (await client.flows.readFile(made, 'paper', key)).files
    expect(Buffer.from(copy?.bytes ?? [])).toEqual(Buffer.from(PAPER.bytes))
    const [step] = await forms.app.flows.signingSteps(await forms.app.flows.get(connectionId, run))
    const link = desk.page.getByRole('link', { name: 'Lesen und unterschreiben' })
    expect(await link.getAttribute('href')).toBe(`/papers/${connectionId}/${step?.documentId ?? ''}`)

    // Another party ends it, and says why.
    await client.flows.cancel(run, 'the flat is gone')
    await desk.page.getByText('Northwind Clinic hat das vorzeitig beendet.').waitFor()
    await desk.page.getByText('the flat is gone').waitFor()
    expect(await line.allTextContents()).toEqual([
      'SieAgreement · nicht mehr nötig',
      'Northwind ClinicAgreement · nicht mehr nötig',
    ])
    expect(desk.complaints).toEqual([])
  },
)

test(
  'a plugin is asked through the forwarder, offers what fits, and neither of them can be read [PERSON-11]',
  LONG,
  async () => {
    const site = await openPlace(world, forms)
    const run = await forms.start(await forms.publish(delivery(site.pluginId)))
    await routeForwarder(context, site)
    await beginTurn('Delivery')
    const place = page.getByRole('region', { name: 'Where to' })
    const options = place.getByRole('option')
    const pick = async (label: string, query: string, offered: readonly string[]): Promise<void> => {
      await place.getByRole('combobox', { name: label }).fill(query)
      await expect.poll(() => options.allTextContents(), SOON).toEqual(offered)
      await options.first().click()
      await place.getByRole('button', { name: `Change: ${label}` }).waitFor()
    }
    const weight = page.getByLabel('Weight in kilograms')
    await place.getByText('Answer this first: Weight.').waitFor()
    await weight.fill('10')
    await place.getByText('Places (loans.example)').waitFor()
    expect(await place.getByRole('combobox', { name: 'Street' }).isDisabled()).toBe(true)
    await place.getByText('Choose first: Country.').waitFor()
    await pick('Country', '', ['Sweden', 'Germany'])
    await pick('Street', 'ny', ['Nygatan'])

    // Another country has other streets, and a heavy parcel goes to one country only.
    await place.getByRole('button', { name: 'Change: Country' }).click()
    await pick('Country', 'germ', ['Germany'])
    await pick('Street', '', ['Hauptstraße'])
    await place.getByLabel('Floor').fill('3')
    await expect.poll(() => constant('Fee').textContent(), SOON).toBe('23')
    await weight.fill('30')
    await place.getByText('What you picked does not fit your answers any more. Pick again.').waitFor()
    await pick('Country', '', ['Sweden'])
    await pick('Street', 'stor', ['Storgatan'])
    expect(await place.getByLabel('Floor').inputValue()).toBe('3')
    await expect.poll(() => constant('Fee').textContent(), SOON).toBe('63')
    await page.getByRole('button', { name: 'Seal and send' }).click()
    await page.getByText('Northwind Clinic answers now. You are told').waitFor()
    await page.getByText('Sweden / Storgatan / 3').waitFor()

    const { place: answer } = await client.flows.open(await client.flows.get(run), key)
    expect(JSON.parse(answer !== undefined && 'text' in answer ? answer.text : '')).toMatchObject({
      plugin: 'Places',
      blocks: [{ id: 'se', value: 'Sweden' }, { id: 'Storgatan' }, { value: 3 }],
      outputs: [{ key: 'fee', value: 63 }],
    })
    expect(site.carried.length).toBeGreaterThan(8)
    const everything = [...sent, ...site.carried].join('\n')
    for (const plain of ['Storgatan', 'Nygatan', 'Sweden', 'Hauptstraße']) expect(everything).not.toContain(plain)
    expect(complaints).toEqual([])
  },
)

test('answers are not sent twice, and not to a form that is another one than the shown', LONG, async () => {
  const shown = {
    entry: 'one',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'You', type: 'person' },
    ],
    nodes: [
      {
        key: 'one',
        party: 'customer',
        title: 'Short form',
        elements: [{ kind: 'field', slug: 'word', field_type: 'text', label: 'A word', required: true }],
      },
      { key: 'two', party: 'us', title: 'Then', elements: [] },
    ],
    edges: [{ from: 'one', to: 'two', sort: 0, condition: null }],
    constants: [],
  }
  const run = await forms.start(await forms.publish(shown))
  await beginTurn('Short form')
  await page.getByLabel('A word').fill('harbour')
  const path = `**/flow-runs/${run}`
  await context.route(path, async (route) => {
    const response = await route.fetch()
    const body: unknown = await response.json()
    await route.fulfill({
      response,
      json: {
        ...(body as object),
        definition: { ...shown, nodes: shown.nodes.map((node) => ({ ...node, title: 'Another' })) },
      },
    })
  })
  await page.getByRole('button', { name: 'Seal and send' }).click()
  await page.getByText('The questions of this form are others than this device knows').waitFor()
  expect(sent.filter((line) => line.includes(`${run}/answers`))).toEqual([])
  await context.unroute(path)

  // The answer of the platform is lost on the way; the next try sends nothing.
  await context.route(`${path}/answers`, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Seal and send' }).click()
  await page.getByText('Sealpost cannot be reached.').waitFor(SOON)
  expect(await page.getByLabel('A word').inputValue()).toBe('harbour')
  await context.unroute(`${path}/answers`)
  const tries = sent.filter((line) => line.includes(`${run}/answers`)).length
  await page.getByRole('button', { name: 'Seal and send' }).click()
  await page.getByText('This was answered already').waitFor()
  expect(sent.filter((line) => line.includes(`${run}/answers`))).toHaveLength(tries)
  expect(await client.flows.open(await client.flows.get(run), key)).toMatchObject({ word: { text: 'harbour' } })

  // The person ends it for everybody.
  await page.getByRole('link', { name: 'What has happened so far' }).click()
  await page.getByRole('link', { name: 'End this form' }).click()
  await page.getByLabel('Reason').fill('I have moved')
  await page.getByRole('button', { name: 'End it for everybody' }).click()
  await page.getByText('You ended this early.').waitFor()
  expect(await client.flows.waitForEnd(run, { pollSeconds: 0.1 })).toMatchObject({ cancel_reason: 'I have moved' })
  expect(await forms.app.flows.get(connectionId, run)).toMatchObject(NAME(run))
})

async function signInGerman(german: Page): Promise<void> {
  await german.getByRole('link', { name: 'Ich habe ein Konto' }).click()
  await german.getByLabel('E-Mail-Adresse').fill(person.email)
  await german.getByLabel('Passwort', { exact: true }).fill(person.password)
  await german.getByRole('button', { name: 'Anmelden' }).click()
}
