import { ToastProvider } from '@sealpost/ui/desk'
import { FailureError } from '@sealpost/ui/failure'
import { expect, test } from 'vitest'
import { openPage } from '../../shell/testing/open-page.tsx'
import type { DelegateView } from '../../worker/commands/delegates.ts'
import AddDelegate from './add.tsx'
import Delegate from './delegate.tsx'
import HandOver from './hand-over.tsx'
import { HandedKey } from './handed-key.tsx'
import Delegates from './list.tsx'

const AT = '2026-03-01T08:00:00Z'
const INTAKE = { id: 's1', name: 'Patient intake', code: 'R7TQ4K/INTAKE', createdAt: AT }
const LAB = { id: 's2', name: 'Lab results', code: 'R7TQ4K/LAB', createdAt: AT }
const FINGERPRINT = '0123456789abcdef'.repeat(4)
const TOMAS: DelegateView = {
  id: 'd1',
  name: 'Tomas Berg',
  code: 'UKFE58',
  role: 'admin',
  services: ['s1', 's2'],
  keyed: ['s1'],
  fingerprint: FINGERPRINT,
  createdAt: AT,
}
const listServices = () => [INTAKE, LAB]
const cannot = (key: string) => () => {
  throw new FailureError({ kind: 'refused', key })
}

test('the list says who may do what where, and which keys are missing', async () => {
  const nameless: DelegateView = { ...TOMAS, id: 'd2', name: null, role: 'operator', services: [], keyed: [] }
  const screen = await openPage(<Delegates />, { listDelegates: () => [TOMAS, nameless] })
  await screen.until(() => screen.find('link', 'Tomas Berg'))
  expect(screen.get('link', 'Tomas Berg').getAttribute('href')).toBe('/delegates/d1')
  expect(screen.text).toContain('Admin 2 services 1 of 2')
  expect(screen.text).toContain('Not told yet UKFE58 Operator None –')
  expect(screen.get('link', 'Add a delegate').getAttribute('href')).toBe('/delegates/new')
})

test('a company that works alone is told how to let a colleague in', async () => {
  const empty = await openPage(<Delegates />, { listDelegates: () => [] })
  await empty.until(() => empty.text.includes('You work alone here.'))
  expect(empty.all('link', 'Add a delegate').length).toBe(1)
})

test('a list that cannot be read says why and claims nothing', async () => {
  const screen = await openPage(<Delegates />, { listDelegates: cannot('auth.client_endpoint_forbidden') })
  await screen.until(() => screen.find('alert'))
  expect(screen.text).toContain('Your role at this company does not include this.')
  expect(screen.text).not.toContain('You work alone')
})

test('a delegate is let in by code, with the least chosen before', async () => {
  const screen = await openPage(
    <AddDelegate />,
    { listServices, addDelegate: async () => 'd1' },
    { at: '/delegates/new' },
  )
  await screen.until(() => screen.find('checkbox', /Lab results/u))
  expect(screen.get('radio', /Operator/u)).toHaveProperty('checked', true)
  await screen.click('button', 'Let in')
  expect(screen.text).toContain('Write the code that your colleague has told you.')
  expect(screen.worker.asked.some(({ name }) => name === 'addDelegate')).toBe(false)
  await screen.type('textbox', 'Code of the account', ' ukfe58 ')
  await screen.click('radio', /Admin/u)
  await screen.click('checkbox', /Lab results/u)
  await screen.click('button', 'Let in')
  await screen.until(() => location.pathname === '/delegates/d1')
  const asked = screen.worker.asked.find(({ name }) => name === 'addDelegate')
  expect(asked?.input).toEqual([{ code: 'UKFE58', role: 'admin', services: ['s2'] }])
})

test.each([
  ['delegates.user_not_found', 'No account has this code.'],
  ['delegates.exists', 'This account works here already'],
])('%s is told in words', async (key, words) => {
  const screen = await openPage(<AddDelegate />, { listServices: () => [], addDelegate: cannot(key) })
  await screen.until(() => screen.text.includes('This company has no service yet.'))
  await screen.type('textbox', 'Code of the account', 'UKFE58')
  await screen.click('button', 'Let in')
  await screen.until(() => screen.find('alert'))
  expect(screen.text).toContain(words)
})

const page = (
  <ToastProvider>
    <Delegate params={{ delegate: 'd1' }} />
  </ToastProvider>
)

test('role and services are changed; a key that goes with a service is said before', async () => {
  const screen = await openPage(page, { listServices, readDelegate: () => TOMAS, changeDelegate: async () => {} })
  await screen.until(() => screen.find('heading', 'Tomas Berg'))
  expect(screen.text).not.toContain('it stays known: think')
  await screen.click('checkbox', /Patient intake/u)
  expect(screen.text).toContain('Without access to Patient intake the handed-over passphrase goes.')
  await screen.click('radio', /Operator/u)
  await screen.click('button', 'Save')
  await screen.until(() => screen.text.includes('It holds from the next click of the delegate.'))
  const asked = screen.worker.asked.find(({ name }) => name === 'changeDelegate')
  expect(asked?.input).toEqual([{ id: 'd1', role: 'operator', services: ['s2'] }])
})

test('keys: what was handed over, what was not, and the fingerprint to compare', async () => {
  const screen = await openPage(page, { listServices, readDelegate: () => TOMAS })
  await screen.until(() => screen.find('table', 'Keys of services'))
  expect(screen.get('link', /^Hand over\s?Lab results$/u).getAttribute('href')).toBe('/delegates/d1/keys/s2')
  expect(screen.get('link', /^Hand over again\s?Patient intake$/u).getAttribute('href')).toBe('/delegates/d1/keys/s1')
  const groups = screen.get('list', 'Fingerprint of the delegate’s key')
  expect(groups.textContent).toBe(FINGERPRINT)
})

test('an operator needs no key, and to an account without a key nothing can be sealed', async () => {
  const operator = await openPage(page, { listServices, readDelegate: () => ({ ...TOMAS, role: 'operator' as const }) })
  await operator.until(() => operator.text.includes('so no key is needed'))
  expect(operator.find('link', /Hand over/u)).toBeNull()
})

test('to an account without a key nothing can be handed over', async () => {
  const keyless = await openPage(page, { listServices, readDelegate: () => ({ ...TOMAS, fingerprint: null }) })
  await keyless.until(() => keyless.text.includes('no key yet'))
  expect(keyless.find('link', /Hand over/u)).toBeNull()
})

test('what follows a removal stands above it; afterwards the list is shown', async () => {
  const screen = await openPage(page, { listServices, readDelegate: () => TOMAS, removeDelegate: async () => {} })
  await screen.until(() => screen.find('button', 'Remove this delegate'))
  expect(screen.text).toContain('From the next click the delegate sees nothing of this company.')
  await screen.click('button', 'Remove this delegate')
  await screen.until(() => location.pathname === '/delegates')
})

test('one that is gone says so', async () => {
  const screen = await openPage(page, { listServices, readDelegate: cannot('delegates.not_found') })
  await screen.until(() => screen.find('alert'))
  expect(screen.text).toContain('There is no such delegate')
})

const ceremony = <HandOver params={{ delegate: 'd1', service: 's2' }} />

test('a passphrase is handed over only after the fingerprint was compared, and the key that was shown', async () => {
  const screen = await openPage(ceremony, {
    readDelegate: () => TOMAS,
    readService: () => LAB,
    handOverKey: async () => {},
  })
  await screen.until(() => screen.find('heading', 'Hand over the key of Lab results'))
  await screen.click('button', 'Show what is typed')
  await screen.type('textbox', 'Passphrase of the service', 'secret')
  await screen.click('button', 'Seal and hand over')
  expect(screen.text).toContain('Compare the fingerprint first')
  expect(screen.worker.asked.some(({ name }) => name === 'handOverKey')).toBe(false)
  await screen.click('checkbox', 'My colleague has read out the same fingerprint')
  await screen.click('button', 'Seal and hand over')
  await screen.until(() => location.pathname === '/delegates/d1')
  const asked = screen.worker.asked.find(({ name }) => name === 'handOverKey')
  expect(asked?.input).toEqual([{ delegateId: 'd1', serviceId: 's2', passphrase: 'secret', fingerprint: FINGERPRINT }])
})

test.each([
  ['delegate_key_changed', 'The server shows another key for this delegate than before'],
  ['key_of_another_service', 'This is the key of another service'],
  ['passphrase_wrong', 'does not open the key of this service'],
])('%s is told in words, and the passphrase is no longer in the page', async (key, words) => {
  const screen = await openPage(ceremony, {
    readDelegate: () => TOMAS,
    readService: () => LAB,
    handOverKey() {
      throw new FailureError({ kind: 'own', key })
    },
  })
  await screen.until(() => screen.find('checkbox'))
  await screen.click('checkbox', /same fingerprint/u)
  await screen.click('button', 'Show what is typed')
  await screen.type('textbox', 'Passphrase of the service', 'secret')
  await screen.click('button', 'Seal and hand over')
  await screen.until(() => screen.find('alert'))
  expect(screen.text).toContain(words)
  expect(document.body.innerHTML).not.toContain('value="secret"')
})

test('to the owner nothing was handed over, and nothing is said of it', async () => {
  const owner = await openPage(<HandedKey serviceId="s1" />, {})
  expect([owner.text, owner.worker.asked.length]).toEqual(['', 0])
})

test('a delegate opens the key of a service by the passphrase that was handed over', async () => {
  let isHanded = false
  const answers = { isKeyHanded: () => isHanded, openHandedKey: async () => {} }
  const screen = await openPage(<HandedKey serviceId="s1" />, answers, { acting: { role: 'admin' } })
  await screen.until(() => screen.text.includes('was not handed to you'))
  expect(screen.find('button')).toBeNull()
  isHanded = true
  await screen.act(() => screen.worker.change('key'))
  await screen.until(() => screen.find('button', 'Open with it'))
  await screen.click('button', 'Open with it')
  expect(screen.worker.asked.at(-1)).toEqual({ name: 'openHandedKey', input: ['s1'] })
})

test('all of it in German', async () => {
  const screen = await openPage(page, { listServices, readDelegate: () => TOMAS }, { language: 'de' })
  await screen.until(() => screen.find('button', 'Diesen Beauftragten entfernen'))
  expect(screen.text).toContain('Nicht übergeben')
})
