import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
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

async function open(path: string, { mayUseCamera = true } = {}) {
  const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
  const device = await app.device(viewports.phone)
  // What is not granted is refused.
  await device.context.grantPermissions(mayUseCamera ? ['camera'] : [], { origin: app.url })
  await signIn(device.page, person.email, person.password)
  await device.page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()
  await go(device.page, path)
  return { ...device, person }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a person scans the code of a company with the camera, and connects', LONG, async () => {
  const { page, person, complaints } = await open('/connect')
  camera.show('https://elsewhere.example/menu')
  await button(page, 'Scan the code').click()
  await page.getByText('This code does not lead to a company at Sealpost.').waitFor()
  await page.getByRole('img', { name: 'What the camera sees' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await button(page, 'Close the camera').click()
  expect(await page.getByRole('img', { name: 'What the camera sees' }).count()).toBe(0)

  camera.show(`${app.url}/connect/${shop.service.code}`)
  await button(page, 'Scan the code').click()
  await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
  await page.getByLabel('Write it now').first().check()
  await page.getByLabel('First name', { exact: true }).fill('Mara')
  await button(page, 'Connect and share').click()
  await page.getByText('Membership sees one thing of yours.').waitFor()
  const [connection] = await person.connections()
  expect(await shop.service.value(String(connection?.['id']), 'first')).toBe('Mara')
  expect(complaints).toEqual([])
})

test('a person scans the request of an app on another screen, and answers it', LONG, async () => {
  const made = attempt(shop.app, { mode: 'connect', response_mode: 'detached' })
  camera.show(`${app.url}/consent?${new URLSearchParams(made.query).toString()}`)
  const { page, complaints } = await open('/connect')
  await button(page, 'Scan the code').click()
  await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
  await page.getByText('This request comes from another screen.').waitFor()
  await page.getByLabel('Write it now').first().check()
  await page.getByLabel('First name', { exact: true }).fill('Mara')
  await button(page, 'Connect').click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  const { body } = await shop.result(shop.app, made)
  expect((await exchange(world, shop.app, made, String(body['code']))).body).toMatchObject({ mode: 'connect' })
  expect(complaints).toEqual([])
})

test('without a camera a person chooses a picture of the code', LONG, async () => {
  const { page, complaints } = await open('/connect', { mayUseCamera: false })
  await button(page, 'Scan the code').click()
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

test(
  'the pages of a passport, by camera and as files, are sealed, shown again and opened by the company',
  LONG,
  async () => {
    const back = pictureOf('the back of a passport')
    const { page, person, complaints, sent } = await open('/data')
    camera.show('the front of a passport')
    await go(page, `/data/${person.field('passport')}`)
    await button(page, 'Take a picture').click()
    await button(page, 'Take it now').click()
    await page.getByRole('img', { name: 'Page 1' }).waitFor()
    await page.getByLabel('Add pages').setInputFiles([
      { name: 'back.bmp', mimeType: 'image/bmp', buffer: back },
      { name: 'wrong.bmp', mimeType: 'image/bmp', buffer: back },
    ])
    await page.getByRole('img', { name: 'Page 3' }).waitFor()
    await button(page, 'Remove page 3').click()
    expect(await page.getByRole('combobox', { name: 'Page 1' }).inputValue()).toBe('front')
    expect(await page.getByRole('combobox', { name: 'Page 2' }).inputValue()).toBe('back')
    await page.getByLabel('Whose document is it?').fill('Mara Lind')
    await page.getByLabel('Document number').fill('AA1234567')
    await button(page, 'Save').click()
    await page.getByText('This is needed.').waitFor()
    await page.getByLabel('Issued by').selectOption('SE')
    expect(await findBarriers(page)).toEqual([])
    await button(page, 'Save').click()
    await page.getByText('Saved and sealed.').waitFor()

    await page.reload()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await button(page, 'Sign in').click()
    await page.getByRole('img', { name: 'Page 2' }).waitFor()
    expect(await page.getByLabel('Whose document is it?').inputValue()).toBe('Mara Lind')
    expect(await page.getByLabel('Document number').inputValue()).toBe('AA1234567')
    const widths = await page.evaluate<number[]>('[...document.images].map(({ naturalWidth }) => naturalWidth)')
    expect(widths.length === 2 && widths.every((width) => width > 100)).toBe(true)

    await go(page, `/connect/${bank.code}`)
    await page.getByRole('radio', { name: 'Pages of a document' }).check()
    await button(page, 'Connect and share').click()
    await page.getByText('Account opening sees one thing of yours.').waitFor()
    const [connection] = await person.connections()
    const { client, key, connectionId } = await officeOf(world, bank, String(connection?.['id']))
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
