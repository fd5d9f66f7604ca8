import { readFile } from 'node:fs/promises'

/**
 * The text of a file, without a final line break: a secret, a passphrase, a `.pem`. It is read each time that the SDK
 * needs it, so that a replaced secret is used without a restart.
 */
export function secretFile(path: string): () => Promise<string> {
  return async () => {
    try {
      return (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
      throw new TypeError(`the secret file ${path} cannot be read: ${code}`, { cause: error })
    }
  }
}

/** The value of an environment variable. */
export function secretVariable(name: string): () => string {
  return () => {
    // oxlint-disable-next-line node/no-process-env -- the caller names the variable
    const value = process.env[name]
    if (value === undefined || value === '') throw new TypeError(`the environment variable ${name} is not set`)
    return value
  }
}
