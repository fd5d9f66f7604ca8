import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { button, link, openHalf, openInbox } from './inbox.ts'

const LONG = { timeout: scaled(120_000) }

const { clinic, phone, desk, passcode: PASSCODE } = await openInbox()
const { client, target } = clinic

async function openPaper(page: Page, name: string): Promise<void> {
  await openHalf(page, 'Papers')
  await link(page, new RegExp(name)).first().click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

const AGREEMENT = { target, kind: 'agreement', requires_signature: true } as const
const OFFER = { target, kind: 'agreement', requires_acceptance: true } as const

describe('a person', () => {
  test('signs only behind the passcode of the device, by keyboard alone', LONG, async () => {
    const { page, complaints } = desk
    const value = { title: 'House rules', sections: [{ heading: 'Quiet', text: 'From ten to six' }] }
    const { id } = await client.documents.send({ ...AGREEMENT, name: 'House rules', value })
    await openPaper(page, 'House rules')
    await page.getByText('From ten to six').waitFor()
    await page.getByLabel('Your passcode').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('That is not your passcode.').waitFor()
    expect((await client.documents.get(id)).status).toBe('ready_to_sign')
    await page.getByLabel('Your passcode').fill(PASSCODE)
    await page.keyboard.press('Enter')
    await page.getByText('You have signed.').waitFor()
    expect((await client.documents.get(id)).status).toBe('active')
    // Not cancellable in the app: there is no way to it.
    expect(await link(page, 'Cancel it').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('accepts one offer and declines another with a reason', LONG, async () => {
    const { page } = phone
    const value = { fields: [{ label: 'Price', value: '12 EUR' }] }
    const yes = await client.documents.send({ ...OFFER, name: 'Offer of Monday', value })
    const no = await client.documents.send({ ...OFFER, name: 'Offer of Friday', value })
    await openPaper(page, 'Offer of Monday')
    await page.getByText('12 EUR').waitFor()
    await button(page, 'Accept').click()
    await page.getByText('You have accepted.').waitFor()
    expect(await client.documents.get(yes.id)).toMatchObject({ status: 'active', signatures: [{ action: 'accepted' }] })

    await openPaper(page, 'Offer of Friday')
    await link(page, 'Decline').click()
    await page.getByText('Northwind Clinic learns that you said no.').waitFor()
    await page.getByLabel('Your reason').fill('Too dear')
    await button(page, 'Decline it').click()
    await page.getByText('This has ended.').waitFor()
    expect((await client.documents.get(no.id)).status).toBe('ended')
    await openHalf(page, 'Papers')
    await page.getByRole('list', { name: 'Ended' }).getByText('Offer of Friday').waitFor()
  })
})
