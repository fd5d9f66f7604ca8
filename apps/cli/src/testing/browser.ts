import { deriveLogin } from '@sealpost/vault'

interface CompanyUser {
  readonly email: string
  readonly password: string
}

/** A browser in which this user signs in on every page that opens; follows the redirect to the command. */
export function browserOf(user: CompanyUser): (url: string) => void {
  return (url) => void submit(url, user).then((answer) => fetch(answer.headers.get('location') ?? ''))
}

/** The code that the page shows when it does not redirect. */
export async function codeShown(url: string, user: CompanyUser): Promise<string> {
  return /<code id="code">([\w.-]+)<\/code>/.exec(await (await submit(url, user)).text())?.[1] ?? ''
}

async function submit(address: string, { email, password }: CompanyUser): Promise<Response> {
  const url = new URL(address)
  const asked = await fetch(`${url.origin}/api/session/params?email=${encodeURIComponent(email)}`)
  const params: unknown = await asked.json()
  const kdf = typeof params === 'object' && params !== null && 'kdf' in params ? params.kdf : null
  const { authVerifier } = await deriveLogin(password, kdf)
  const form = new URLSearchParams(url.searchParams)
  form.set('email', email)
  form.set('auth_verifier', authVerifier.reveal())
  const headers = { accept: 'text/html' }
  return fetch(url.origin + url.pathname, { method: 'POST', body: form, headers, redirect: 'manual' })
}
