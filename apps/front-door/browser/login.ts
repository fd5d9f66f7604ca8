import { deriveLogin } from '@sealpost/vault'

// The script of the page on which a company user signs in for a client (src/modules/authorize/page/page.ts). The password becomes a
// verifier here and is never sent: its field has no name, so the form leaves it out.

const form = find('login', HTMLFormElement)
const email = find('email', HTMLInputElement)
const password = find('password', HTMLInputElement)
const verifier = find('auth_verifier', HTMLInputElement)
const button = find('send', HTMLButtonElement)
const status = find('status', HTMLElement)

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void signIn()
})
button.disabled = false

async function signIn(): Promise<void> {
  button.disabled = true
  status.textContent = 'Signing in…'
  try {
    const { authVerifier } = await deriveLogin(password.value, await askParameters(email.value))
    verifier.value = authVerifier.reveal()
    password.value = ''
    form.submit()
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : 'Signing in failed. Try again.'
    button.disabled = false
  }
}

async function askParameters(address: string): Promise<unknown> {
  // oxlint-disable-next-line sealpost/egress -- in a browser, to the server that the page came from
  const answer = await fetch(`/api/session/params?${new URLSearchParams({ email: address }).toString()}`)
  const body: unknown = await answer.json()
  if (answer.ok && isObject(body)) return body['kdf']
  throw new Error(isObject(body) ? String(body['error']) : 'The server cannot be reached. Try again.')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`the page has no ${id}`)
}
