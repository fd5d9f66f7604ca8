import { createContext, use } from 'react'
import type { SessionState } from '../worker/commands/session.ts'

export const SessionContext = createContext<SessionState>({ state: 'absent' })

export function useSession(): SessionState {
  return use(SessionContext)
}

/** For pages of somebody. */
export function useOpenSession(): Extract<SessionState, { readonly state: 'open' }> {
  const session = use(SessionContext)
  if (session.state !== 'open') throw new Error('this page is shown to nobody')
  return session
}
