import type { Words } from '../../words/en/index.ts'
import type { AuditView } from '../../worker/commands/audit.ts'

export function actorText(words: Words['audit'], { isPlatform, actorName }: AuditView): string {
  return isPlatform ? words.platform : (actorName ?? words.someone)
}

/** A change that this portal does not know yet has the name that the platform gives it. */
export function actionText(words: Words['audit'], action: string): string {
  const known: Readonly<Record<string, string>> = words.actions
  return known[action] ?? words.unknown(action)
}
