import type { SessionWords } from '../en/index.ts'

export { refusals } from './refusals.ts'
export { settings } from './settings.ts'
export { start } from './start.ts'

export const shell: Pick<SessionWords['shell'], 'proof'> = {
  proof: {
    passcode: 'Ihr Zugangscode',
    notSetUp: 'Dieses Gerät kann noch nicht bestätigen, dass Sie es sind.',
    notSetUpNext: 'Richten Sie Fingerabdruck, Gesicht oder Zugangscode ein und kommen Sie dann zurück.',
    setUp: 'Jetzt einrichten',
  },
}
