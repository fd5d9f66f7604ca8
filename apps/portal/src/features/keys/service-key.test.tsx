import { FailureError } from '@sealpost/ui/failure'
import type { Answers } from '@sealpost/web-app/testing'
import { expect, test } from 'vitest'
import type { Commands } from '../../shell/worker.ts'
import { openPage } from '../../testing/open-page.tsx'
import type { KeyCopies } from '../../worker/commands/service-key.ts'
import ServiceKeyPage from './service-key.tsx'

const SERVICE = { id: 's1', name: 'Home visits', code: 'NRTHWD/VISITS', createdAt: '2030-01-02T00:00:00.000Z' }
const FINGERPRINT = '0123456789abcdef'.repeat(4)
const COPIES: KeyCopies = {
  fingerprint: FINGERPRINT,
  recovery: { id: 'r1', createdAt: '2030-01-02T00:00:00.000Z' },
  delegates: [
    { id: 'd1', shareCode: 'ELINSA', hasKey: true },
    { id: 'd2', shareCode: 'OTTOWE', hasKey: false },
  ],
  needsPassword: false,
}
const ANSWERS: Answers<Commands> = {
  readService: () => SERVICE,
  serviceKeyState: () => null,
  readKeyCopies: () => COPIES,
}

const openKeyPage = (answers: Answers<Commands> = {}) =>
  openPage(<ServiceKeyPage params={{ service: 's1' }} />, { ...ANSWERS, ...answers })

function wrong(): never {
  throw new FailureError({ kind: 'own', key: 'passphrase_wrong' })
}

/** The last field for a passphrase whose form has this button. */
function fieldBefore(button: HTMLElement): HTMLInputElement {
  const field = button.closest('form')?.querySelector<HTMLInputElement>('input[type="password"]')
  if (field === null || field === undefined) throw new Error('no passphrase is asked there')
  return field
}

async function typeAndPress({ screen }: Awaited<ReturnType<typeof openKeyPage>>, act: string, text: string) {
  await screen.until(() => screen.find('button', act))
  const field = fieldBefore(screen.get('button', act))
  field.setAttribute('data-test', act)
  await screen.act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await screen.click('button', act)
}

test('every copy is named with whom it is for, and with what only the company knows', async () => {
  const { screen } = await openKeyPage()
  await screen.until(() => screen.find('list', 'Who has a copy'))
  for (const text of [
    'Recovery copy of the passphrase Stored 2 January 2030',
    'Delegate ELINSA The passphrase is sealed to them',
    'Delegate OTTOWE Works on this service, and opens nothing',
    'What you have stored yourself',
    'Who has seen a passphrase still knows it',
    FINGERPRINT.match(/.{4}/g)?.join(' ') ?? '',
  ])
    expect(screen.text).toContain(text)
})

test('without a recovery copy it says what is lost, and keeps one', async () => {
  const opened = await openKeyPage({
    readKeyCopies: () => ({ ...COPIES, recovery: null, delegates: [], needsPassword: true, fingerprint: null }),
    keepRecoveryCopy: () => {},
  })
  const { screen, worker } = opened
  await typeAndPress(opened, 'Keep the copy', 'the passphrase')
  await screen.until(() => screen.text.includes('The recovery copy is stored.'))
  expect(screen.text).toContain('what customers have given stays shut for good')
  expect(screen.text).toContain('This browser has not opened the key yet')
  expect(worker.asked.at(-1)?.input).toEqual([{ serviceId: 's1', passphrase: 'the passphrase', password: '' }])
})

test('the passphrase is tried, and the page says whether it opens', async () => {
  let isRight = false
  const opened = await openKeyPage({ tryPassphrase: () => (isRight ? undefined : wrong()) })
  const { screen } = opened
  await typeAndPress(opened, 'Try it', 'mistyped')
  await screen.until(() => screen.text.includes('does not open the key of this service'))
  isRight = true
  await typeAndPress(opened, 'Try it', 'right')
  await screen.until(() => screen.text.includes('Yes: this passphrase opens the key'))
  expect(fieldBefore(screen.get('button', 'Try it')).value).toBe('')
})

test('nothing is asked of the worker without a passphrase', async () => {
  const { screen, worker } = await openKeyPage()
  await screen.until(() => screen.find('button', 'Try it'))
  await screen.click('button', 'Try it')
  expect(screen.text).toContain('Type the passphrase of this service.')
  expect(worker.asked.some(({ name }) => name === 'tryPassphrase')).toBe(false)
})

test('the owner gets the passphrase back by the code of a mail, sees it, and puts it away', async () => {
  const opened = await openKeyPage({
    requestRecoveryCode: () => {},
    recoverPassphrase: () => ({ passphrase: 'qT7wZk3Nx8Rb' }),
  })
  const { screen, worker } = opened
  await screen.until(() => screen.find('button', 'Send the code'))
  await screen.click('button', 'Send the code')
  await screen.until(() => screen.find('textbox', 'The six digits from the mail'))
  await screen.type('textbox', 'The six digits from the mail', '123456')
  await typeAndPress(opened, 'Show the passphrase', 'password of the account')
  await screen.until(() => screen.text.includes('qT7w'))
  expect(worker.asked.at(-1)?.input).toEqual([
    { serviceId: 's1', copyId: 'r1', code: '123456', password: 'password of the account' },
  ])
  await screen.click('button', 'I have stored it')
  expect(document.documentElement.outerHTML).not.toContain('qT7w')
})

test.each(['recovery_copy_other', 'passphrase_wrong', 'service_key_changed'])('%s of a copy is said', async (key) => {
  const opened = await openKeyPage({
    requestRecoveryCode: () => {},
    recoverPassphrase: () => {
      throw new FailureError({ kind: 'own', key })
    },
  })
  const { screen } = opened
  await screen.until(() => screen.find('button', 'Send the code'))
  await screen.click('button', 'Send the code')
  await typeAndPress(opened, 'Show the passphrase', 'x')
  await screen.until(() => screen.find('alert'))
  expect(screen.get('alert').textContent).not.toContain('Something went wrong')
})

test('the key that is open here is shown with its fingerprint, and is closed by a click', async () => {
  let isOpen = true
  const { screen, worker } = await openKeyPage({
    serviceKeyState: () => (isOpen ? { serviceId: 's1', fingerprint: FINGERPRINT } : null),
    forgetServiceKey: () => void (isOpen = false),
  })
  await screen.until(() => screen.find('button', 'Close the key'))
  expect(screen.text).toContain('Key open here')
  await screen.click('button', 'Close the key')
  worker.change('key')
  await screen.until(() => screen.find('button', 'Open the key'))
  expect(screen.text).toContain('Key not open here')
})

test.each(['readService', 'readKeyCopies', 'serviceKeyState'])(
  'without %s the page says so and shows no copies it does not know',
  async (name) => {
    const { screen } = await openKeyPage({
      [name]: () => {
        throw new FailureError({ kind: 'offline' })
      },
    })
    await screen.until(() => screen.find('alert'))
    if (name === 'readKeyCopies') expect(screen.text).not.toContain('Recovery copy of the passphrase')
    expect(screen.find('button', 'Try again')).not.toBeNull()
  },
)
