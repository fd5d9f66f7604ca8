import { createContext, use } from 'react'
import type { Acting } from '../worker/commands/acting.ts'
import { type May, mayOf } from './may.ts'

/** The company that the page is about, and the way to another one: its id, or null for the own account. */
export interface ActingHere extends Acting {
  readonly switchTo: (companyId: string | null) => void
}

export const ActingContext = createContext<ActingHere | null>(null)

/** For pages of an open account. */
export function useActing(): ActingHere {
  const acting = use(ActingContext)
  if (acting === null) throw new Error('this page is for an open account')
  return acting
}

export function useMay(): May {
  return mayOf(useActing().role)
}
