import { FailureError } from '@sealpost/ui/failure'
import type { Answers } from '@sealpost/web-app/testing'
import { expect, test } from 'vitest'
import type { Commands } from '../../../shell/worker.ts'
import { openPage } from '../../../testing/open-page.tsx'
import type { ApiAccess } from '../../../worker/commands/data-client.ts'
import ApiAccessPage from './api-access.tsx'
import { snippetOf } from './snippet.ts'

const SERVICE = { id: 's1', name: 'Home visits', code: 'NRTHWD/VISITS', createdAt: '2030-01-02T00:00:00.000Z' }
const SECRET = 'secret-that-is-shown-once'
const CLIENT = { clientId: 'svc_1', redirectUri: null, copyId: 'r1' }
const ACCESS: ApiAccess = { frontDoorUrl: 'https://door.example.com', client: CLIENT }
const ANSWERS: Answers<Commands> = {
  readService: () => SERVICE,
  serviceKeyState: () => null,
  readApiAccess: () => ACCESS,
}

const openApi = (answers: Answers<Commands> = {}) =>
  openPage(<ApiAccessPage params={{ service: 's1' }} />, { ...ANSWERS, ...answers })

test('the client is registered, its secret is shown once, and is gone when it was stored', async () => {
  let client: ApiAccess['client'] = null
  const { screen, worker } = await openApi({
    readApiAccess: () => ({ ...ACCESS, client }),
    createDataClient: () => {
      client = CLIENT
      return { secret: SECRET }
    },
  })
  await screen.until(() => screen.find('button', 'Register the client'))
  await screen.click('button', 'Register the client')
  worker.change('services')
  await screen.until(() => screen.text.includes(SECRET))
  expect(screen.text).toContain('You see this secret once.')
  expect(screen.get('region', 'Shell').textContent).not.toContain(SECRET)
  await screen.click('button', 'I have stored it')
  expect(document.documentElement.outerHTML).not.toContain(SECRET)
  expect(screen.find('button', 'Register the client')).toBeNull()
})

test('a refusal of the level is said, and nothing is shown as registered', async () => {
  const { screen } = await openApi({
    readApiAccess: () => ({ ...ACCESS, client: null }),
    createDataClient: () => {
      throw new FailureError({ kind: 'refused', key: 'account.level_insufficient' })
    },
  })
  await screen.until(() => screen.find('button', 'Register the client'))
  await screen.click('button', 'Register the client')
  await screen.until(() => screen.find('alert'))
  expect(screen.find('button', 'Register the client')).not.toBeNull()
})

test('the secret is replaced, or recovered by the code of a mail', async () => {
  const { screen, worker } = await openApi({
    replaceClientSecret: () => ({ secret: SECRET }),
    requestRecoveryCode: () => {},
    recoverClientSecret: () => ({ secret: 'the old one' }),
  })
  await screen.until(() => screen.find('button', 'Make a new secret'))
  expect(screen.text).toContain('The old secret and every token of the client end at once.')
  await screen.click('button', 'Make a new secret')
  await screen.until(() => screen.text.includes(SECRET))
  await screen.click('button', 'I have stored it')
  await screen.click('button', 'Send the code')
  await screen.until(() => screen.find('textbox', 'The six digits from the mail'))
  await screen.type('textbox', 'The six digits from the mail', '123456')
  await screen.click('button', 'Show the secret')
  await screen.until(() => screen.text.includes('the old one'))
  expect(worker.asked.at(-1)?.input).toEqual([{ copyId: 'r1', code: '123456', password: '' }])
})

test('the way back is saved and taken away', async () => {
  const { screen, worker } = await openApi({ changeRedirectUri: () => {} })
  await screen.until(() => screen.find('textbox', /^Address of your app/))
  await screen.type('textbox', /^Address of your app/, ' https://app.example.com/back ')
  await screen.click('button', 'Save')
  await screen.until(() => screen.text.includes('Saved.'))
  await screen.type('textbox', /^Address of your app/, '')
  await screen.click('button', 'Save')
  await screen.until(() => worker.asked.filter(({ name }) => name === 'changeRedirectUri').length === 2)
  const inputs = worker.asked.filter(({ name }) => name === 'changeRedirectUri').map(({ input }) => input[0])
  expect(inputs).toEqual([
    { serviceId: 's1', redirectUri: 'https://app.example.com/back' },
    { serviceId: 's1', redirectUri: null },
  ])
})

test('before the client ends it is said what ends with it', async () => {
  const { screen, worker } = await openApi({ deleteDataClient: () => {} })
  await screen.until(() => screen.find('button', 'End the client …'))
  await screen.click('button', 'End the client …')
  await screen.until(() => screen.find('button', 'End the client'))
  expect(document.body.textContent).toContain('systems that use them read nothing more')
  expect(worker.asked.some(({ name }) => name === 'deleteDataClient')).toBe(false)
  await screen.click('button', 'End the client')
  await screen.until(() => worker.asked.some(({ name }) => name === 'deleteDataClient'))
  expect(worker.asked.at(-1)?.input).toEqual(['s1'])
})

test('a server that names a command as the id of the client gets none into the program', () => {
  for (const id of ['svc_1', `'; rm -rf ~ #`, '$(reboot)', '`id`']) {
    const code = snippetOf('https://door.example.com', id)
    expect(code.match(/'/g)).toHaveLength(snippetOf('https://door.example.com', 'x').match(/'/g)?.length ?? 0)
    expect(code).not.toMatch(/rm -rf|\$\(reboot\)|`id`/)
  }
})
