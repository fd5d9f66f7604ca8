import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { all } from '../sharing/parties.ts'
import { button, link, openHalf, openInbox } from './inbox.ts'

const LONG = { timeout: scaled(120_000) }
const SOON = { timeout: scaled(20_000) }

const { app, clinic, phone, desk } = await openInbox()
const { world } = app
const { client, key, connectionId } = clinic

describe('messages', () => {
  const texts = async () => {
    const found = await all(client.messages.list(connectionId))
    return Promise.all(found.map((message) => client.messages.open(message, key)))
  }

  async function openThread(page: Page): Promise<void> {
    await openHalf(page, 'Messages')
    await link(page, /Northwind Clinic/).click()
    await page.getByLabel('Your message').waitFor()
  }

  async function write(page: Page, text: string): Promise<void> {
    await page.getByLabel('Your message').fill(text)
    await button(page, 'Send').click()
  }

  /** From now on `mostArticles` of the page is how often the text stood there at once. */
  async function countArticles(page: Page, text: string): Promise<void> {
    await page.evaluate(`(() => {
      globalThis.mostArticles = 0
      const count = () => {
        const shown = [...document.querySelectorAll('article')].filter((one) => one.textContent.includes(${JSON.stringify(text)}))
        mostArticles = Math.max(mostArticles, shown.length)
      }
      new MutationObserver(count).observe(document.body, { childList: true, subtree: true, characterData: true })
      count()
    })()`)
  }

  const said = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

  test(
    'are sealed for both sides, come by themselves, and are “read” only when they were read [PERSON-07]',
    LONG,
    async () => {
      await openThread(phone.page)
      await openThread(desk.page)
      await write(phone.page, 'Is the room still free?')
      await said(phone.page, 'Is the room still free?')
        .getByText(/^Sent \d\d:\d\d$/)
        .waitFor()
      // The other device of the person hears of it.
      await said(desk.page, 'Is the room still free?').waitFor()
      await expect.poll(texts, SOON).toEqual(['Is the room still free?'])
      expect(phone.sent.join('\n')).not.toContain('room still free')
      world.clock.advance(1_000)
      const [question] = await all(client.messages.list(connectionId))
      const reply = await client.messages.send(connectionId, 'Yes, until Friday', key)
      await said(phone.page, 'Yes, until Friday').waitFor()
      // A reply is no receipt.
      expect(await said(phone.page, 'Is the room still free?').getByText(/^Read/).count()).toBe(0)
      const isRead = async () =>
        (await all(client.messages.list(connectionId))).find(({ message_id: id }) => id === reply.message_id)?.read_at
      await expect.poll(isRead, SOON).not.toBeNull()
      await client.messages.acknowledge(connectionId, question?.message_id ?? '')
      await said(phone.page, 'Is the room still free?')
        .getByText(/^Read \d\d:\d\d$/)
        .waitFor()
    },
  )

  test('that are new have a mark in the frame, and lose it when they are read', LONG, async () => {
    for (const { page } of [phone, desk]) await link(page, 'My data').click()
    const marks = async () => (await link(phone.page, /^Inbox/).textContent()) ?? ''
    const before = await marks()
    world.clock.advance(1_000)
    await client.messages.send(connectionId, 'Please bring your card', key)
    await expect.poll(marks, SOON).not.toBe(before)
    await link(phone.page, 'Home').click()
    await phone.page.getByText('Read one message').waitFor()
    await openThread(phone.page)
    await phone.page.getByText('New', { exact: true }).waitFor()
    await link(phone.page, 'My data').click()
    await expect.poll(marks, SOON).toBe(before)
  })

  test('that are written without a network are neither lost nor sent twice', LONG, async () => {
    const { page, context, sent } = phone
    const text = 'I come on Monday, with my brother'
    await openThread(page)
    await context.setOffline(true)
    await page.getByLabel('Your message').fill(text)

    // Not sent yet: it outlives a restart of the app, and is not sent by it.
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome back, Mara Lind' }).waitFor()
    await context.setOffline(false)
    await button(page, 'Open').click()
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe(text)
    expect(await texts()).not.toContain(text)

    await context.setOffline(true)
    await button(page, 'Send').click()
    await said(page, text).getByText('Waits for the network. It is kept on this device and sent once.').waitFor()
    expect(await page.getByLabel('Your message').inputValue()).toBe('')
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome back, Mara Lind' }).waitFor()

    // The network is back, and loses the answer to the first attempt.
    const path = `**/company-connections/${connectionId}/messages`
    const lost = Promise.withResolvers<void>()
    await context.route(path, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
      return lost.resolve()
    })
    await context.setOffline(false)
    await button(page, 'Open').click()
    await countArticles(page, text)
    await lost.promise
    await context.unroute(path)
    const waiting = said(page, text).getByRole('button', { name: 'Send now' })
    const isSent = said(page, text).getByText(/^Sent \d\d:\d\d$/)
    await waiting.or(isSent).first().waitFor()
    if ((await waiting.count()) > 0) await waiting.click()
    await isSent.waitFor()
    // Not even for a moment it stands there twice.
    expect(await page.evaluate<number>('mostArticles')).toBe(1)
    expect((await texts()).filter((one) => one === text)).toHaveLength(1)
    // Without an answer the device sends the same bytes again.
    const attempts = () => sent.filter((line) => line.includes('"sender_body"') && line.includes(connectionId))
    await expect.poll(() => new Set(attempts().slice(-2)).size, SOON).toBe(1)
  })

  test('that the platform refuses come back to be written again', LONG, async () => {
    const { page, context } = desk
    await openThread(page)
    await context.route(`**/company-connections/${connectionId}/messages`, (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const json = { error: 'Not connected', error_key: 'messages.not_connected' }
      const headers = { 'access-control-allow-origin': app.url, 'access-control-allow-credentials': 'true' }
      return route.fulfill({ status: 403, json, headers })
    })
    await write(page, 'Hello again')
    await button(page, 'Change it').waitFor()
    await context.unroute(`**/company-connections/${connectionId}/messages`)
    await button(page, 'Change it').click()
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('Hello again')
    await page.getByLabel('Your message').press('Control+Enter')
    await said(page, 'Hello again').getByText(/^Sent/).waitFor()
    await expect.poll(async () => (await texts()).filter((text) => text === 'Hello again').length, SOON).toBe(1)
  })
})
