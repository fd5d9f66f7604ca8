import type { WebAppWords } from '@sealpost/web-app'
import type { settings } from './settings.ts'
import type { start } from './start.ts'

export { refusals } from './refusals.ts'
export { settings } from './settings.ts'
export { start } from './start.ts'

export const shell = {
  proof: {
    passcode: 'Your passcode',
    notSetUp: 'This device cannot confirm yet that it is you.',
    notSetUpNext: 'Set up a fingerprint, your face or a passcode; then come back here.',
    setUp: 'Set it up',
  },
}

/** What an app must have among its words. */
export interface SessionWords extends WebAppWords {
  readonly shell: WebAppWords['shell'] & typeof shell
  readonly start: typeof start
  readonly settings: typeof settings
}
