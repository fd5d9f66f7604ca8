/** Why a lie about a member is believed, as SECURITY.md lists it after those of `lies/believed.ts`. */
export const LISTED = {
  first:
    'The first key of a customer, a delegate, a plugin, a sign-in app or the own recovery that a client has never used.',
  address:
    'Where the platform is: the addresses of a region and of the forwarder, which get what is sealed, and the token of the client.',
  unsigned: 'Answers of runs, documents, messages and own files: they are sealed and not signed.',
  handed:
    'What is only shown or handed on: lists, own settings, names, shapes, states, and the page after a sign-in, which the person app checks.',
} as const

/** Names of `lies/believed.ts` that members have, too. */
export const LISTED_BEFORE = {
  service: 'The first key of a service that a device has never used.',
  signer: 'The first signer of a connection that a service has never read, if all its values are exchanged.',
  withheld: 'Values, connections and events that are withheld or delayed.',
  ownCopy:
    'The own copy of a value: the server can seal another text to the public key of a person, who then reads it.',
} as const

export type Listed = keyof typeof LISTED | keyof typeof LISTED_BEFORE

/** The effects of all lies about one member. */
export interface Expected {
  /** On clients that remember nothing; see `Effect`. */
  readonly first: string
  /** On clients that have pinned what they have used; as the first ones unless told. */
  readonly after?: string
  /** Where a client gives way: the entry of SECURITY.md. */
  readonly listed?: Listed
}

/** Why no lie is told about a member. */
export type Reason =
  /** No client asks for the answer. */
  | { readonly by: 'no_client' }
  /** It is handed on or shown: the entry of SECURITY.md. */
  | { readonly listed: Listed }
  /** A test of its own lies about it. */
  | { readonly shownBy: string }

/** The paths are separated by blanks. */
export type Untold = readonly (readonly [answer: string, paths: string, reason: Reason])[]
