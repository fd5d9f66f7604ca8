import { scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { exchange, REDIRECT, tokensOf } from '../oauth/relying-party.ts'
import { bearer, get } from '../wire.ts'
import { go, signIn } from './acts.ts'
import { clientOf } from './client-of.ts'
import { findFaults, setLook } from './looks.ts'
import { openPersonApp } from './person-app.ts'
import { attempt, openShop, watchCallback } from './shop.ts'

const app = await openPersonApp()
const { world } = app
const CLAIMS = [
  { name: 'mail', type: 'email', label: 'Where we write to', required: true },
  { name: 'phone', type: 'phone' },
]
const gym = await openShop(world, 'Vasa Fitness', { detached: true })
const bank = await openShop(world, 'Harborline Bank', { claims: CLAIMS, detached: true })
const LONG = { timeout: scaled(120_000) }

// Signing in costs more than what follows, so one device goes through all of it.
const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
await clientOf(person).contactData.put(person.field('email'), 'mara@post.example')
const device = await app.device()
const { page, complaints, sent } = device
const enrolment = bank.enrolment()
await page.goto(bank.address(enrolment))
await signIn(page, person.email, person.password)

const open = (query: object) => go(page, `/consent?${new URLSearchParams({ ...query }).toString()}`)
const writeInstead = () => page.getByRole('radio', { name: /Write it now|Something else/ })

/** What the app gets at the end of the way. Its page has no content, so the browser stays here, and the account open. */
async function wayBack(): Promise<() => Promise<URLSearchParams>> {
  const arrived = Promise.withResolvers<URLSearchParams>()
  await device.context.route(`${REDIRECT}**`, async (route) => {
    arrived.resolve(new URL(route.request().url()).searchParams)
    await route.fulfill({ status: 204 })
  })
  return () => arrived.promise
}

describe('the consent page', () => {
  test('enrols for sign-ins and connects for it, and says no where the person refuses [TWOFA-22]', LONG, async () => {
    const refused = await wayBack()
    await page.getByRole('heading', { name: 'Confirm sign-ins at Harborline Bank here?' }).waitFor()
    await page.getByRole('button', { name: 'Refuse' }).click()
    const no = await refused()
    expect([no.get('error'), no.get('state')]).toEqual(['access_denied', enrolment.query['state']])
    expect(await person.connections()).toEqual([])

    const made = bank.enrolment()
    const callback = await wayBack()
    await open(made.query)
    await page.getByRole('heading', { name: 'Confirm sign-ins at Harborline Bank here?' }).waitFor()
    await writeInstead().first().check()
    await page.getByLabel('First name', { exact: true }).fill('Mara')
    await page.getByRole('button', { name: 'Confirm sign-ins here' }).click()
    const answer = await callback()
    expect([answer.get('enrolled'), answer.get('state')]).toEqual(['true', made.query['state']])
    expect(await enrollmentsOf(person)).toEqual([bank.service.serviceId])
  })

  const modes = {
    signin: () => attempt(bank.app, { scope: 'openid' }),
    one_time: () => attempt(bank.app, { mode: 'one_time' }),
    connect: () => attempt(gym.app, { mode: 'connect' }),
    '2fa_enroll': () => gym.enrolment(),
  }

  test('has no barrier in any mode, on this screen or for another one, with large text too', LONG, async () => {
    const found: string[] = []
    const examine = async (name: string): Promise<void> => {
      for (const look of ['light', 'large-text'] as const) {
        await setLook(page, look)
        for (const fault of await findFaults(page, look)) found.push(`${name} ${look}: ${fault}`)
      }
      await setLook(page, 'light')
    }
    for (const [mode, make] of Object.entries(modes))
      for (const way of ['redirect', 'detached']) {
        await open({ ...make().query, response_mode: way })
        await page.getByRole('button', { name: 'Refuse' }).waitFor()
        await examine(`${mode} ${way}`)
        for (const choice of await writeInstead().all()) await choice.check()
        await page.locator('button[type=submit]').click()
        await page.getByText('The company needs this.').first().waitFor()
        await examine(`${mode} ${way}, with what is missing`)
        // Refused where it is answered here; a browser would leave for the app.
        if (way === 'redirect') continue
        await page.getByRole('button', { name: 'Refuse' }).click()
        await page.getByRole('link', { name: 'Go to the start' }).waitFor()
        await examine(`${mode}, refused`)
      }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })

  test('connects a person who was sent by an app, with a value that only the company can open', LONG, async () => {
    const made = attempt(gym.app, { mode: 'connect' })
    const callback = await wayBack()
    const known = (await person.connections()).map(({ id }) => id)
    await open(made.query)
    await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
    await page.getByText('Membership wants to stay in touch with you.').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The company needs this.').waitFor()
    await writeInstead().first().check()
    await page.getByLabel('First name', { exact: true }).fill('Marabella')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const answer = await callback()
    expect(answer.get('state')).toBe(made.query['state'])
    expect((await exchange(world, gym.app, made, answer.get('code') ?? '')).body).toMatchObject({ mode: 'connect' })
    const [connection] = (await person.connections()).filter(({ id }) => !known.includes(id))
    const connectionId = String(connection?.['id'])
    expect(await gym.service.value(connectionId, 'first')).toBe('Marabella')
    expect(await gym.service.value(connectionId, 'phone')).toBeNull()
    expect(sent.join('\n')).not.toContain('Marabella')

    const again = await wayBack()
    await open(attempt(gym.app, { mode: 'connect' }).query)
    await page.getByText('You are connected to Membership already.').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    expect((await again()).has('code')).toBe(true)
    expect(await person.connections()).toHaveLength(known.length + 1)
    const seen = await clientOf(person).connections.get(connectionId)
    expect(seen.company.display_name).toBe('Vasa Fitness')
    expect(complaints).toEqual([])
  })

  test('signs in with a field of the own data, sealed to the app', LONG, async () => {
    const made = attempt(bank.app, { scope: 'openid' })
    const callback = await wayBack()
    await open(made.query)
    await page.getByRole('heading', { name: 'Sign in at Harborline Bank?' }).waitFor()
    await page.getByText('Only Harborline Bank can open what you give.').waitFor()
    await page.getByLabel('mara@post.example').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    const reply = await exchange(world, bank.app, made, (await callback()).get('code') ?? '')
    const info = await get(`${world.frontDoor.url}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
    const values = new Map(Object.entries(Object(info.body['values'])))
    expect([...values.keys()]).toEqual(['mail'])
    expect(await bank.open(values.get('mail'))).toBe('mara@post.example')
    expect(sent.join('\n')).not.toContain('mara@post.example')
    expect(complaints).toEqual([])
  })

  test('gives something once to an app on another screen, which fetches the outcome', LONG, async () => {
    const made = attempt(bank.app, { mode: 'one_time', response_mode: 'detached' })
    await open(made.query)
    await page.getByRole('heading', { name: 'Give Harborline Bank something once?' }).waitFor()
    await page.getByText('This request comes from another screen.').waitFor()
    await writeInstead().first().check()
    await page.getByLabel('Where we write to', { exact: true }).fill('once@post.example')
    await page.getByRole('button', { name: 'Give it once' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const { body } = await bank.result(bank.app, made)
    const reply = await exchange(world, bank.app, made, String(body['code']))
    const info = await get(`${world.frontDoor.url}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
    expect(await bank.open(new Map(Object.entries(Object(info.body['values']))).get('mail'))).toBe('once@post.example')
  })

  test('refuses a forged address in words, and leads nowhere', LONG, async () => {
    const { query } = attempt(gym.app, { mode: 'connect' })
    const left: string[] = []
    device.context.on('request', (request) => {
      if (request.isNavigationRequest()) left.push(new URL(request.url()).origin)
    })
    const forged = {
      'an unknown app': new URLSearchParams({ ...query, client_id: 'idw_unknown' }),
      'another way back': new URLSearchParams({ ...query, redirect_uri: 'https://evil.example/' }),
      'an unknown mode': new URLSearchParams({ ...query, mode: 'everything' }),
      'two apps': new URLSearchParams([...Object.entries(query), ['client_id', 'idw_other']]),
      'no app': new URLSearchParams({ mode: 'connect' }),
    }
    const connected = await person.connections()
    for (const parameters of Object.values(forged)) {
      await open(query)
      await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
      await go(page, `/consent?${parameters.toString()}`)
      await page.getByRole('heading', { name: 'This request cannot be shown' }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(1)
      expect(await page.getByRole('button').filter({ hasText: 'Connect' }).count()).toBe(0)
    }
    expect(left).toEqual([])
    expect(await person.connections()).toEqual(connected)
  })

  test('signs with the passcode of the device where the app wants a second factor', LONG, async () => {
    const strict = await openShop(world, 'Nordic Pharmacy', { require_2fa: true })
    const made = attempt(strict.app, { scope: 'openid' })
    await open(made.query)
    await page.getByText('This device cannot confirm yet that it is you.').waitFor()
    await page.getByRole('link', { name: 'Set it up' }).click()
    await page.getByLabel('Passcode', { exact: true }).fill('482913')
    await page.getByLabel('Once more').fill('482913')
    await page.getByRole('button', { name: 'Use this' }).click()
    await page.getByText('This device', { exact: true }).waitFor()
    const callback = await watchCallback(device.context)
    await page.goto(strict.address(made))
    await page.getByLabel('Your passcode').fill('482913')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Sign in at Nordic Pharmacy?' }).waitFor()
    await page.getByLabel('Your passcode').fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('That is not your passcode.').waitFor()
    await page.getByLabel('Your passcode').fill('482913')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('back at the app').waitFor()
    const reply = await exchange(world, strict.app, made, (await callback()).get('code') ?? '')
    const info = await get(`${world.frontDoor.url}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
    expect(info.body).toMatchObject({ two_factor: true, share_code: person.shareCode })
  })
})

async function enrollmentsOf(of: Parameters<typeof clientOf>[0]): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { service_id: id } of clientOf(of).twofa.enrollments()) ids.push(id)
  return ids
}
