import { scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { exchange } from '../oauth/relying-party.ts'
import { go, signIn } from './acts.ts'
import { findBarriers } from './axe.ts'
import { fakeCamera, pictureOf } from './film.ts'
import { officeOf } from './office.ts'
import { openPersonApp, viewports } from './person-app.ts'
import { attempt, openShop } from './shop.ts'

const camera = fakeCamera()
const app = await openPersonApp({ browserArguments: camera.browserArguments })
const { world } = app
world.onEnd(async () => camera.close())
const LONG = { timeout: scaled(240_000) }
const shop = await openShop(world, 'Vasa Fitness')
const company = await world.company({ region: 'eu', level: 'pro', displayName: 'Harborline Bank' })
const bank = await world.service([{ slug: 'passport', label: 'Passport', type: 'passport', mandatory_provide: true }], {
  company,
  name: 'Account opening',
})

// Signing in costs more than what follows, so one device goes through all of it.
const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
const { page, context, complaints, sent } = await app.device(viewports.phone)
await signIn(page, person.email, person.password)
await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()

/** What is not granted is refused; what was granted stays. */
async function open(path: string, { mayUseCamera = true } = {}): Promise<void> {
  await context.grantPermissions(mayUseCamera ? ['camera'] : [], { origin: app.url })
  await go(page, '/')
  await go(page, path)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })

test('without a camera a person chooses a picture of the code', LONG, async () => {
  camera.show(shop.service.code)
  await open('/connect', { mayUseCamera: false })
  await button('Scan the code').click()
  await page.getByText('This device does not let Sealpost use its camera.').waitFor()
  const choose = (content: Buffer) =>
    page.getByLabel('Or from a picture').setInputFiles({ name: 'code.bmp', mimeType: 'image/bmp', buffer: content })
  await choose(Buffer.from('no picture'))
  await page.getByText('There is no QR code in this picture.').waitFor()
  await choose(pictureOf('WIFI:T:WPA;S:cafe;P:secret;;'))
  await page.getByText('This code does not lead to a company at Sealpost.').waitFor()
  await choose(pictureOf(shop.service.code, { degrees: -20, module: 6 }))
  await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
  expect(complaints).toEqual([])
})

test('a person scans the code of a company with the camera, and connects', LONG, async () => {
  await open('/connect')
  camera.show('https://elsewhere.example/menu')
  await button('Scan the code').click()
  await page.getByText('This code does not lead to a company at Sealpost.').waitFor()
  await page.getByRole('img', { name: 'What the camera sees' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await button('Close the camera').click()
  expect(await page.getByRole('img', { name: 'What the camera sees' }).count()).toBe(0)

  camera.show(`${app.url}/connect/${shop.service.code}`)
  await button('Scan the code').click()
  await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
  await page.getByLabel('Write it now').first().check()
  await page.getByLabel('First name', { exact: true }).fill('Mara')
  await button('Connect and share').click()
  await page.getByText('Membership sees one thing of yours.').waitFor()
  const [connection] = await person.connections()
  expect(await shop.service.value(String(connection?.['id']), 'first')).toBe('Mara')
  expect(complaints).toEqual([])
})

test('a person scans the request of an app on another screen, and answers it', LONG, async () => {
  const other = await openShop(world, 'Nordic Pharmacy', { detached: true })
  const made = attempt(other.app, { mode: 'connect', response_mode: 'detached' })
  camera.show(`${app.url}/consent?${new URLSearchParams(made.query).toString()}`)
  await open('/connect')
  await button('Scan the code').click()
  await page.getByRole('heading', { name: 'Connect to Nordic Pharmacy?' }).waitFor()
  await page.getByText('This request comes from another screen.').waitFor()
  await page.getByLabel('Write it now').first().check()
  await page.getByLabel('First name', { exact: true }).fill('Mara')
  await button('Connect').click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  const { body } = await other.result(other.app, made)
  expect((await exchange(world, other.app, made, String(body['code']))).body).toMatchObject({ mode: 'connect' })
  expect(complaints).toEqual([])
})

test(
  'the pages of a passport, by camera and as files, are sealed, shown again and opened by the company',
  LONG,
  async () => {
    const back = pictureOf('the back of a passport')
    await open('/data')
    camera.show('the front of a passport')
    await go(page, `/data/${person.field('passport')}`)
    await button('Take a picture').click()
    await button('Take it now').click()
    await page.getByRole('img', { name: 'Page 1' }).waitFor()
    await page.getByLabel('Add pages').setInputFiles([
      { name: 'back.bmp', mimeType: 'image/bmp', buffer: back },
      { name: 'wrong.bmp', mimeType: 'image/bmp', buffer: back },
    ])
    await page.getByRole('img', { name: 'Page 3' }).waitFor()
    await button('Remove page 3').click()
    expect(await page.getByRole('combobox', { name: 'Page 1' }).inputValue()).toBe('front')
    expect(await page.getByRole('combobox', { name: 'Page 2' }).inputValue()).toBe('back')
    await page.getByLabel('Whose document is it?').fill('Mara Lind')
    await page.getByLabel('Document number').fill('AA1234567')
    await button('Save').click()
    await page.getByText('This is needed.').waitFor()
    await page.getByLabel('Issued by').selectOption('SE')
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await page.getByText('Saved and sealed.').waitFor()

    await page.reload()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await button('Sign in').click()
    await page.getByRole('img', { name: 'Page 2' }).waitFor()
    expect(await page.getByLabel('Whose document is it?').inputValue()).toBe('Mara Lind')
    expect(await page.getByLabel('Document number').inputValue()).toBe('AA1234567')
    const widths = await page.evaluate<number[]>('[...document.images].map(({ naturalWidth }) => naturalWidth)')
    expect(widths.length === 2 && widths.every((width) => width > 100)).toBe(true)

    await go(page, `/connect/${bank.code}`)
    await page.getByRole('radio', { name: 'Pages of a document' }).check()
    await button('Connect and share').click()
    await page.getByText('Account opening sees one thing of yours.').waitFor()
    const { client, key, connectionId } = await officeOf(
      world,
      bank,
      new URL(page.url()).pathname.split('/').at(-1) ?? '',
    )
    const record = await client.connections.get(connectionId)
    const shared = await client.files.readShared(record, 'passport', key)
    expect(shared).toMatchObject({
      authenticity: 'signed',
      name: 'Mara Lind',
      entries: { document_number: 'AA1234567', issuing_country: 'SE' },
    })
    expect(shared.files.map(({ part, label, mimeType }) => [part, label, mimeType])).toEqual([
      ['page', 'front', 'image/jpeg'],
      ['page', 'back', 'image/bmp'],
    ])
    expect(Buffer.from(shared.files[1]?.bytes ?? []).equals(back)).toBe(true)
    expect(sent.join('\n')).not.toContain(back.toString('base64').slice(0, 400))
    expect(sent.join('\n')).not.toContain('AA1234567')
    expect(complaints).toEqual([])
  },
)
