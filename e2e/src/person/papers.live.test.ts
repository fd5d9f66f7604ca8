import { PublicKey, verifySealedPdf } from '@sealpost/sdk'
import { bodyOf, type FeedEvent, scaled, testSeal } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { button, link, openHalf, openPhone, saveFileOf } from './inbox.ts'
import { contractPdf } from './office.ts'

const LONG = { timeout: scaled(120_000) }
const SOON = { timeout: scaled(20_000) }

const { app, person, clinic, phone } = await openPhone()
const { client, target } = clinic

async function openPaper(page: Page, name: string): Promise<void> {
  await openHalf(page, 'Papers')
  await link(page, new RegExp(`^${name}`))
    .first()
    .click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

const AGREEMENT = { target, kind: 'agreement', requires_signature: true } as const
const OFFER = { target, kind: 'agreement', requires_acceptance: true } as const

const events: FeedEvent[] = []

/** What the company has learned of a paper. */
async function heard(id: string): Promise<readonly FeedEvent[]> {
  events.push(...(await clinic.service.drain()))
  return events.filter((event) => event['document_id'] === id)
}

const seal = (page: Page) => page.getByRole('region', { name: 'The seal' })

describe('a person', () => {
  test(
    'reads a PDF, signs it with a passkey, and keeps a file whose seal this device has checked [PERSON-05]',
    LONG,
    async () => {
      const { page, complaints, sent } = phone
      const { id } = await client.documents.send({
        ...AGREEMENT,
        name: 'Treatment agreement',
        metadata: { can_be_cancelled_in_app: true, cancel_notice_days: 30 },
        file: { bytes: contractPdf('Treatment agreement'), originalName: 'treatment.pdf' },
      })
      await openPaper(page, 'Treatment agreement')
      const first = page.getByRole('group', { name: 'Page 1 of 2' })
      await first.getByText('The clinic sends its invoice at the end of each month.').waitFor()
      await first.locator('canvas').waitFor()
      await page.getByText('You sign exactly what stands above, 2 pages, as Mara Lind.').waitFor()
      expect(await seal(page).count()).toBe(0)
      await button(page, 'Sign').click()
      await page.getByText('You have signed.').waitFor()
      await seal(page).getByText('Checked on this device: unchanged since it was sealed.').waitFor()
      const { name, bytes } = await saveFileOf(page)
      expect(name).toBe('Treatment agreement.pdf')
      expect(await verifySealedPdf(bytes, { certificates: testSeal().root })).toMatchObject({
        isValid: true,
        seal: { document: { id }, acts: [{ action: 'signed' }] },
      })
      const record = await client.documents.get(id)
      expect(record).toMatchObject({ status: 'active', signatures: [{ action: 'signed', method: 'biometric' }] })
      expect(sent.join('\n')).not.toContain('end of each month')

      expect(complaints).toEqual([])
    },
  )

  test('cancels a contract that may be cancelled: it ends when its notice has passed [PERSON-05]', LONG, async () => {
    const { page, complaints } = phone
    const { id } = await client.documents.send({
      ...AGREEMENT,
      name: 'Care plan',
      metadata: { can_be_cancelled_in_app: true, cancel_notice_days: 30 },
      file: { bytes: contractPdf('Care plan', 1), originalName: 'care-plan.pdf' },
    })
    await openPaper(page, 'Care plan')
    await button(page, 'Sign').click()
    await page.getByText('You have signed.').waitFor()
    await link(page, 'Cancel it').click()
    await page.getByText(/^It ends on \d+ \w+ \d{4}\. Until then everything stays as it is\.$/).waitFor()
    await page.getByLabel('A note').fill('I am moving away')
    await button(page, 'Cancel the contract').click()
    await page.getByText('Until then it stays in force.').waitFor()
    const { status, cancel_effective_date: end } = await client.documents.get(id)
    expect({ status, end }).toEqual({
      status: 'active_but_ending',
      end: new Date(app.world.clock.now() + 30 * 86_400_000).toISOString().slice(0, 10),
    })
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(end ?? ''))
    await page.getByText(`It ends on ${day}. Until then it stays in force.`).waitFor()
    expect(await link(page, 'Cancel it').count()).toBe(0)
    await expect.poll(() => heard(id), SOON).toContainEqual(expect.objectContaining({ note: 'I am moving away' }))
    expect(complaints).toEqual([])
  })

  test('accepts one offer and declines another with a reason [PERSON-05]', LONG, async () => {
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
    await expect.poll(() => heard(no.id), SOON).toContainEqual(expect.objectContaining({ note: 'Too dear' }))
    await openHalf(page, 'Papers')
    await page.getByRole('list', { name: 'Ended' }).getByText('Offer of Friday').waitFor()
  })
})

describe('a paper that cannot be read ends in words', () => {
  const CANNOT_OPEN = 'This cannot be opened: it was damaged on its way, or sealed to another key than yours.'
  const CHANGED = 'This is not what the company has sent: it was changed or damaged on its way.'

  async function sendSealed(name: string, value: string): Promise<void> {
    const body = { ...AGREEMENT, name, payload_kind: 'json', value }
    await bodyOf(clinic.service.data('POST', '/api/company-data/documents', { body }), 201)
  }

  test('when it is sealed to another key or its bytes are broken; nothing can be signed', LONG, async () => {
    const { page, complaints } = phone
    const own = await PublicKey.import(person.keys.publicKey)
    const other = await PublicKey.import((await app.world.person({ region: 'us' })).keys.publicKey)
    const content = JSON.stringify({ title: 'Rules' })
    const sealed = await own.seal(content)
    const middle = Math.floor(sealed.length / 2)
    const broken = sealed.slice(0, middle) + (sealed[middle] === 'A' ? 'B' : 'A') + sealed.slice(middle + 1)
    await sendSealed('Sealed elsewhere', await other.seal(content))
    await sendSealed('Broken bytes', broken)
    for (const name of ['Sealed elsewhere', 'Broken bytes']) {
      await openPaper(page, name)
      await page.getByRole('alert').getByText(CANNOT_OPEN).waitFor()
      await page.getByText('Ask the company to send it once more.').waitFor()
      expect(await button(page, 'Sign').count()).toBe(0)
    }
    expect(complaints).toEqual([])
  })

  test('when it is another one than the company has sent, until the right one comes', LONG, async () => {
    const { page, context, complaints } = phone
    const file = { bytes: contractPdf('Price list', 1), originalName: 'prices.pdf' }
    const { id } = await client.documents.send({ target, name: 'Price list', file })
    const { id: old } = await client.documents.send({ target, name: 'Old price list', file })
    const path = `**/documents/${id}/file`
    await context.route(path, async (route) => {
      const url = route.request().url().replace(id, old)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    await openPaper(page, 'Price list')
    await page.getByRole('alert').getByText(CHANGED).waitFor()
    await context.unroute(path)
    await button(page, 'Try again').click()
    await page.getByText('The patient pays within thirty days.').waitFor()
    expect(complaints).toEqual([])
  })

  test('when its pages cannot be drawn; the file can still be saved', LONG, async () => {
    const { page, complaints } = phone
    const bytes = Buffer.from('%PDF-1.7 and nothing else')
    await client.documents.send({ target, name: 'Torn page', file: { bytes, originalName: 'torn.pdf' } })
    await openPaper(page, 'Torn page')
    await page.getByRole('alert').getByText('These pages cannot be drawn.').waitFor()
    expect(await saveFileOf(page)).toEqual({ name: 'torn.pdf', bytes })
    expect(complaints).toEqual([])
  })
})
