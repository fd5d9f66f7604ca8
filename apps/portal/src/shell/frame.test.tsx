import { FailureError } from '@sealpost/ui/failure'
import { expect, test } from 'vitest'
import type { CompanyView, Role } from '../worker/commands/acting.ts'
import { Company } from './company.tsx'
import { Frame } from './frame.tsx'
import { CLINIC, openPage } from './testing/open-page.tsx'

const OWN: CompanyView = { id: 'c1', name: 'Northwind Clinic', region: 'eu', role: 'owner' }
const HOMES: CompanyView = { id: 'c2', name: 'Harborline Homes', region: 'us', role: 'operator' }
const PAGE = <h1>The page</h1>
const INTAKE = { id: 's1', name: 'Patient intake', code: 'R7TQ4K/INTAKE', createdAt: '2026-03-01T00:00:00Z' }

test('the side leads to every place of the owner; the menus have the settings and the lock', async () => {
  const screen = await openPage(<Frame>{PAGE}</Frame>, { listCompanies: () => [OWN], lock: async () => {} })
  const places = screen.all('link').map((link) => link.textContent)
  expect(places).toEqual(['To the page', 'Home', 'Services', 'Delegates', 'Audit'])
  expect(screen.get('link', 'Home').getAttribute('aria-current')).toBe('page')
  expect(screen.text).toContain('Pro, region eu')
  // Nothing to choose among.
  expect(screen.find('button', /Switch company/)).toBeNull()
  await screen.click('button', /Your account$/u)
  await screen.until(() => screen.find('menuitem', 'Lock'))
  expect(screen.get('menuitem', 'Settings').getAttribute('href')).toBe('/settings')
  await screen.click('menuitem', 'Lock')
  expect(screen.worker.asked.some(({ name }) => name === 'lock')).toBe(true)
})

test.each(['admin', 'operator'] as const)('%s is offered no page of the account as a whole', async (role: Role) => {
  const screen = await openPage(<Frame>{PAGE}</Frame>, { listCompanies: () => [OWN] }, { acting: { role } })
  expect(screen.all('link').map((link) => link.textContent)).toEqual(['To the page', 'Home', 'Services'])
  expect(screen.text).toContain(role === 'admin' ? 'Admin, region eu' : 'Operator, region eu')
})

test('companies that cannot be read leave the frame standing', async () => {
  const screen = await openPage(<Frame>{PAGE}</Frame>, {
    listCompanies: () => {
      throw new FailureError({ kind: 'offline' })
    },
  })
  expect(screen.find('button', /Switch company/)).toBeNull()
  expect(screen.get('heading', 'The page')).toBeTruthy()
})

test('Ctrl K finds pages, services, companies and acts by typing', async () => {
  const chosen: (string | null)[] = []
  const screen = await openPage(
    <Frame>{PAGE}</Frame>,
    { listCompanies: () => [OWN, HOMES], listServices: () => [INTAKE] },
    { switchTo: (id) => void chosen.push(id) },
  )
  await screen.press('Control+k')
  await screen.until(() => screen.find('option', /Patient intake/))
  await screen.type('combobox', 'Find or do', 'harbor')
  await screen.until(() => screen.all('option').length === 1)
  await screen.click('option', /Harborline Homes/)
  expect(chosen).toEqual(['c2'])
  await screen.click('button', 'Find or do Ctrl K')
  await screen.type('combobox', 'Find or do', 'inta')
  await screen.until(() => screen.all('option').length === 1)
  await screen.click('option', /Patient intake/)
  expect(location.pathname).toBe('/services/s1')
})

test('another company is chosen by the menu: nothing of the former stays drawn', async () => {
  let acting = CLINIC
  const opened = Promise.withResolvers<undefined>()
  const screen = await openPage(
    <Company>
      <Frame>{PAGE}</Frame>
    </Company>,
    {
      readActing: () => acting,
      listCompanies: () => [OWN, HOMES],
      async actFor() {
        await opened.promise
        acting = { ...CLINIC, companyId: 'c2', name: 'Harborline Homes', region: 'us', role: 'operator' }
      },
    },
    { at: '/audit' },
  )
  await screen.until(() => screen.find('button', /^Northwind Clinic.*Switch company$/u))
  await screen.click('button', /^Northwind Clinic.*Switch company$/u)
  await screen.until(() => screen.find('menuitem', /Harborline/))
  await screen.click('menuitem', /Harborline/)
  expect(screen.text).toBe('Opening the company …')
  opened.resolve(undefined)
  await screen.until(() => screen.find('button', /^Harborline Homes.*Switch company$/u))
  expect(screen.text).toContain('Operator, region us')
  expect(location.pathname).toBe('/')
})

test('a company that does not let one in any more says so, with the way to the own account', async () => {
  let isIn = false
  const screen = await openPage(
    <Company>
      <Frame>{PAGE}</Frame>
    </Company>,
    {
      readActing() {
        if (isIn) return CLINIC
        throw new FailureError({ kind: 'own', key: 'no_delegate' })
      },
      listCompanies: () => [OWN],
      async actFor() {
        isIn = true
      },
    },
  )
  await screen.until(() => screen.find('heading', 'This company cannot be opened'))
  expect(screen.text).toContain('You are no delegate of this company any more.')
  await screen.click('button', 'Go to your own account')
  await screen.until(() => screen.find('heading', 'The page'))
  expect(screen.worker.asked.find(({ name }) => name === 'actFor')?.input).toEqual([null])
})

test('the frame speaks German', async () => {
  const screen = await openPage(<Frame>{PAGE}</Frame>, { listCompanies: () => [OWN, HOMES] }, { language: 'de' })
  await screen.until(() => screen.find('button', /Northwind/))
  expect(screen.all('link').map((link) => link.textContent)).toContain('Beauftragte')
})
