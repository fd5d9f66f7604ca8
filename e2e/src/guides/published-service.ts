import { listOf, membersOf, type PublishedService, sealTo } from '@sealpost/testkit'

/** A service as its customers know it, from the answer with its request fields and from its public key. */
export function publishedService(code: string, answer: unknown, publicKey: string): PublishedService {
  const rows = listOf(membersOf(answer)['request_fields'])
  return {
    code,
    row(slug) {
      const row = rows.find((each) => each['slug'] === slug)
      if (row === undefined) throw new Error(`${code} requests no ${slug}`)
      return String(row['id'])
    },
    seal: (text) => sealTo(publicKey, text),
  }
}
