import { FailureError } from '@sealpost/ui/failure'
import type { Answers } from '@sealpost/web-app/testing'
import { onTestFinished, expect, test } from 'vitest'
import type { Commands } from '../../shell/worker.ts'
import { INJECTIONS, openPage } from '../../testing/open-page.tsx'
import { connectLink } from './connect-link.ts'
import DeleteService from './delete.tsx'
import Services from './list.tsx'
import Overview from './overview.tsx'

const SERVICE = { id: 's1', name: 'Home visits', code: 'NRTHWD/VISITS', createdAt: '2030-01-02T00:00:00.000Z' }
const FINGERPRINT = '0123456789abcdef'.repeat(4)
const LINK = `https://my.example.com/connect/NRTHWD/VISITS#k=${FINGERPRINT}`
const ANSWERS: Answers<Commands> = {
  readService: () => SERVICE,
  serviceKeyState: () => null,
  readFingerprint: () => FINGERPRINT,
}

function withPersonApp(url: string): void {
  const meta = Object.assign(document.createElement('meta'), { name: 'person-app', content: url })
  document.head.append(meta)
  onTestFinished(() => meta.remove())
}

const openOverview = (answers: Answers<Commands> = {}) =>
  openPage(<Overview params={{ service: 's1' }} />, { ...ANSWERS, ...answers })

test('link and QR code say which key is right, in the fragment only', async () => {
  withPersonApp('https://my.example.com/')
  const { screen } = await openOverview()
  await screen.until(() => screen.find('img', 'QR code of the link to Home visits'))
  expect(screen.text).toContain(LINK)
  expect(new URL(LINK).pathname + new URL(LINK).search).not.toContain(FINGERPRINT)
  expect(screen.text).toContain('NRTHWD/VISITS')
})

test('a key that only the server has named makes no link', async () => {
  withPersonApp('https://my.example.com/')
  const { screen } = await openOverview({ readFingerprint: () => null })
  await screen.until(() => screen.text.includes('does not know the key of this service yet'))
  expect(screen.text).not.toContain('#k=')
  expect(screen.find('img')).toBeNull()
  expect(screen.get('link', 'Open the key').getAttribute('href')).toBe('/services/s1/key')
})

test.each(['', '%person-app-url%'])(
  'without the address of the person app (%j) there is the code alone',
  async (url) => {
    withPersonApp(url)
    const { screen } = await openOverview()
    await screen.until(() => screen.text.includes('has not said where customers connect'))
    expect(screen.text).toContain('NRTHWD/VISITS')
  },
)

test('what a service is called cannot lead a link elsewhere', () => {
  for (const code of ['../../x/y', 'A?B/C#D', '//evil.example/x', ...INJECTIONS]) {
    const { origin, hash, search } = new URL(connectLink('https://my.example.com', code, FINGERPRINT))
    expect([origin, hash, search]).toEqual(['https://my.example.com', `#k=${FINGERPRINT}`, ''])
  }
})

test.each(INJECTIONS)('%j as a name is text on every page of the service', async (name) => {
  const answers = { ...ANSWERS, readService: () => ({ ...SERVICE, name }), listServices: () => [{ ...SERVICE, name }] }
  for (const page of [
    <Overview key="1" params={{ service: 's1' }} />,
    <DeleteService key="2" params={{ service: 's1' }} />,
    <Services key="3" />,
  ]) {
    const { screen } = await openPage(page, answers)
    await screen.until(() => document.body.textContent?.includes(name))
    expect(document.querySelector('body img:not([alt]), body script')).toBeNull()
  }
})

test('before a service is deleted the page says what goes and what stays; a refusal is said', async () => {
  const { screen, worker } = await openPage(<DeleteService params={{ service: 's1' }} />, {
    ...ANSWERS,
    deleteService: () => {
      throw new FailureError({ kind: 'refused', key: 'company_connections.active_contract' })
    },
  })
  await screen.until(() => screen.find('button', 'Delete Home visits'))
  expect(screen.text).toContain('So does the key that opens them: keep the passphrase.')
  await screen.click('button', 'Delete Home visits')
  await screen.until(() => screen.find('alert'))
  expect(worker.asked.at(-1)).toEqual({ name: 'deleteService', input: ['s1'] })
  expect(screen.get('link', 'Keep it').getAttribute('href')).toBe('/services/s1')
})

test('the list says that there is none only when it was read', async () => {
  let isThere = false
  const { screen } = await openPage(<Services />, {
    listServices: () => {
      if (isThere) return []
      throw new FailureError({ kind: 'offline' })
    },
  })
  await screen.until(() => screen.find('alert'))
  expect(screen.text).not.toContain('There is no service yet')
  isThere = true
  await screen.click('button', 'Try again')
  await screen.until(() => screen.text.includes('There is no service yet'))
  expect(screen.all('link', 'New service')).toHaveLength(1)
})
