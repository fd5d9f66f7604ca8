import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { WHOAMI } from '../wire.ts'
import { borrowBrowser } from './shared-browser.ts'

const world = await openWorld()
const { northwind } = await world.personas('northwind')

test('a browser finds the API reference at the root, and a call from its page reaches the region', async () => {
  const browser = await borrowBrowser(world)
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Swagger UI has inline styles, which the policy of the page does not allow and nothing depends on.
    if (message.type() === 'error' && !message.text().includes('inline style')) complaints.push(message.text())
  })
  await page.goto(world.frontDoor.url)
  await page.getByRole('heading', { name: 'Sealpost: Company data API' }).waitFor()
  await page.getByText('Webhooks', { exact: true }).waitFor()
  const operation = page.locator(`.opblock:has([data-path="${WHOAMI}"])`)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByLabel('auth-bearer-value').fill(await world.token(northwind))
  await page.getByRole('button', { name: 'Apply credentials' }).click()
  await page.locator('.close-modal').click()
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.getByText(northwind.serviceId).first().waitFor()
  expect(complaints).toEqual([])
})
