import { addDevice, bodyOf, callsWith, enroll, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { all } from '../sharing/parties.ts'
import { clientOf } from './client-of.ts'
import { formsOf, lease } from './forms.ts'
import { choose, press, reach, tick, type } from './keyboard.ts'
import { officeOf } from './office.ts'
import { openPersonApp, viewports } from './person-app.ts'

const app = await openPersonApp()
const { world } = app
const LONG = { timeout: scaled(300_000) }
const SOON = { timeout: scaled(20_000) }
const PASSCODE = '482913'

const company = await world.company({ region: 'eu', level: 'pro', displayName: 'Northwind Clinic' })
const clinic = await world.service([{ slug: 'first', label: 'First name' }], { company, name: 'Patient intake' })
const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
await clientOf(person).contactData.put(person.field('first_name'), 'Mara')
const made = await clientOf(person).connect(clinic.code, { first: { from: person.field('first_name') } })
const { client, key, target, connectionId } = await officeOf(world, clinic, made.id)
await enroll(world, clinic.client, person)
const forms = await formsOf(world, clinic, person, connectionId)
const run = await forms.start(await forms.publish(lease()), { rent: 900 })
const contract = { target, kind: 'agreement', requires_signature: true } as const
const value = { title: 'House rules', sections: [{ heading: 'Quiet', text: 'From ten to six' }] }
const toSign = await client.documents.send({ ...contract, name: 'House rules', value })
const toDecline = await client.documents.send({ ...contract, name: 'Visiting hours', value })
// A second device, which is removed, and its session with it.
const other = await person.logIn()
await addDevice({ ...person, calls: callsWith(other.apiUrl, other.token) })

test(
  'a person signs only behind the passcode, declines, answers, writes, approves, removes a device and leaves by keyboard alone [PERSON-05]',
  LONG,
  async () => {
    const { page, complaints } = await app.device(viewports.desk)
    const clicks: unknown[] = []
    await page.exposeFunction('pointerUsed', (what: unknown) => clicks.push(what))
    await page.evaluate(`addEventListener('pointerdown', () => pointerUsed('pointer'))`)
    await press(page, 'link', 'I have an account')
    await type(page, 'E-mail address', person.email)
    await type(page, 'Password', person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()

    // How this device opens.
    await press(page, 'link', 'Open without your password')
    await type(page, 'Passcode', PASSCODE)
    await type(page, 'Once more', PASSCODE)
    await page.keyboard.press('Enter')
    await page.getByText('This device', { exact: true }).waitFor()

    // Devices: the other one is removed.
    const removal = page.getByRole('button', { name: /^Remove / })
    await expect.poll(() => removal.count(), SOON).toBe(2)
    const names = await Promise.all((await removal.all()).map((one) => one.getAttribute('aria-label')))
    const rows = await page.getByRole('listitem').allTextContents()
    const place = rows.findIndex((row) => !row.includes('This device'))
    let passed = -1
    await reach(page, ({ name }) => {
      if (names.includes(name)) passed += 1
      return passed === place
    })
    for (const _press of ['asks', 'does']) await page.keyboard.press('Enter')
    await expect.poll(() => removal.count(), SOON).toBe(1)
    await page.getByText('This device', { exact: true }).waitFor()

    // A paper is signed behind the passcode, another one is declined.
    await press(page, 'link', 'Inbox')
    await press(page, 'link', 'Papers')
    await press(page, 'link', 'House rules')
    await page.getByText('From ten to six').waitFor()
    await type(page, 'Your passcode', '000000')
    await page.keyboard.press('Enter')
    await page.getByText('That is not your passcode.').waitFor()
    expect((await client.documents.get(toSign.id)).status).toBe('ready_to_sign')
    await type(page, 'Your passcode', PASSCODE)
    await press(page, 'button', 'Sign')
    await page.getByText('You have signed.').waitFor()
    expect((await client.documents.get(toSign.id)).status).toBe('active')
    // A contract in force that is not cancellable in the app has no way to it.
    await page.getByText('You agreed to this, and it is in force.').waitFor()
    expect(await page.getByRole('link', { name: 'Cancel it' }).count()).toBe(0)
    await press(page, 'link', 'Inbox')
    await press(page, 'link', 'Papers')
    await press(page, 'link', 'Visiting hours')
    await press(page, 'link', 'Decline')
    await page.getByText('Northwind Clinic learns that you said no.').waitFor()
    await reach(page, ({ name }) => name.startsWith('Your reason'))
    await page.keyboard.type('Too short')
    await press(page, 'button', 'Decline it')
    await page.getByText('This has ended.').waitFor()
    expect((await client.documents.get(toDecline.id)).status).toBe('ended')

    // A turn, with choices, ticks and a date.
    await press(page, 'link', 'Home')
    await press(page, 'link', 'Fill in Your lease')
    await press(page, 'link', 'Fill it in')
    await type(page, 'How we call you', 'Mara')
    await choose(page, 'A flat')
    await tick(page, 'A cat')
    await reach(page, ({ name, type: kind }) => kind === 'date' && name.startsWith('First day'))
    const { reference_date: today } = await client.flows.get(run)
    const [year, month, day] = new Date(Date.parse(`${today}T00:00:00Z`) + 30 * 86_400_000)
      .toISOString()
      .slice(0, 10)
      .split('-')
    // The browser's own language decides about the order.
    await page.keyboard.type(`${month}${day}${year}`)
    await press(page, 'button', 'Seal and send')
    await page.getByText('Northwind Clinic answers now.').waitFor()
    const answered = await client.flows.open(await client.flows.get(run), key)
    expect(answered).toMatchObject({ nick: { text: 'Mara' }, kind: { text: 'flat' }, pets: { text: '["cat"]' } })

    // A message.
    await press(page, 'link', 'Inbox')
    await press(page, 'link', 'Messages')
    await press(page, 'link', 'Northwind Clinic')
    await type(page, 'Your message', 'May I come at ten?')
    await press(page, 'button', 'Send')
    const texts = async () =>
      Promise.all((await all(client.messages.list(connectionId))).map((message) => client.messages.open(message, key)))
    await expect.poll(texts, SOON).toEqual(['May I come at ten?'])

    // A sign-in somewhere else is approved.
    const body = { share_code: person.shareCode, idempotency_key: 'login-1', context: 'Firefox on Windows' }
    const challenge = await bodyOf(clinic.data('POST', '/api/service-2fa/challenges', { body }))
    await page.getByRole('dialog', { name: 'Is this you signing in at Northwind Clinic?' }).waitFor()
    await type(page, 'Your passcode', PASSCODE)
    await press(page, 'button', 'Approve')
    await page.getByRole('dialog', { name: 'Approved' }).waitFor()
    await press(page, 'button', 'Close')
    const { status } = await bodyOf(
      clinic.data('GET', `/api/service-2fa/challenges/${String(challenge['challenge_id'])}`),
    )
    expect(status).toBe('approved')

    // And the connection ends, after the agreement that was signed.
    await press(page, 'link', 'Who sees')
    await press(page, 'link', 'Northwind Clinic')
    await press(page, 'link', 'End the connection')
    await press(page, 'button', 'End connection')
    await page.getByText('End the agreement first').waitFor()
    await client.documents.end(toSign.id)
    await press(page, 'button', 'End connection')
    await page.getByRole('heading', { name: 'Who sees what' }).waitFor()
    await expect.poll(() => person.connections(), SOON).toEqual([])
    expect(clicks).toEqual([])
    expect(complaints).toEqual([])
  },
)
