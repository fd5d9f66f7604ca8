import { refusals as ofTheSession, shell as ofSignIn } from '@sealpost/session/words/en'
import type { ErrorTexts } from '@sealpost/ui'
import { refusals as ofEveryApp, shell as ofShell, SHOULD_NOT } from '@sealpost/web-app/words/en'
import { refusals as ofKeys } from './key-refusals.ts'

export const shell = {
  ...ofShell,
  ...ofSignIn,
  main: 'Main',
  notFound: { title: 'There is nothing here', lead: 'The address may be old or mistyped.', home: 'Go to the start' },
  region: (code: string) => `Region ${code}`,
  places: { services: 'Services', settings: 'Settings' },
  account: 'Account',
  lock: 'Lock',
}

/** By the key of a refusal of the app itself. */
export const refusals: ErrorTexts = {
  ...ofEveryApp,
  ...ofTheSession,
  ...ofKeys,
  key_of_another_service: {
    what: 'This is the key of another service, so nothing was opened.',
    next: 'Take the key file and the passphrase of this service. If you are sure that they are right, tell us.',
  },
  no_service_key: {
    what: 'The key of this service is not open here.',
    next: 'Open it with the passphrase of the service.',
  },
  other_run: {
    what: 'The server answered with another run than this one, so nothing of it is shown.',
    next: SHOULD_NOT,
  },
  run_parties: {
    what: 'The server names other participants of this run than it did before, so nothing of it is shown.',
    next: SHOULD_NOT,
  },
  service_key_changed: {
    what: 'The server shows another key for this service than before. Keys of services never change, so nothing was opened.',
    next: SHOULD_NOT,
  },
}
