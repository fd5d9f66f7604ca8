import type { PersonContext } from '../context.ts'

/** Forgets keys, values and token; what rests on the device stays. */
export function closeAccount(context: PersonContext): void {
  context.open?.ending.abort()
  context.open = null
  context.consent = null
  context.access.forget()
}

export async function wipeLocal(context: PersonContext): Promise<void> {
  closeAccount(context)
  context.pending = null
  await context.store.clear()
  context.changed('session')
}
