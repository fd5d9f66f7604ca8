import type { FreshAccess } from '@sealpost/sdk'
import type { Terminal } from '../terminal.ts'
import type { Login, Logins } from './logins.ts'
import { LoginEndedError, renewLogin } from './tokens.ts'

const RENEW_EARLY_MS = 60_000

/**
 * The token of the login, renewed when it is about to expire or was refused. Parallel commands share one token: the first
 * renews it, the others find the new one in the file.
 */
export function accessOf(terminal: Terminal, logins: Logins, frontDoor: string): () => Promise<FreshAccess> {
  let handedOut: string | null = null
  return async () => {
    const refused = handedOut
    const isFresh = (login: Login): boolean =>
      login.access_token !== refused && login.expires_at - RENEW_EARLY_MS > terminal.clock.now()
    const present = await logins.find(frontDoor)
    const login = present !== null && isFresh(present) ? present : await renew(terminal, logins, frontDoor, isFresh)
    handedOut = login.access_token
    const expiresInSeconds = (login.expires_at - terminal.clock.now()) / 1000
    return { token: login.access_token, apiUrl: login.api_url, expiresInSeconds }
  }
}

async function renew(
  terminal: Terminal,
  logins: Logins,
  frontDoor: string,
  isFresh: (login: Login) => boolean,
): Promise<Login> {
  let ended: LoginEndedError | null = null
  const login = await logins.change(frontDoor, async (present) => {
    if (present === null || isFresh(present)) return present
    try {
      return await renewLogin(terminal, present)
    } catch (error) {
      if (!(error instanceof LoginEndedError)) throw error
      ended = error
      return null
    }
  })
  if (login === null) throw ended ?? new LoginEndedError(frontDoor)
  return login
}
