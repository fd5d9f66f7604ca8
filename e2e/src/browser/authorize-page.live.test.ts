import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openWorld } from '@sealpost/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { attempt, dataClientOf, exchange } from '../oauth/relying-party.ts'
import { borrowBrowser } from './shared-browser.ts'

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const browser = await borrowBrowser(world)
/** Another origin, which answers every request, also for the favicon. */
const elsewhere = await listening((_request, response) => response.end('another page'))
const callback = await listening((request, response) => {
  if (request.url?.includes('state=onward') === true) response.writeHead(302, { location: elsewhere })
  response.end('the client')
})
const svc = await dataClientOf(northwind, `${callback}/callback`)

/** An open page, its errors, and every body that it sent. */
async function openPage(query: Readonly<Record<string, string>>) {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const [complaints, sent]: [string[], string[]] = [[], []]
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto(`${world.frontDoor.url}/oauth2/authorize?${new URLSearchParams(query).toString()}`)
  return { page, complaints, sent }
}

test('a company user signs in on the page, the client gets its code, and the password is never sent', async () => {
  const made = attempt(svc)
  const { page, complaints, sent } = await openPage(made.query)
  expect(await page.title()).toContain('Sign in for')
  await page.getByLabel('E-mail').fill(northwind.email)
  await page.getByLabel('Password').fill(northwind.login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${svc.redirectUri}**`)
  const answer = new URL(page.url()).searchParams
  expect([answer.get('state'), answer.get('iss')]).toEqual([made.query['state'], world.frontDoor.url])
  expect((await exchange(world, svc, made, answer.get('code') ?? '')).status).toBe(200)
  expect(complaints).toEqual([])
  expect(decodeURIComponent(sent.join('\n').replaceAll('+', ' '))).not.toContain(northwind.login.password)
})

test('the page reports a wrong password, keeps the address and allows another attempt', async () => {
  const { page } = await openPage(attempt(svc).query)
  await page.getByLabel('E-mail').fill(northwind.email)
  await page.getByLabel('Password').fill('something else')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('not accepted')
  expect(await page.getByLabel('E-mail').inputValue()).toBe(northwind.email)
  expect(await page.getByLabel('Password').evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
  await page.getByLabel('Password').fill(northwind.login.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${svc.redirectUri}**`)
})

test('a client may redirect from its callback to another origin', async () => {
  const { page, complaints } = await openPage(attempt(svc, { state: 'onward' }).query)
  await page.getByLabel('E-mail').fill(northwind.email)
  await page.getByLabel('Password').fill(northwind.login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${elsewhere}/`)
  expect(complaints).toEqual([])
})

test('every field has a label, and the keyboard reaches them in order', async () => {
  const { page } = await openPage(attempt(svc).query)
  const names: (string | null)[] = []
  await page.getByLabel('E-mail').focus()
  for (let step = 0; step < 4; step += 1) {
    names.push(await page.locator(':focus').getAttribute('id'))
    await page.keyboard.press('Tab')
  }
  expect(names).toEqual(['email', 'password', 'otp', 'send'])
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})

test('an invalid link shows an error and no password field', async () => {
  const { page } = await openPage({ ...attempt(svc).query, redirect_uri: 'https://evil.example/' })
  expect(await page.getByRole('heading').textContent()).toBe('This link cannot be used')
  expect(await page.locator('input').count()).toBe(0)
})

/** Answers the origin of a server that ends with the file. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  world.onEnd(() => Promise.resolve(void server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
