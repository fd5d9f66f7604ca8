/** An answer whose body is a stream. */
export interface Streamed {
  readonly status: number
  readonly headers: Headers
  /** Fails with a `NetworkError` when it breaks off, or stalls for longer than the request timeout. */
  readonly body: ReadableStream<Uint8Array>
  readonly requestId: string
}

/** Makes a GET with the client's credentials and passes the answer on before its body has arrived. */
export type ReadStream = <T>(
  addressFor: (apiUrl: string) => string,
  signal: AbortSignal | undefined,
  use: (answer: Streamed) => Promise<T>,
  headers?: Readonly<Record<string, string>>,
) => Promise<T>
