import { type ApiError, completeAuthorization } from '@sealpost/protocol'
import { escapeHtml, htmlDocument, pageHeaders } from '../../../platform/html.ts'
import type { AnyClient, AuthorizeRequest } from '../model.ts'
import { OUT_OF_BAND } from '../rules/request.ts'
import { SCRIPT_URL, STYLE_URL } from './assets.ts'

/** For a page without a form. */
export const PAGE_HEADERS = pageHeaders("form-action 'none'")

/**
 * For the sign-in page. There is no `form-action`: browsers apply it to every redirect after the form, also to further
 * redirects by the client, whose targets are unknown here. The verifier is derived by WebAssembly.
 */
export const LOGIN_HEADERS = pageHeaders("script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'")

export interface LoginPage {
  /** Of the client. */
  readonly name: string
  readonly request: AuthorizeRequest<AnyClient>
  /** The form sends these members again. */
  readonly query: Readonly<Record<string, unknown>>
  readonly problem: ApiError | null
  readonly email?: string
}

const REPEATED = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'mode',
  'response_mode',
]

/** The page on which a user of the client's company signs in. The password field has no name, so it is never sent. */
export function loginPage({ name: given, request, query, problem, email = '' }: LoginPage): string {
  const hidden = REPEATED.filter((name) => typeof query[name] === 'string').map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(String(query[name]))}">`,
  )
  const name = escapeHtml(given)
  return document(
    `Sign in for ${name}`,
    `<h1>Sign in for ${name}</h1>
    <p>Signing in lets <strong>${name}</strong> ${powerOf(request)}. ${nextOf(request)}</p>
    ${problem === null ? '' : `<p class="problem" id="problem" role="alert">${escapeHtml(problem.message)}</p>`}
    <noscript><p class="problem">Your password is turned into a proof in this page, so signing in needs JavaScript.</p></noscript>
    <form id="login" method="post" action="${completeAuthorization.path}">
      ${hidden.join('\n      ')}
      <input type="hidden" name="auth_verifier" id="auth_verifier">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="username" required value="${escapeHtml(email)}"${
        problem === null ? ' autofocus' : ''
      }>
      <label for="password">Password</label>
      <input id="password" type="password" autocomplete="current-password" required${
        problem === null ? '' : ' autofocus aria-describedby="problem"'
      }>
      <label for="otp">One-time code <span class="hint">(if your account asks for one)</span></label>
      <input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" maxlength="32">
      <button id="send" type="submit" disabled>Sign in</button>
      <p id="status" role="status"></p>
    </form>`,
    `<script src="${SCRIPT_URL}" defer></script>`,
  )
}

function powerOf({ client }: AuthorizeRequest<AnyClient>): string {
  return client.kind === 'command'
    ? 'manage the services of your company, their webhooks and their clients'
    : 'act for your company'
}

/** Where the user goes from here. A link that another person sent must not look like the user's own login. */
function nextOf({ client, redirectUri }: AuthorizeRequest<AnyClient>): string {
  const place = `You will then be taken to <strong>${escapeHtml(placeOf(redirectUri))}</strong>.`
  if (client.kind !== 'command') return place
  const next = redirectUri === OUT_OF_BAND ? 'You will then see a code to copy to your terminal.' : place
  return `${next} Go on only if you have just started <code>sealpost login</code> yourself.`
}

/** The host; for a custom scheme, which opens a program on this machine, the scheme. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

export function donePage(): string {
  return document('Done', '<h1>Done</h1><p>You can close this window and go on where you came from.</p>')
}

/** The code is worth nothing without the secret of the terminal that started the login. */
export function codePage(code: string): string {
  return document(
    'Your code',
    `<h1>Your code</h1><p>Copy it to the terminal in which you started <code>sealpost login</code>, within a minute:</p>
    <p><code id="code">${escapeHtml(code)}</code></p>
    <p>Give it to no other person: it is for your own terminal only.</p>`,
  )
}

export function faultPage(sentence: string): string {
  return document(
    'This link cannot be used',
    `<h1>This link cannot be used</h1><p>${escapeHtml(sentence)}.</p>
    <p>Go back to where the link came from, and tell its owner.</p>`,
  )
}

function document(title: string, main: string, head = ''): string {
  return htmlDocument({ title, styleUrl: STYLE_URL, head, main })
}
