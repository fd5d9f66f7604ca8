import { callFrontDoor } from '../front-door.ts'
import { CliError, type Terminal } from '../terminal.ts'
import type { Login } from './logins.ts'

/** The command at every front door; public, so a stolen code is worth nothing without the verifier of its login. */
export const CLIENT_ID = 'command_line'

/** The login at this front door is over: only a new one helps. */
export class LoginEndedError extends CliError {
  constructor(frontDoor: string) {
    super(`the login at ${frontDoor} has ended: run sealpost login`)
  }
}

export interface CodeToRedeem {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

export async function redeemCode(
  { clock }: Pick<Terminal, 'clock'>,
  frontDoor: string,
  { code, verifier, redirectUri }: CodeToRedeem,
): Promise<Omit<Login, 'account_id'>> {
  const now = clock.now()
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
  const answer = await postForm(frontDoor, '/oauth2/token', form)
  if (answer.key === 'oauth.invalid_grant') {
    throw new CliError('the code is not valid any more, or belongs to another login: run sealpost login again')
  }
  return { ...loginOf(frontDoor, answer, now), logged_in_at: now }
}

export async function renewLogin({ clock }: Pick<Terminal, 'clock'>, login: Login): Promise<Login> {
  const now = clock.now()
  const form = { grant_type: 'refresh_token', refresh_token: login.refresh_token }
  const answer = await postForm(login.front_door, '/oauth2/token', form)
  if (answer.key === 'oauth.invalid_grant') throw new LoginEndedError(login.front_door)
  return { ...login, ...loginOf(login.front_door, answer, now) }
}

/** When this resolves, no token of the login is accepted any more. */
export async function revokeLogin({ front_door: frontDoor, refresh_token: token }: Login): Promise<void> {
  const answer = await postForm(frontDoor, '/oauth2/revoke', { token, token_type_hint: 'refresh_token' })
  if (!answer.isOk) throw new CliError(sentenceOf(frontDoor, answer))
}

interface FormAnswer {
  readonly isOk: boolean
  readonly key: unknown
  readonly members: Readonly<Record<string, unknown>>
}

async function postForm(frontDoor: string, path: string, form: Readonly<Record<string, string>>): Promise<FormAnswer> {
  const { isOk, members } = await callFrontDoor(frontDoor, path, {
    method: 'POST',
    form: { client_id: CLIENT_ID, ...form },
  })
  return { isOk, key: members['error_key'], members }
}

function loginOf(frontDoor: string, answer: FormAnswer, now: number): Omit<Login, 'account_id' | 'logged_in_at'> {
  const { access_token, refresh_token, api_url, expires_in } = answer.members
  const isWhole =
    typeof access_token === 'string' &&
    typeof refresh_token === 'string' &&
    typeof api_url === 'string' &&
    typeof expires_in === 'number'
  if (!answer.isOk || !isWhole) throw new CliError(sentenceOf(frontDoor, answer))
  return { front_door: frontDoor, access_token, refresh_token, api_url, expires_at: now + expires_in * 1000 }
}

function sentenceOf(frontDoor: string, { members, key }: FormAnswer): string {
  const { error_description: sentence, error } = members
  const text = typeof sentence === 'string' ? sentence : error
  if (typeof text !== 'string') return `${frontDoor} gave an unusable answer; is it the address of the front door?`
  return typeof key === 'string' ? `${text} (${key})` : text
}
