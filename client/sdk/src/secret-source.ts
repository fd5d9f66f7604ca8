import { Secret } from '@sealpost/kernel'
import type { SecretSource } from './options.ts'

/** Reads a secret when it is used, and remembers it so that no error repeats it. */
export interface OpenSource {
  read(): Promise<Secret<string>>
  /** Those that were read: the present one and the one before it. */
  known(): readonly Secret<string>[]
}

export function openSource(name: string, source: SecretSource): OpenSource {
  if (typeof source !== 'function') {
    const secret = new Secret(required(name, source, 'give a non-empty string, or a function that returns one'))
    return { read: () => Promise.resolve(secret), known: () => [secret] }
  }
  let known: readonly Secret<string>[] = []
  return {
    async read() {
      const secret = new Secret(required(name, await source(), 'its function returned no text'))
      known = [secret, ...known].slice(0, 2)
      return secret
    },
    known: () => known,
  }
}

export async function readSource(name: string, source: SecretSource): Promise<Secret<string>> {
  return openSource(name, source).read()
}

function required(name: string, value: unknown, otherwise: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`${name} is missing: ${otherwise}`)
}
