import type { FreshAccess } from '@sealpost/sdk'
import type { Access, SessionCalls, UserType } from './session-calls.ts'

/** Holds the token of a web app, in memory only. */
export interface KeptAccess {
  /** For `accessToken` of an SDK client, which calls it when it needs another token than the last one. */
  readonly accessToken: () => Promise<FreshAccess>
  /** After a login. */
  take(access: Access): void
  forget(): void
}

const LOCK = 'sealpost-session'

export function keepAccess(calls: SessionCalls, userType: UserType): KeptAccess {
  let taken: Access | null = null
  return {
    async accessToken() {
      const fresh = taken
      taken = null
      return fresh ?? (await refreshAlone(() => calls.refresh(userType)))
    },
    take(access) {
      taken = access
    },
    forget() {
      taken = null
    },
  }
}

interface LocksHost {
  readonly navigator?: {
    readonly locks?: { request<T>(name: string, callback: () => Promise<T>): Promise<T> }
  }
}

/** One tab after another: for ten seconds a rotated cookie is answered with its successor, later it ends the session. */
function refreshAlone<T>(refresh: () => Promise<T>): Promise<T> {
  const host: LocksHost = globalThis
  const locks = host.navigator?.locks
  return locks === undefined ? refresh() : locks.request(LOCK, refresh)
}
