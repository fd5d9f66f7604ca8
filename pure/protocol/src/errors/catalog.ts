import type { Static, TObject } from 'typebox'
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

export const errorCatalog = {
  ...genericErrors,
  ...oauthErrors,
  ...sessionErrors,
  ...accountErrors,
  ...servicesErrors,
  ...oauthAppErrors,
  ...companyConnectionsErrors,
  ...companyDataErrors,
  ...contactDataErrors,
  ...documentsErrors,
  ...messagesErrors,
  ...twofaErrors,
  ...keysErrors,
  ...flowsErrors,
  ...pluginsErrors,
  ...forwarderErrors,
} as const satisfies Record<string, ErrorEntry>

export type ErrorCatalog = typeof errorCatalog
export type ErrorKey = keyof ErrorCatalog
/**
 * The further members of each key's body. A table and not a conditional type: inferring through a conditional type
 * makes the compiler compute the static type of any schema, a second of work in every package that refuses something.
 */
type DetailsByKey = {
  readonly [Key in ErrorKey]: ErrorCatalog[Key] extends { readonly details: infer D extends TObject }
    ? Static<D>
    : undefined
}
export type ErrorDetails<Key extends ErrorKey> = DetailsByKey[Key]

export function errorEntry(key: ErrorKey): ErrorEntry {
  return errorCatalog[key]
}

export function isErrorKey(text: string): text is ErrorKey {
  return Object.hasOwn(errorCatalog, text)
}
