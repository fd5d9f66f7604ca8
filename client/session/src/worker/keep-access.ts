import { type FreshAccess, isSealpostError } from '@sealpost/sdk'
import type { DeviceStore } from './device-store.ts'
import type { Access, LogIn, SessionCalls, UserType } from './session-calls.ts'

/** Holds the token of a web app, in memory only, and ends its session. */
export interface KeptAccess {
  /** For `accessToken` of an SDK client, which calls it when it needs another token than the last one. */
  readonly accessToken: () => Promise<FreshAccess>
  /** The same of a client that acts as a delegate for another company. */
  readonly accessFor: (companyId: string) => Promise<FreshAccess>
  open(login: LogIn): Promise<void>
  forget(): void
  /**
   * Tells the platform which end is owed, see `OwedEnd`. False if it has not heard: the caller tries again later. Never
   * rejects.
   */
  tellEnd(): Promise<boolean>
}

/** One call with the cookie at a time, of all tabs: an end that is told late must not end the session of a later login. */
const LOCK = 'sealpost-session'

export function keepAccess(calls: SessionCalls, userType: UserType, store: DeviceStore): KeptAccess {
  let taken: Access | null = null
  const tellEnd = async (): Promise<boolean> => {
    try {
      const owed = await store.readOwed()
      if (owed === null) return true
      if (owed.deviceId !== null) await removeDevice(calls, userType, owed.deviceId)
      await calls.close(userType)
      await store.forgetOwed()
      return true
    } catch {
      // Without a network, refused, or answered with nothing of use: it stays owed in each case.
      return false
    }
  }
  return {
    async accessToken() {
      const fresh = taken
      taken = null
      return fresh ?? (await alone(() => calls.refresh(userType)))
    },
    accessFor: (companyId) => alone(() => calls.refresh(userType, companyId)),
    open: (login) =>
      alone(async () => {
        await tellEnd()
        taken = await calls.open(login)
        // The cookie of the session that had to end is replaced, so it cannot be ended from here any more.
        await store.forgetOwed()
      }),
    forget() {
      taken = null
    },
    tellEnd: () => alone(tellEnd),
  }
}

/** Does nothing where the session or the device has ended already. */
async function removeDevice(calls: SessionCalls, userType: UserType, deviceId: string): Promise<void> {
  try {
    await calls.removeDevice(await calls.refresh(userType), deviceId)
  } catch (error) {
    const isGone = isSealpostError(error, 'session.expired') || isSealpostError(error, 'request.not_found')
    if (!isGone) throw error
  }
}

interface LocksHost {
  readonly navigator?: {
    readonly locks?: { request<T>(name: string, callback: () => Promise<T>): Promise<T> }
  }
}

/** One tab after another: for ten seconds a rotated cookie is answered with its successor, later it ends the session. */
function alone<T>(act: () => Promise<T>): Promise<T> {
  const host: LocksHost = globalThis
  const locks = host.navigator?.locks
  return locks === undefined ? act() : locks.request(LOCK, act)
}
