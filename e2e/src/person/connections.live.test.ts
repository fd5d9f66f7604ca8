import { bodyOf, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { go, setPasscode, signIn } from './acts.ts'
import { openPersonApp } from './person-app.ts'

const app = await openPersonApp()
const { world } = app
const LONG = { timeout: scaled(240_000) }
const SOON = { timeout: scaled(20_000) }

const FIELDS = [
  { slug: 'name', label: 'First name', mandatory_provide: true },
  { slug: 'home', label: 'Where you live', type: 'address' },
  { slug: 'born', label: 'Date of birth', type: 'date_of_birth', one_time: true },
  { slug: 'hobby', label: 'A hobby' },
]

/** A service of a company of its own in `eu`. */
async function serviceOf(displayName: string, name: string, fields: Parameters<typeof world.service>[0] = FIELDS) {
  return world.service(fields, { company: await world.company({ region: 'eu', displayName }), name })
}

const clinic = await serviceOf('Northwind Clinic', 'Patient intake')
// Signing in costs more than what follows, so one device goes through all of it; nothing is in her data yet.
const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
const { page, complaints, sent } = await app.device()
await signIn(page, person.email, person.password)

const ask = (label: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: label }) })
const shownConnection = () => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('a person accepts one invitation and rejects another [PERSON-06]', LONG, async () => {
  const gym = await serviceOf('Vasa Fitness', 'Membership', [
    { slug: 'first', label: 'First name', mandatory_provide: true },
  ])
  const invite = (service: typeof gym) =>
    bodyOf(
      service.data('POST', '/api/company-data/connect-requests', {
        body: { share_code: person.shareCode, message: 'Come and see.' },
      }),
      201,
    )
  await page.getByText('Nothing waits for you.').waitFor()
  for (const service of [gym, clinic]) await invite(service)
  await page.getByRole('link', { name: 'Vasa Fitness' }).click()
  await page.getByRole('radio', { name: 'Write it now' }).check()
  await page.getByLabel('First name', { exact: true }).fill('Ida')
  await page.getByRole('button', { name: 'Connect and share' }).click()
  await page.getByText('Membership sees one thing of yours.').waitFor()
  const connectionId = shownConnection()
  expect(await gym.value(connectionId, 'first')).toBe('Ida')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'Northwind Clinic' }).click()
  await page.getByRole('button', { name: 'No, thank you' }).click()
  await page.getByText('Nothing waits for you.').waitFor()
  expect(await bodyOf(person.calls('GET', '/api/customer/connect-requests'))).toMatchObject({ total: 0 })
  expect(await person.connections()).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a company that asks for more gets nothing until the person decides [PERSON-01]', LONG, async () => {
  await page.getByRole('link', { name: 'Who sees' }).click()
  await page.getByRole('link', { name: 'Connect to a company' }).click()
  await page.getByLabel('Code').fill('NOWHERE')
  await page.getByRole('button', { name: 'Look it up' }).click()
  await page.getByText('The code has two parts').waitFor()
  await page.getByLabel('Code').fill('ZZZZZZ/ZZZZ')
  await page.getByRole('button', { name: 'Look it up' }).click()
  await page.getByText('There is no service with this code.').waitFor()
  await page.getByLabel('Code').fill(clinic.code)
  await page.getByRole('button', { name: 'Look it up' }).click()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The company needs this.').waitFor()
  await ask('First name').getByRole('radio', { name: 'Write it now' }).check()
  await ask('First name').getByLabel('First name', { exact: true }).fill('Ola')
  await page.getByRole('button', { name: 'Connect and share' }).click()
  await page.getByText('Patient intake sees one thing of yours.').waitFor()
  const connectionId = shownConnection()
  await page.getByRole('button', { name: 'Decide: A hobby' }).click()
  await page.getByRole('radio', { name: 'Write it now' }).check()
  await page.getByLabel('A hobby', { exact: true }).fill('skating')
  await page.getByRole('button', { name: 'Give it' }).click()
  await page.getByText('Patient intake sees 2 things of yours.').waitFor()
  expect(await clinic.value(connectionId, 'hobby')).toBe('skating')
  await page.getByRole('button', { name: 'Change: A hobby' }).click()
  await page.getByRole('radio', { name: 'Do not give it' }).check()
  await page.getByRole('button', { name: 'Stop sharing it' }).click()
  await page.getByText('Patient intake sees one thing of yours.').waitFor()
  expect(await clinic.value(connectionId, 'hobby')).toBeNull()
  await page.getByRole('button', { name: 'Decide: Where you live' }).click()
  await page.getByRole('radio', { name: 'Do not give it' }).check()
  await page.getByRole('button', { name: 'Do not give it' }).click()
  await expect.poll(async () => JSON.stringify(await person.connections())).toContain('"declined":["home"]')
  expect(complaints).toEqual([])
})

test(
  'a person writes data, connects by code, changes a value, and ends it; the company sees exactly that [PERSON-01][PERSON-02]',
  LONG,
  async () => {
    const ward = await serviceOf('Southwind Hospital', 'Ward')
    await page.getByRole('link', { name: 'My data' }).click()
    await page.getByRole('link', { name: 'First name' }).click()
    await page.getByLabel('First name').fill('Mara')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved and sealed.').waitFor()

    await page.getByRole('link', { name: 'Who sees' }).click()
    await page.getByRole('link', { name: 'Connect to a company' }).click()
    await page.getByLabel('Code').fill(ward.code.toLowerCase())
    await page.getByRole('button', { name: 'Look it up' }).click()
    await page.getByRole('heading', { name: 'Connect to Southwind Hospital?' }).waitFor()
    expect(await ask('First name').getByRole('radio', { name: 'Mara' }).isChecked()).toBe(true)
    expect(await ask('Where you live').getByRole('radio', { name: 'Do not give it' }).isChecked()).toBe(true)
    await ask('Where you live').getByText('Every change follows').waitFor()
    await ask('Date of birth').getByText('One copy.').waitFor()
    await ask('Where you live').getByRole('radio', { name: 'Write it now' }).check()
    await ask('Where you live').getByLabel('Street').fill('Storgatan')
    await ask('Where you live').getByLabel('Town').fill('Göteborg')
    await ask('Where you live').getByLabel('Also keep it in my data').check()
    await ask('A hobby').getByRole('radio', { name: 'Something else' }).check()
    await ask('A hobby').getByLabel('A hobby', { exact: true }).fill('chess problems')
    await page.getByRole('button', { name: 'Connect and share' }).click()
    await page.getByText('Ward sees 3 things of yours.').waitFor()
    const connectionId = shownConnection()
    const read = (slug: string) => ward.value(connectionId, slug)
    expect([await read('name'), await read('hobby')]).toEqual(['Mara', 'chess problems'])
    expect(JSON.parse((await read('home')) ?? '')).toEqual({ street: 'Storgatan', city: 'Göteborg' })

    await page.getByRole('link', { name: 'My data' }).click()
    await page.getByRole('link', { name: 'Storgatan, Göteborg' }).click()
    await page.getByText('One company follows it').waitFor()
    await page.getByLabel('Street').fill('Nygatan')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved and sealed.').waitFor()
    await expect
      .poll(async () => JSON.parse((await read('home')) ?? '{}').street, { timeout: scaled(20_000) })
      .toBe('Nygatan')

    await page.getByRole('link', { name: 'Who sees' }).click()
    await page.getByRole('button', { name: 'Southwind Hospital 3' }).click()
    await page.getByText('Nygatan, Göteborg').waitFor()
    await page.getByText('Typed for this company alone').waitFor()
    await page.getByText('chess problems').waitFor()
    await page.getByRole('link', { name: 'Southwind Hospital' }).first().click()
    await page.getByRole('link', { name: 'End the connection' }).click()
    await page.getByText('Southwind Hospital loses everything that you share').waitFor()
    await page.getByRole('button', { name: 'End connection' }).click()
    await page.getByRole('heading', { name: 'Who sees what' }).waitFor()
    await expect
      .poll(async () => (await ward.data('GET', `/api/company-data/connections/${connectionId}`)).status, {
        timeout: scaled(20_000),
      })
      .toBe(404)
    const everything = sent.join('\n')
    for (const plain of ['Storgatan', 'Nygatan', 'chess problems', '"Mara"', person.password])
      expect(everything).not.toContain(plain)
    expect(complaints).toEqual([])
  },
)

test(
  'a company follows the value that was chosen for it, until another one is; a one-time value is one copy [PERSON-01]',
  LONG,
  async () => {
    const dentist = await serviceOf('Eastwind Dentist', 'Teeth')
    const edit = async (slug: string, label: string, text: string): Promise<void> => {
      await go(page, `/data/${person.field(slug)}`)
      await page.getByLabel(label).fill(text)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved and sealed.').waitFor()
    }
    await edit('first_name', 'First name', 'Nils')
    await edit('last_name', 'Last name', 'Berg')
    await edit('date_of_birth', 'Date of birth', '1990-04-23')
    await go(page, `/connect/${dentist.code}`)
    await ask('First name').getByRole('radio', { name: 'Nils' }).check()
    await ask('Date of birth').getByRole('radio', { name: '23 April 1990' }).check()
    await ask('A hobby').getByRole('radio', { name: 'Berg' }).check()
    await page.getByRole('button', { name: 'Connect and share' }).click()
    await page.getByText('Teeth sees 3 things of yours.').waitFor()
    const connectionId = shownConnection()
    const seen = async () => Promise.all(['name', 'born', 'hobby'].map((slug) => dentist.value(connectionId, slug)))
    expect(await seen()).toEqual(['Nils', '1990-04-23', 'Berg'])

    await edit('last_name', 'Last name', 'Dahl')
    await edit('date_of_birth', 'Date of birth', '1991-05-24')
    await edit('first_name', 'First name', 'Nils Ole')
    await expect.poll(seen, SOON).toEqual(['Nils Ole', '1990-04-23', 'Dahl'])
    await go(page, `/connections/${connectionId}`)
    await page.getByRole('button', { name: 'Change: A hobby' }).click()
    await page.getByRole('radio', { name: 'Nils Ole' }).check()
    await page.getByRole('button', { name: 'Give it' }).click()
    await expect.poll(seen, SOON).toEqual(['Nils Ole', '1990-04-23', 'Nils Ole'])
    await edit('last_name', 'Last name', 'Lind')
    await edit('first_name', 'First name', 'Nils Per')
    await expect.poll(seen, SOON).toEqual(['Nils Per', '1990-04-23', 'Nils Per'])
    expect(complaints).toEqual([])
  },
)

test('a service that wants a second factor gets a connection that this device has confirmed', LONG, async () => {
  const strict = await serviceOf('Nordic Pharmacy', 'Prescriptions', [{ slug: 'name', label: 'First name' }])
  await bodyOf(strict.portal('PUT', `${strict.path}/require-2fa`, { body: { require_2fa: true } }))
  const connected = await person.connections()
  await go(page, `/connect/${strict.code}`)
  await page.getByText('This device cannot confirm yet that it is you.').waitFor()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').waitFor()
  expect(await person.connections()).toEqual(connected)
  await page.getByRole('link', { name: 'Set it up' }).click()
  await setPasscode(page, '482913')
  await page.getByText('This device', { exact: true }).waitFor()
  await go(page, `/connect/${strict.code}`)
  await page.getByLabel('Your passcode').fill('482913')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Prescriptions sees nothing of yours.').waitFor()
  expect(await person.connections()).toHaveLength(connected.length + 1)
  expect(complaints).toEqual([])
})
