import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences of packages of others that a bundle contains: each asks that its text goes with it. Null for none. */
export function thirdPartyNotices(modules: readonly string[]): string | null {
  const folders = new Set(modules.flatMap((file) => folderOf(file) ?? []))
  if (folders.size === 0) return null
  const notices = [...folders].map(noticeOf).toSorted()
  return `This package contains code of others, under these licences.\n\n${notices.join('\n\n')}\n`
}

/** `…/node_modules/@scope/name` of a file in there. */
function folderOf(file: string): string | null {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null
}

function noticeOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const members: Readonly<Record<string, unknown>> = typeof manifest === 'object' ? { ...manifest } : {}
  const title = `${String(members['name'])} ${String(members['version'])} (${String(members['license'])})`
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return file === undefined ? title : `${title}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
}
