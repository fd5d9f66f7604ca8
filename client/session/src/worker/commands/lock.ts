import type { SessionContext } from '../context.ts'

/** Forgets keys, values and token; what rests on the device stays. */
export function closeAccount(context: SessionContext): void {
  context.open?.ending.abort()
  context.open = null
  context.access.forget()
}

export interface Leaving {
  /** The trusted device that the person has removed, in which the app runs; null at a mere sign-out. */
  readonly deviceId: string | null
  /** Kept where the platform says that this device is to go: by that it must not forget whose keys it has pinned. */
  readonly keepsPins?: boolean
}

/**
 * [Note: a device forgets without the server] First everything of the account goes from this device, then the platform is
 * told, in the background and again until it has heard: a server that is away, slow or hostile keeps nothing here.
 */
export async function leaveAccount(context: SessionContext, { deviceId, keepsPins = false }: Leaving): Promise<void> {
  await wipe(context, { pins: !keepsPins, owed: { deviceId } })
  context.tellEnd()
}

/** After the account itself has ended, and with it all sessions. */
export async function wipeLocal(context: SessionContext): Promise<void> {
  await wipe(context, { pins: true, owed: null })
}

async function wipe(context: SessionContext, what: Parameters<SessionContext['store']['clear']>[0]): Promise<void> {
  closeAccount(context)
  context.pending = null
  await context.store.clear(what)
  context.changed('session')
}
