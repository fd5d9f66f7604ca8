import { answers } from '../edit.ts'
import type { Lie } from '../proxy.ts'
import type { Stage } from '../stage.ts'

/** Changes members of Ana's record, as the company reads it. */
export function inRecord(stage: Stage, changes: Readonly<Record<string, unknown>>): Lie {
  return answers('GET', new RegExp(`^/api/company-data/connections/${stage.connectionId}$`), changes)
}
