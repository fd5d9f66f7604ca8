export interface ReceivedRequest {
  readonly method: string
  /** Names in lower case, as Node and `Headers` have them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Exactly the bytes that came. */
  readonly body: unknown
}

export interface ReceiverAnswer {
  readonly status: 200 | 400 | 401 | 405 | 415 | 500
  readonly text: string
}
