import { get } from 'node:http'

/** A reader of a stream of hints that notes when the newest hint came. */
export interface Reader {
  /** Resolves with the time of the next hint, by the clock of `performance`. */
  next(): Promise<number>
  close(): void
}

/** Resolves when the stream has begun. */
export function openReader(url: string, token: string): Promise<Reader> {
  return new Promise((resolve, reject) => {
    let waiting = Promise.withResolvers<number>()
    const headers = { authorization: `Bearer ${token}` }
    const request = get(`${url}/api/customer/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`a stream was answered ${response.statusCode}`))
        return
      }
      response.once('data', () => resolve({ next: () => waiting.promise, close: () => request.destroy() }))
      response.on('data', (chunk: Buffer) => {
        if (!chunk.includes('event: hint')) return
        waiting.resolve(performance.now())
        waiting = Promise.withResolvers<number>()
      })
      response.on('error', () => {})
    })
    request.on('error', reject)
  })
}
