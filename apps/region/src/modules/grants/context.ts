import type { Platform } from '../../platform/module.ts'
import type { LoginContext } from '../login/index.ts'

export interface GrantsContext extends Platform {
  readonly login: LoginContext
  /** Resolves when no process of that region accepts a token of these sessions. */
  revokeElsewhere(region: string, sessionIds: readonly string[]): Promise<void>
}
