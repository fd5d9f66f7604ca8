import type { ErrorAreaName } from './areas.ts'
import type { ErrorKey } from './catalog.ts'

/**
 * Keys of the catalog that are not thrown yet. The change that throws one removes its line; the contract test names it.
 */
export const unthrownKeys = {
  generic: [],
  oauth: [],
  session: [],
  account: [],
  services: [],
  'oauth-apps': [],
  'company-connections': [],
  'company-data': [],
  'contact-data': [],
  documents: [],
  messages: [],
  twofa: [],
  keys: [],
  flows: [],
  plugins: [],
  forwarder: [],
} as const satisfies Record<ErrorAreaName, readonly ErrorKey[]>

/** Keys that are thrown although no route documents them yet. The operation that documents one removes it here. */
export const keysAheadOfRoutes = [] as const satisfies readonly ErrorKey[]
