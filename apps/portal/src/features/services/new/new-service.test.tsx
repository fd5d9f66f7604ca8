import { FailureError, type Failure } from '@sealpost/ui/failure'
import type { Answers } from '@sealpost/web-app/testing'
import { expect, test } from 'vitest'
import type { Commands } from '../../../shell/worker.ts'
import { INJECTIONS, openPage } from '../../../testing/open-page.tsx'
import NewService from './new-service.tsx'

const PASSPHRASE = 'qT7wZk3Nx8RbBn6dHf4Lp9YsDm2Cu6VjaJ3xWg5Ke7t'
const MADE = { id: 's1', name: 'Home visits', code: 'NRTHWD/VISITS', isCopyMissing: false }

function refuse(failure: Failure): never {
  throw new FailureError(failure)
}

const ANSWERS: Answers<Commands> = {
  makeServiceKey: () => ({ passphrase: PASSPHRASE, needsPassword: false }),
  createService: () => MADE,
  newKeyFile: () => '-----BEGIN ENCRYPTED PRIVATE KEY-----',
}

async function openKeyStep(answers: Answers<Commands> = {}, name = 'Home visits') {
  const opened = await openPage(<NewService />, { ...ANSWERS, ...answers })
  await opened.screen.type('textbox', 'Name', name)
  await opened.screen.click('button', 'Go on to the key')
  return opened
}

async function prove(screen: Awaited<ReturnType<typeof openKeyStep>>['screen'], name = 'Home visits') {
  await screen.until(() => screen.find('textbox', 'Group 4'))
  await screen.type('textbox', 'Group 4', 'Bn6d')
  await screen.type('textbox', 'Group 9', ' aJ3x ')
  await screen.click('button', `Create ${name}`)
}

test('nothing is made before two groups of the passphrase were typed back', async () => {
  const { screen, worker } = await openKeyStep()
  await screen.until(() => screen.find('textbox', 'Group 4'))
  expect(screen.all('listitem').map((item) => item.textContent)).not.toContain('Bn6d')
  await screen.type('textbox', 'Group 4', 'bn6d')
  await screen.click('button', 'Create Home visits')
  expect(screen.text).toContain('That is not this group. Capital and small letters differ.')
  expect(worker.asked.map(({ name }) => name)).toEqual(['makeServiceKey'])
  await prove(screen)
  await screen.until(() => screen.find('heading', 'Home visits is there'))
  expect(worker.asked.at(-1)?.input).toEqual([
    {
      name: 'Home visits',
      adminEmail: 'portal@northwind.example',
      audience: 'both',
      shareCode: '',
      recoveryCopy: true,
      password: null,
    },
  ])
  expect(screen.get('link', 'To the service').getAttribute('href')).toBe('/services/s1')
  expect(document.documentElement.outerHTML).not.toContain('qT7w')
})

test('who uncovers the asked groups is asked for two others', async () => {
  const { screen } = await openKeyStep()
  await screen.until(() => screen.find('textbox', 'Group 4'))
  await screen.type('textbox', 'Group 4', 'Bn6d')
  await screen.click('button', 'Uncover, and ask for two others')
  expect(screen.find('textbox', 'Group 4')).toBeNull()
  expect(screen.text).toContain('Bn6d')
  expect(screen.text).not.toContain('Zk3N')
  expect(screen.get('textbox', 'Group 2').getAttribute('value')).toBe('')
})

test('a code that is taken leads back to the name, and the key stays', async () => {
  const { screen, worker } = await openKeyStep({
    createService: () => refuse({ kind: 'refused', key: 'services.share_code_taken' }),
  })
  await prove(screen)
  await screen.until(() => screen.find('alert'))
  await screen.click('button', 'Change name or code')
  expect(screen.get('textbox', 'Name').getAttribute('value')).toBe('Home visits')
  await screen.click('button', 'Go on to the key')
  await screen.until(() => screen.find('textbox', 'Group 4'))
  expect(worker.asked.filter(({ name }) => name === 'makeServiceKey')).toHaveLength(1)
})

test.each([
  ['new_key_exchanged', 'The server has stored another key than the one that was made in this browser.'],
  ['new_key_gone', 'The portal was locked in between, so the new key is gone. No service was made.'],
])('%s is said in words', async (key, what) => {
  const { screen } = await openKeyStep({ createService: () => refuse({ kind: 'own', key }) })
  await prove(screen)
  await screen.until(() => screen.text.includes(what))
  expect(screen.find('heading', 'Home visits is there')).toBeNull()
})

test('a key that could not be made can be tried again', async () => {
  let isThere = false
  const { screen } = await openKeyStep({
    makeServiceKey: () => (isThere ? { passphrase: PASSPHRASE, needsPassword: false } : refuse({ kind: 'offline' })),
  })
  await screen.until(() => screen.find('alert'))
  isThere = true
  await screen.click('button', 'Try again')
  await screen.until(() => screen.find('textbox', 'Group 4'))
  expect(screen.find('alert')).toBeNull()
})

test('the password is asked where the recovery key was never opened, and not without a copy', async () => {
  const { screen, worker } = await openKeyStep({
    makeServiceKey: () => ({ passphrase: PASSPHRASE, needsPassword: true }),
    createService: () => ({ ...MADE, isCopyMissing: true }),
  })
  await screen.until(() => screen.find('textbox', 'Group 4'))
  expect(document.querySelector('input[type="password"]')).not.toBeNull()
  await screen.click('checkbox')
  expect(document.querySelector('input[type="password"]')).toBeNull()
  expect(screen.text).toContain('nothing brings it back')
  await prove(screen)
  await screen.until(() => screen.text.includes('its recovery copy could not be stored'))
  expect(worker.asked.at(-1)?.input).toMatchObject([{ recoveryCopy: false, password: null }])
  expect(screen.get('link', 'To its key').getAttribute('href')).toBe('/services/s1/key')
})

test('what is missing is said at its field, and nothing is asked of the worker', async () => {
  const { screen, worker } = await openPage(<NewService />, ANSWERS)
  await screen.type('textbox', /^Code/, 'hö-1')
  await screen.type('textbox', 'Who is told when something is wrong?', 'no address')
  await screen.click('button', 'Go on to the key')
  for (const problem of [
    'Write the name that customers see.',
    'Take up to 8 letters from A to Z and digits.',
    'Write an e-mail address such as it@company.example.',
  ])
    expect(screen.text).toContain(problem)
  expect(worker.asked).toEqual([])
})

test.each(INJECTIONS)('%j as a name is text and nothing else', async (name) => {
  const { screen } = await openKeyStep({ createService: () => ({ ...MADE, name }) }, name)
  await prove(screen, name)
  await screen.until(() => screen.find('link', 'To the service'))
  expect(screen.get('heading').textContent).toBe(`${name} is there`)
  expect(document.querySelector('img, script')).toBeNull()
})

test('in German nothing is left in English', async () => {
  const { screen } = await openPage(<NewService />, ANSWERS, 'de')
  await screen.type('textbox', 'Name', 'Hausbesuche')
  await screen.click('button', 'Weiter zum Schlüssel')
  await screen.until(() => screen.find('textbox', 'Gruppe 4'))
  expect(screen.get('heading', 'Diese Passphrase öffnet Hausbesuche. Sie sehen sie einmal.')).toBeTruthy()
})
