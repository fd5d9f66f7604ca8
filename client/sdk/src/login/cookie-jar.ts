import { Secret } from '@sealpost/kernel'

/** The cookies of one session at one front door; browsers keep them themselves. */
export interface CookieJar {
  keep(headers: Headers): void
  header(): Readonly<Record<string, string>>
  secrets(): readonly Secret<string>[]
}

export function cookieJar(): CookieJar {
  const cookies = new Map<string, Secret<string>>()
  return {
    keep(headers) {
      for (const line of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, new Secret(value))
      }
    },
    header() {
      const pairs = [...cookies].map(([name, value]) => `${name}=${value.reveal()}`)
      return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
    },
    secrets: () => [...cookies.values()],
  }
}
