import { createContext, use } from 'react'
import type { SessionState } from '../worker/commands/session.ts'

export const SessionContext = createContext<SessionState>({ state: 'absent' })

export function useSession(): SessionState {
  return use(SessionContext)
}

/** For pages of an open account. */
export function useOpenSession(): Extract<SessionState, { readonly state: 'open' }> {
  const session = use(SessionContext)
  if (session.state !== 'open') throw new Error('this page is for an open account')
  return session
}
