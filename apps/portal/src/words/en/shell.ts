import { refusals as ofTheSession, shell as ofSignIn } from '@sealpost/session/words/en'
import type { ErrorTexts } from '@sealpost/ui'
import { refusals as ofEveryApp, shell as ofShell, SHOULD_NOT } from '@sealpost/web-app/words/en'
import { refusals as ofKeys } from './key-refusals.ts'

export const shell = {
  ...ofShell,
  ...ofSignIn,
  main: 'Main',
  notFound: { title: 'There is nothing here', lead: 'The address may be old or mistyped.', home: 'Go to the start' },
  places: {
    home: 'Home',
    services: 'Services',
    delegates: 'Delegates',
    audit: 'Audit',
    settings: 'Settings',
  },
  facts: (role: string, region: string) => `${role}, region ${region}`,
  levels: { free: 'Free', basic: 'Basic', pro: 'Pro', enterprise: 'Enterprise' },
  roles: { owner: 'Owner', admin: 'Admin', operator: 'Operator' },
  account: 'Account',
  goTo: 'Go to',
  act: 'Do',
  lock: 'Lock',
  switching: 'Opening the company …',
  noCompany: 'This company cannot be opened',
  toOwn: 'Go to your own account',
}

/** By the key of a refusal of the app itself. */
export const refusals: ErrorTexts = {
  ...ofEveryApp,
  ...ofTheSession,
  ...ofKeys,
  'auth.client_endpoint_forbidden': {
    what: 'Your role at this company does not include this.',
    next: 'Ask the owner of the account for it.',
  },
  delegate_key_changed: {
    what: 'The server shows another key for this delegate than before, so nothing was handed over.',
    next: SHOULD_NOT,
  },
  delegate_without_key: {
    what: 'This account has no key yet, so no passphrase can be sealed to it.',
    next: 'Ask your colleague to sign in once, then try again.',
  },
  'delegates.exists': {
    what: 'This account works here already, or is the company itself.',
    next: 'Change its role and services in the list of delegates.',
  },
  'delegates.not_found': {
    what: 'There is no such delegate any more.',
    next: 'Look at the list: it may have been removed meanwhile.',
  },
  'delegates.user_not_found': {
    what: 'No account has this code.',
    next: 'Ask your colleague for it once more: it has six letters and digits.',
  },
  no_delegate: {
    what: 'You are no delegate of this company any more.',
    next: 'Go to your own account, or ask the owner of the company.',
  },
  other_company: {
    what: 'The server answered for another company than the chosen one, so nothing is shown.',
    next: SHOULD_NOT,
  },
  key_of_another_service: {
    what: 'This is the key of another service, so nothing was opened.',
    next: 'Take the key file and the passphrase of this service. If you are sure that they are right, tell us.',
  },
  key_not_handed: {
    what: 'The passphrase of this service was not handed to you, or was taken back.',
    next: 'Ask the owner of the company for it.',
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
