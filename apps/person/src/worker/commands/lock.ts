import type { PersonContext } from '../context.ts'

export async function wipeLocal(context: PersonContext): Promise<void> {
  context.open?.ending.abort()
  context.open = null
  context.pending = null
  context.access.forget()
  await context.store.clear()
  context.changed('session')
}
