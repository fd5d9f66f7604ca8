import { Pool } from 'undici'

export interface Load {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly requests: number
  readonly connections: number
}

/** Sends the requests over keep-alive connections, each with one in flight; throws on anything but 200. */
export async function sendLoad({ url, headers, requests, connections }: Load): Promise<void> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  let left = requests
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { statusCode, body } = await pool.request({ method: 'GET', path: pathname, headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, worker))
  } finally {
    await pool.close()
  }
}
