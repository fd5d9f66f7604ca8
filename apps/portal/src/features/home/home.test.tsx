import { type Failure, FailureError } from '@sealpost/ui/failure'
import type { Answers } from '@sealpost/web-app/testing'
import { describe, expect, test } from 'vitest'
import { openPage } from '../../shell/testing/open-page.tsx'
import type { Commands } from '../../shell/worker.ts'
import type { Need } from '../../worker/commands/attention.ts'
import type { AuditView } from '../../worker/commands/audit.ts'
import Home from './home.tsx'

const SINCE = '2026-03-01T08:00:00Z'
const PARKED: Need = {
  kind: 'webhook_parked',
  serviceId: 's1',
  serviceName: 'Patient intake',
  isFailed: true,
  count: 1,
  isAtLeast: false,
  since: SINCE,
}
const RUNS: Need = { ...PARKED, kind: 'run_awaits', serviceId: 's2', serviceName: 'Staff', isFailed: false, count: 3 }
const ENTRY: AuditView = {
  id: '1',
  action: 'services.create',
  actorId: 'c1',
  actorName: 'Northwind Clinic',
  isPlatform: false,
  serviceId: 's1',
  serviceName: 'Patient intake',
  at: SINCE,
}
const SERVICE = { id: 's1', name: 'Patient intake', code: 'R7TQ4K/INTAKE', createdAt: SINCE }
const FULL = {
  listNeeds: () => [PARKED, RUNS],
  listServices: () => [SERVICE],
  listAudit: () => ({ entries: [ENTRY], hasMore: true }),
} satisfies Answers<Commands>

test('what has failed is said first, in a sentence; each line begins with what to do', async () => {
  const screen = await openPage(<Home />, FULL)
  await screen.until(() => screen.find('heading', 'One thing has failed. Nothing is lost.'))
  expect(screen.text).toContain('One more thing waits.')
  const [first, second] = screen.all('listitem').map((item) => item.textContent)
  expect(first).toMatch(/^FailedMend a webhook Patient intake/u)
  expect(second).toMatch(/^WaitsAnswer 3 runs Staff/u)
  expect(screen.get('link', 'Open the runs').getAttribute('href')).toBe('/services/s2/runs')
  expect(screen.text).toContain('Made a service')
  expect(screen.text).toContain('18 GB of 50 GB')
})

test('a delegate is shown no audit, and none is asked for', async () => {
  const screen = await openPage(<Home />, FULL, { acting: { role: 'operator' } })
  await screen.until(() => screen.find('heading', /has failed/u))
  expect(screen.find('link', 'New service')).toBeNull()
  // Runs are refused to an operator.
  expect(screen.all('link').filter((link) => link.getAttribute('href')?.includes('/runs') === true)).toEqual([])
  expect(screen.text).not.toContain('Audit')
  expect(screen.worker.asked.map(({ name }) => name)).not.toContain('listAudit')
})

test('where the platform answers as many as it may, more is not denied', async () => {
  const screen = await openPage(<Home />, { ...FULL, listNeeds: () => [{ ...RUNS, count: 50, isAtLeast: true }] })
  await screen.until(() => screen.find('heading', 'One thing waits for you'))
  expect(screen.text).toContain('More may wait: only the oldest are listed.')
})

test('an account without anything says what it is for', async () => {
  const screen = await openPage(<Home />, {
    listNeeds: () => [],
    listServices: () => [],
    listAudit: () => ({ entries: [], hasMore: false }),
  })
  await screen.until(() => screen.find('heading', 'Nothing waits for you'))
  expect(screen.text).toContain('There is no service yet.')
  expect(screen.text).toContain('Nothing has been changed yet.')
})

describe.each(['listNeeds', 'listServices', 'listAudit'] as const)('of whose reads %s', (read) => {
  const OFFLINE: Failure = { kind: 'offline' }
  const fail = () => {
    throw new FailureError(OFFLINE)
  }

  test('fails: the others are shown, nothing is claimed', async () => {
    const screen = await openPage(<Home />, { ...FULL, [read]: fail })
    await screen.until(() => screen.find('alert'))
    expect(screen.all('alert').length).toBe(1)
    expect(screen.text).not.toMatch(/Nothing waits|no service yet|Nothing has been changed/u)
    expect(screen.text).toContain(read === 'listServices' ? 'Made a service' : 'R7TQ4K/INTAKE')
  })

  test('is on its way: nothing is claimed', async () => {
    const screen = await openPage(<Home />, { ...FULL, [read]: () => new Promise<never>(() => {}) })
    await screen.act(() => {})
    expect(screen.find('alert')).toBeNull()
    expect(screen.text).not.toMatch(/Nothing waits|no service yet|Nothing has been changed/u)
  })

  test('could not be read again: what was shown stays and is called old', async () => {
    let isOffline = false
    const once: () => unknown = FULL[read]
    const screen = await openPage(<Home />, { ...FULL, [read]: () => (isOffline ? fail() : once()) })
    await screen.until(() => screen.find('heading', /has failed/u))
    isOffline = true
    await screen.act(() => screen.worker.change('attention', 'services', 'audit'))
    await screen.until(() => screen.text.includes('What you see was read'))
    expect(screen.text).toContain('Mend')
    expect(screen.text).toContain('R7TQ4K/INTAKE')
  })
})

test('in German', async () => {
  const screen = await openPage(<Home />, FULL, { language: 'de' })
  await screen.until(() => screen.find('heading', 'Etwas ist ausgefallen. Nichts ist verloren.'))
  expect(screen.text).toContain('Dienst gemacht')
})
