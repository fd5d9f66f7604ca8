import type { LoggedIn } from '@sealpost/testkit'

export interface User extends LoggedIn {
  /** The id of a field for documents. */
  readonly fileField: string
}
