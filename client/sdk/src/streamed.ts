/** A body that is read as it comes. */
export interface Streamed {
  readonly status: number
  readonly headers: Headers
  /** Fails with a `NetworkError` when it breaks off or stalls for as long as a request may take. */
  readonly body: ReadableStream<Uint8Array>
  readonly requestId: string
}

/** Makes a GET for whoever the client speaks for, and hands the answer on before its body has come. */
export type ReadStream = <T>(
  addressFor: (apiUrl: string) => string,
  signal: AbortSignal | undefined,
  use: (answer: Streamed) => Promise<T>,
) => Promise<T>
