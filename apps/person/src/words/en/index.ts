import { approvals } from './approvals.ts'
import { connections } from './connections.ts'
import { consent } from './consent.ts'
import { data } from './data.ts'
import { home } from './home.ts'
import { settings } from './settings.ts'
import { refusals, shell } from './shell.ts'
import { start } from './start.ts'

export const words = { shell, refusals, start, home, data, connections, consent, approvals, settings }

/** What every language has; a sentence that is missing in one does not compile. */
export type Words = typeof words
