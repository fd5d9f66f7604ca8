import { accountErrors } from './account.ts'
import { companyConnectionsErrors } from './company-connections.ts'
import { companyDataErrors } from './company-data.ts'
import { contactDataErrors } from './contact-data.ts'
import { documentsErrors } from './documents.ts'
import type { ErrorEntry } from './entry.ts'
import { flowsErrors } from './flows.ts'
import { forwarderErrors } from './forwarder.ts'
import { genericErrors } from './generic.ts'
import { keysErrors } from './keys.ts'
import { messagesErrors } from './messages.ts'
import { oauthAppErrors } from './oauth-apps.ts'
import { oauthErrors } from './oauth.ts'
import { pluginsErrors } from './plugins.ts'
import { servicesErrors } from './services.ts'
import { sessionErrors } from './session.ts'
import { twofaErrors } from './twofa.ts'

export interface ErrorArea {
  readonly title: string
  readonly about: string
  readonly entries: Readonly<Record<string, ErrorEntry>>
}

/** The catalog as `docs/errors.md` prints it; the names are those of the files beside this one. */
export const errorAreas = {
  generic: { title: 'Any route', about: 'Errors that any route can answer.', entries: genericErrors },
  oauth: { title: 'OAuth', about: 'Errors of the routes under `/oauth2`.', entries: oauthErrors },
  session: { title: 'Sessions', about: 'Logging in to the portal or the person app.', entries: sessionErrors },
  account: {
    title: 'Accounts and account clients',
    about: 'Account levels, delegates, and the machine clients of an account.',
    entries: accountErrors,
  },
  services: {
    title: 'Services',
    about: 'Services, their data client, request fields and webhooks.',
    entries: servicesErrors,
  },
  'oauth-apps': { title: 'Sign-in apps', about: 'Sign-in apps of a company.', entries: oauthAppErrors },
  'company-connections': {
    title: 'Connections',
    about: 'Connections between a customer and a service.',
    entries: companyConnectionsErrors,
  },
  'company-data': {
    title: 'Company data',
    about: 'The data that customers share with a service, and the feed of its changes.',
    entries: companyDataErrors,
  },
  'contact-data': { title: 'Profile values', about: 'Values of profile fields.', entries: contactDataErrors },
  documents: {
    title: 'Documents',
    about: 'Documents and contracts that a company sends to its customers.',
    entries: documentsErrors,
  },
  messages: {
    title: 'Messages',
    about: 'Messages between a service and its customers.',
    entries: messagesErrors,
  },
  twofa: { title: 'Two-factor approval', about: 'Approval of a login by a connected person.', entries: twofaErrors },
  keys: { title: 'Keys', about: 'Public keys by share code.', entries: keysErrors },
  flows: {
    title: 'Contract flows',
    about: 'Publishing a flow, starting a run, taking turns, generating documents.',
    entries: flowsErrors,
  },
  plugins: { title: 'Plugins', about: 'Plugins of a company account.', entries: pluginsErrors },
  forwarder: {
    title: 'Plugin forwarder',
    about: 'Answers of the forwarder that carries sealed questions to plugins.',
    entries: forwarderErrors,
  },
} as const satisfies Record<string, ErrorArea>

export type ErrorAreaName = keyof typeof errorAreas
