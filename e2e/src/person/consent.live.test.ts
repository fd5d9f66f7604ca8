import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { exchange, tokensOf } from '../oauth/relying-party.ts'
import { bearer, get } from '../wire.ts'
import { go, signIn } from './acts.ts'
import { findBarriers } from './axe.ts'
import { clientOf } from './client-of.ts'
import { findMisfits } from './layout.ts'
import { openPersonApp } from './person-app.ts'
import { attempt, openShop, watchCallback } from './shop.ts'

const app = await openPersonApp()
const { world } = app
const CLAIMS = [
  { name: 'mail', type: 'email', label: 'Where we write to', required: true },
  { name: 'phone', type: 'phone' },
]
const gym = await openShop(world, 'Vasa Fitness')
const bank = await openShop(world, 'Harborline Bank', { claims: CLAIMS })
const LONG = { timeout: scaled(120_000) }

/** A person in `us` whom this device knows, on its way to the address. */
async function arrive(address: string) {
  const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
  const device = await app.device()
  const callback = await watchCallback(device.context)
  await device.page.goto(address)
  await signIn(device.page, person.email, person.password)
  return { ...device, person, callback }
}

const back = (page: Page) => page.getByText('back at the app').waitFor()

describe('the consent page', () => {
  test('connects a person who was sent by an app, with a value that only the company can open', LONG, async () => {
    const made = attempt(gym.app, { mode: 'connect' })
    const { page, person, callback, complaints, sent } = await arrive(gym.address(made))
    await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
    await page.getByText('Membership wants to stay in touch with you.').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The company needs this.').waitFor()
    await page.getByLabel('Write it now').first().check()
    await page.getByLabel('First name', { exact: true }).fill('Marabella')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await back(page)
    const answer = await callback()
    expect(answer.get('state')).toBe(made.query['state'])
    expect((await exchange(world, gym.app, made, answer.get('code') ?? '')).body).toMatchObject({ mode: 'connect' })
    const [connection] = await person.connections()
    expect(await gym.service.value(String(connection?.['id']), 'first')).toBe('Marabella')
    expect(await gym.service.value(String(connection?.['id']), 'phone')).toBeNull()
    expect(sent.join('\n')).not.toContain('Marabella')
    expect(complaints).toEqual([])

    await page.goto(gym.address(attempt(gym.app, { mode: 'connect' })))
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You are connected to Membership already.').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await back(page)
    expect(await person.connections()).toHaveLength(1)
    const seen = await clientOf(person).connections.get(String(connection?.['id']))
    expect(seen.company.display_name).toBe('Vasa Fitness')
  })

  test('signs in with a field of the own data, sealed to the app', LONG, async () => {
    const made = attempt(bank.app, { scope: 'openid' })
    const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
    await clientOf(person).contactData.put(person.field('email'), 'mara@post.example')
    const { page, context, complaints, sent } = await app.device()
    const callback = await watchCallback(context)
    await page.goto(bank.address(made))
    await signIn(page, person.email, person.password)
    await page.getByRole('heading', { name: 'Sign in at Harborline Bank?' }).waitFor()
    await page.getByText('Only Harborline Bank can open what you give.').waitFor()
    await page.getByLabel('mara@post.example').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await back(page)
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
    const { page } = await arrive(bank.address(made))
    await page.getByRole('heading', { name: 'Give Harborline Bank something once?' }).waitFor()
    await page.getByText('This request comes from another screen.').waitFor()
    await page.getByLabel('Write it now').first().check()
    await page.getByLabel('Where we write to', { exact: true }).fill('once@post.example')
    await page.getByRole('button', { name: 'Give it once' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const { body } = await bank.result(bank.app, made)
    const reply = await exchange(world, bank.app, made, String(body['code']))
    const info = await get(`${world.frontDoor.url}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
    expect(await bank.open(new Map(Object.entries(Object(info.body['values']))).get('mail'))).toBe('once@post.example')
  })

  test('enrols for sign-ins and connects for it, and says no where the person refuses [TWOFA-22]', LONG, async () => {
    const made = gym.enrolment()
    const { page, person, callback } = await arrive(gym.address(made))
    await page.getByRole('heading', { name: 'Confirm sign-ins at Vasa Fitness here?' }).waitFor()
    await page.getByLabel('Write it now').first().check()
    await page.getByLabel('First name', { exact: true }).fill('Mara')
    await page.getByRole('button', { name: 'Confirm sign-ins here' }).click()
    await back(page)
    const answer = await callback()
    expect([answer.get('enrolled'), answer.get('state')]).toEqual(['true', made.query['state']])
    expect(await enrollmentsOf(person)).toEqual([gym.service.serviceId])

    const other = await arrive(gym.address(gym.enrolment()))
    await other.page.getByRole('button', { name: 'Refuse' }).click()
    await back(other.page)
    expect((await other.callback()).get('error')).toBe('access_denied')
    expect(await other.person.connections()).toEqual([])
  })

  const modes = {
    signin: () => attempt(bank.app, { scope: 'openid' }),
    one_time: () => attempt(bank.app, { mode: 'one_time' }),
    connect: () => attempt(gym.app, { mode: 'connect' }),
    '2fa_enroll': () => gym.enrolment(),
  }

  test('has no barrier in any mode, on this screen or for another one, with large text too', LONG, async () => {
    const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
    const { page, complaints } = await app.device()
    await signIn(page, person.email, person.password)
    await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()
    const found: string[] = []
    const examine = async (name: string): Promise<void> => {
      for (const barrier of await findBarriers(page)) found.push(`${name}: ${barrier}`)
      for (const misfit of await findMisfits(page)) found.push(`${name}: ${misfit}`)
    }
    for (const size of ['100%', '200%'])
      for (const [mode, make] of Object.entries(modes))
        for (const way of ['redirect', 'detached']) {
          const { query } = make()
          await go(page, `/consent?${new URLSearchParams({ ...query, response_mode: way }).toString()}`)
          await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
          await page.getByRole('button', { name: 'Refuse' }).waitFor()
          await examine(`${mode} ${way} ${size}`)
          const write = page.getByLabel('Write it now')
          for (const choice of await write.all()) await choice.check()
          await page.locator('button[type=submit]').click()
          await examine(`${mode} ${way} ${size}, with what is missing`)
          // Refused where it is answered here; a browser would leave for the app.
          if (way === 'redirect') continue
          await page.getByRole('button', { name: 'Refuse' }).click()
          await page.getByRole('link', { name: 'Go to the start' }).waitFor()
          await examine(`${mode} ${size}, refused`)
        }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })

  test('signs with the passcode of the device where the app wants a second factor', LONG, async () => {
    const strict = await openShop(world, 'Nordic Pharmacy', { require_2fa: true })
    const made = attempt(strict.app, { scope: 'openid' })
    const { page, person, callback } = await arrive(strict.address(made))
    await page.getByText('This device cannot confirm yet that it is you.').waitFor()
    await page.getByRole('link', { name: 'Set it up' }).click()
    await page.getByLabel('Passcode', { exact: true }).fill('482913')
    await page.getByLabel('Once more').fill('482913')
    await page.getByRole('button', { name: 'Use this' }).click()
    await page.getByText('This device', { exact: true }).waitFor()
    await page.goto(strict.address(made))
    await page.getByLabel('Your passcode').fill('482913')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Sign in at Nordic Pharmacy?' }).waitFor()
    await page.getByLabel('Your passcode').fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('That is not your passcode.').waitFor()
    await page.getByLabel('Your passcode').fill('482913')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await back(page)
    const reply = await exchange(world, strict.app, made, (await callback()).get('code') ?? '')
    const info = await get(`${world.frontDoor.url}/api/oauth/userinfo`, bearer(tokensOf(reply).access))
    expect(info.body).toMatchObject({ two_factor: true, share_code: person.shareCode })
  })
})

test('a forged address is refused in words, and leads nowhere', LONG, async () => {
  const { query } = attempt(gym.app, { mode: 'connect' })
  const person = await world.person({ region: 'us' })
  const { page, context } = await app.device()
  const left: string[] = []
  context.on('request', (request) => {
    if (request.isNavigationRequest()) left.push(new URL(request.url()).origin)
  })
  const forged = {
    'an unknown app': new URLSearchParams({ ...query, client_id: 'idw_unknown' }),
    'another way back': new URLSearchParams({ ...query, redirect_uri: 'https://evil.example/' }),
    'an unknown mode': new URLSearchParams({ ...query, mode: 'everything' }),
    'two apps': new URLSearchParams([...Object.entries(query), ['client_id', 'idw_other']]),
    'no app': new URLSearchParams({ mode: 'connect' }),
  }
  await page.goto(`${app.url}/consent?${new URLSearchParams(query).toString()}`)
  await signIn(page, person.email, person.password)
  await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
  for (const parameters of Object.values(forged)) {
    await page.goto(`${app.url}/consent?${parameters.toString()}`)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'This request cannot be shown' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await page.getByRole('button').filter({ hasText: 'Connect' }).count()).toBe(0)
  }
  expect(new Set(left)).toEqual(new Set([app.url]))
  expect(await person.connections()).toEqual([])
})

async function enrollmentsOf(person: Parameters<typeof clientOf>[0]): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { service_id: id } of clientOf(person).twofa.enrollments()) ids.push(id)
  return ids
}
