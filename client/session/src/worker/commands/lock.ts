import type { SessionContext } from '../context.ts'

/** Forgets keys, values and token; what rests on the device stays. */
export function closeAccount(context: SessionContext): void {
  context.open?.ending.abort()
  context.open = null
  context.access.forget()
}

export async function wipeLocal(context: SessionContext): Promise<void> {
  closeAccount(context)
  context.pending = null
  await context.store.clear()
  context.changed('session')
}
