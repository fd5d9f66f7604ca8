import { FailureError } from '@sealpost/ui/failure'
import { expect, test } from 'vitest'
import { openPage } from '../../shell/testing/open-page.tsx'
import type { AuditView } from '../../worker/commands/audit.ts'
import Audit from './audit.tsx'
import { filterOf, queryOf, readFilter } from './filter.ts'

const entry = (no: number, more: Partial<AuditView> = {}): AuditView => ({
  id: String(no),
  action: 'services.create',
  actorId: 'c1',
  actorName: 'Northwind Clinic',
  isPlatform: false,
  serviceId: 's1',
  serviceName: 'Patient intake',
  at: '2026-03-01T08:00:00Z',
  ...more,
})
const listServices = () => [
  { id: 's1', name: 'Patient intake', code: 'R7TQ4K/INTAKE', createdAt: '2026-03-01T08:00:00Z' },
]
const rowsOf = (screen: { all(role: string): readonly HTMLElement[] }) =>
  screen
    .all('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('td')].slice(1).map((cell) => cell.textContent))

test('each entry says who did what, also by the platform, someone who is gone, and in a deleted service', async () => {
  const entries = [
    entry(4),
    entry(3, {
      action: 'account.set_level',
      isPlatform: true,
      actorId: 'operator',
      actorName: null,
      serviceId: null,
      serviceName: null,
    }),
    entry(2, { actorName: null, actorId: 'd1', serviceName: null }),
    entry(1, { action: 'something.new' }),
  ]
  const screen = await openPage(<Audit />, { listAudit: () => ({ entries, hasMore: false }), listServices })
  await screen.until(() => screen.all('row').length === 5)
  expect(rowsOf(screen)).toEqual([
    ['Northwind Clinic', 'Made a service', 'Patient intake'],
    ['Sealpost', 'Changed the level of the account', 'The account'],
    ['Someone who is gone', 'Made a service', 'A deleted service'],
    ['Northwind Clinic', 'Another change (something.new)', 'Patient intake'],
  ])
})

test('filters go to the platform and into the address; what does not fit can be shown again', async () => {
  const screen = await openPage(
    <Audit />,
    { listAudit: ({ action }) => ({ entries: action === undefined ? [entry(1)] : [], hasMore: false }), listServices },
    { at: '/audit' },
  )
  await screen.until(() => screen.all('row').length === 2)
  await screen.type('combobox', 'What', 'delegates.create')
  await screen.until(() => screen.text.includes('Nothing that was changed fits'))
  expect(location.search).toBe('?action=delegates.create')
  await screen.click('button', 'Last 7 days')
  await screen.type('combobox', 'Service', 's1')
  await screen.type('combobox', 'Who', 'c1')
  const last = screen.worker.asked.findLast(({ name }) => name === 'listAudit')
  const wanted = { action: 'delegates.create', actor: 'c1', serviceId: 's1' }
  expect(last?.input).toMatchObject([wanted, 50])
  expect(JSON.stringify(last?.input)).toMatch(/"since":"\d{4}-\d\d-\d\dT00:00:00Z"/u)
  await screen.click('button', 'Show everything')
  await screen.until(() => screen.all('row').length === 2)
  expect(location.search).toBe('')
})

test('filters are read from the address', async () => {
  const screen = await openPage(
    <Audit />,
    { listAudit: () => ({ entries: [], hasMore: false }), listServices },
    { at: '/audit?action=services.create&service=s1&days=30' },
  )
  await screen.until(() => screen.text.includes('Nothing that was changed fits'))
  expect(screen.get('button', 'Last 30 days').getAttribute('aria-pressed')).toBe('true')
  expect(screen.get('combobox', 'What')).toHaveProperty('value', 'services.create')
  const odd = readFilter(new URLSearchParams('days=-3&actor=a b'))
  expect(odd).toEqual({ action: '', actor: 'a b', service: '', days: 0 })
  expect([queryOf(odd), filterOf(odd, '')]).toEqual(['?actor=a+b', { actor: 'a b' }])
})

test('more comes below what is there, which stays meanwhile', async () => {
  const all = Array.from({ length: 60 }, (_entry, at) => entry(60 - at))
  const more = Promise.withResolvers<undefined>()
  const screen = await openPage(<Audit />, {
    async listAudit(_filter, most) {
      if (most > 50) await more.promise
      return { entries: all.slice(0, most), hasMore: most < 60 }
    },
    listServices,
  })
  await screen.until(() => screen.all('row').length === 51)
  await screen.click('button', 'Show more')
  expect(screen.all('row').length).toBe(51)
  expect(screen.get('button', 'Getting more …')).toHaveProperty('disabled', true)
  more.resolve(undefined)
  await screen.until(() => screen.all('row').length === 61)
  expect(screen.find('button', 'Show more')).toBeNull()
})

test('an account without changes says so', async () => {
  const empty = await openPage(<Audit />, { listAudit: () => ({ entries: [], hasMore: false }), listServices })
  await empty.until(() => empty.find('table') === null)
  expect(empty.text).toContain('Nothing has been changed in this account yet.')
})

test('a delegate who goes there by hand is told in words', async () => {
  const screen = await openPage(
    <Audit />,
    {
      listAudit() {
        throw new FailureError({ kind: 'refused', key: 'auth.client_endpoint_forbidden' })
      },
      listServices,
    },
    { acting: { role: 'admin' } },
  )
  await screen.until(() => screen.find('alert'))
  expect(screen.text).toContain('Your role at this company does not include this.')
  expect(screen.text).not.toContain('Nothing has been changed')
})

test('before the first entries are there the table is busy', async () => {
  const screen = await openPage(
    <Audit />,
    { listAudit: () => new Promise<never>(() => {}), listServices },
    { language: 'de' },
  )
  expect(screen.get('table', 'Protokoll').getAttribute('aria-busy')).toBe('true')
})
