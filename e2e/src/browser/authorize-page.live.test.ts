import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { northwind, type Office, openOffice } from '@sealpost/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { attempt, exchange, type OAuthClient, setRedirect } from '../oauth/relying-party.ts'
import { launchQuietly } from './loopback-page.ts'

let office: Office
let browser: Browser
let callback: Server
/** Another origin, which answers every request, also for the favicon. */
let elsewhere: Server
let svc: OAuthClient
let page: Page
/** Errors of the page, and every body that it sent. */
let complaints: string[]
let sent: string[]

beforeAll(async () => {
  office = await openOffice()
  browser = await launchQuietly()
  elsewhere = await listening((_request, response) => response.end('another page'))
  callback = await listening((request, response) => {
    if (request.url?.includes('state=onward') === true) response.writeHead(302, { location: originOf(elsewhere) })
    response.end('the client')
  })
  const redirectUri = `${originOf(callback)}/callback`
  await setRedirect(office.northwind, northwind.serviceId, redirectUri)
  svc = { clientId: northwind.clientId, clientSecret: northwind.clientSecret, redirectUri }
})
afterAll(async () => {
  await browser.close()
  callback.close()
  elsewhere.close()
  await office.close()
})
beforeEach(async () => {
  complaints = []
  sent = []
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
})
afterEach(() => page.close())

test('a company user signs in on the page, the client gets its code, and the password is never sent', async () => {
  const made = attempt(svc)
  await page.goto(addressOf(made.query))
  expect(await page.title()).toContain('Sign in for')
  await page.getByLabel('E-mail').fill(northwind.email)
  await page.getByLabel('Password').fill(northwind.login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${svc.redirectUri}**`)
  const answer = new URL(page.url()).searchParams
  expect([answer.get('state'), answer.get('iss')]).toEqual([made.query['state'], office.two.frontDoor.url])
  expect((await exchange(office, svc, made, answer.get('code') ?? '')).status).toBe(200)
  expect(complaints).toEqual([])
  expect(decodeURIComponent(sent.join('\n').replaceAll('+', ' '))).not.toContain(northwind.login.password)
})

test('the page reports a wrong password, keeps the address and allows another attempt', async () => {
  await page.goto(addressOf(attempt(svc).query))
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
  await page.goto(addressOf(attempt(svc, { state: 'onward' }).query))
  await page.getByLabel('E-mail').fill(northwind.email)
  await page.getByLabel('Password').fill(northwind.login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${originOf(elsewhere)}/`)
  expect(complaints).toEqual([])
})

test('every field has a label, and the keyboard reaches them in order', async () => {
  await page.goto(addressOf(attempt(svc).query))
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
  await page.goto(addressOf({ ...attempt(svc).query, redirect_uri: 'https://evil.example/' }))
  expect(await page.getByRole('heading').textContent()).toBe('This link cannot be used')
  expect(await page.locator('input').count()).toBe(0)
})

async function listening(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function addressOf(query: Readonly<Record<string, string>>): string {
  return `${office.two.frontDoor.url}/oauth2/authorize?${new URLSearchParams(query).toString()}`
}
