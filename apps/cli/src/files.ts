import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { CliError, type Terminal } from './terminal.ts'

export function pathOf({ folder }: Pick<Terminal, 'folder'>, path: string): string {
  return isAbsolute(path) ? path : join(folder, path)
}

export function readText(terminal: Terminal, path: string, what: string): string {
  try {
    return readFileSync(pathOf(terminal, path), 'utf8')
  } catch (error) {
    throw new CliError(`${what} cannot be read from ${path}: ${reasonOf(error)}`)
  }
}

export function readBytes(terminal: Terminal, path: string, what: string): Uint8Array {
  try {
    return readFileSync(pathOf(terminal, path))
  } catch (error) {
    throw new CliError(`${what} cannot be read from ${path}: ${reasonOf(error)}`)
  }
}

/** A secret in a file, without the final line break. */
export function readSecret(terminal: Terminal, path: string, what: string): string {
  return readText(terminal, path, what).replace(/\r?\n$/, '')
}

export function readJson(terminal: Terminal, path: string, what: string): unknown {
  const text = readText(terminal, path, what)
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`${path} is not JSON, so it cannot be ${what}`)
  }
}

/** Readable for its owner only; never overwrites a file, which may be the only copy of another secret. */
export function writeSecret(terminal: Terminal, path: string, text: string): void {
  write(terminal, path, text, { mode: 0o600, flag: 'wx' })
}

/** Checked before a secret is made, so that it has a place afterwards. */
export function refuseExisting(terminal: Terminal, path: string): void {
  if (existsSync(pathOf(terminal, path))) throw new CliError(`${path} exists already; name another file`)
}

export function writeContent(terminal: Terminal, path: string, content: string | Uint8Array): void {
  write(terminal, path, content, { mode: 0o600, flag: 'w' })
}

/** With `--json` as a result, for programs; `facts` become members there, and `words` follow the name for people. */
export function reportWritten(
  { terminal, isJson }: { readonly terminal: Terminal; readonly isJson: boolean },
  path: string,
  facts: Readonly<Record<string, string | number>> = {},
  words = '',
): void {
  if (isJson) terminal.print(JSON.stringify({ wrote: path, ...facts }))
  else terminal.log(`wrote ${path}${words}`)
}

function write(
  terminal: Terminal,
  path: string,
  content: string | Uint8Array,
  how: { readonly mode: number; readonly flag: string },
): void {
  const file = pathOf(terminal, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, how)
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EEXIST') return 'it exists already; name another file'
  return code === 'EACCES' ? 'access is denied' : code || 'unknown reason'
}
