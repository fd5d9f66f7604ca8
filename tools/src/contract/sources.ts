import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findKeys, type KeyMention } from './find-keys.ts'

/** The folders that throw errors: a client only reports the server's, and the protocol only lists them. */
const ROOTS: readonly string[] = ['apps', 'io', 'pure']
const LEFT_OUT: readonly RegExp[] = [
  /(^|\/)node_modules\//,
  /(^|\/)fixtures\//,
  /\.test\.ts$/,
  /(^|\/)testing\//,
  /^pure\/protocol\//,
]

/** Every error key in the sources, with its places. */
export function keysInSources(root: string): readonly KeyMention[] {
  return sourceFiles(root).flatMap((file) => findKeys(readFileSync(join(root, file), 'utf8'), file))
}

function sourceFiles(root: string): readonly string[] {
  return ROOTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => path.endsWith('.ts') && !LEFT_OUT.some((pattern) => pattern.test(path))),
  )
}
