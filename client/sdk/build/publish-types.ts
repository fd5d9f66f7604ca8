import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { type Published, REPOSITORY } from './published.ts'

/** Writes the declarations that the entry points reach, not those of internal files. */
export function publishTypes(published: Published, into: string): void {
  for (const [name, text] of declarationsOf(published)) {
    const file = join(into, `${name}.d.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
  }
}

/** The text of each declaration that users can reach, by its file below `src`, without extension. */
export function declarationsOf({ folder, entries, settings }: Published): ReadonlyMap<string, string> {
  const emitted = mkdtempSync(join(tmpdir(), 'sealpost-types-'))
  try {
    const tsc = join(REPOSITORY, 'node_modules/.bin/tsc')
    for (const file of settings) {
      const args = ['-p', join(REPOSITORY, folder, file), '--outDir', emitted]
      execFileSync(tsc, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    }
    const found = new Map<string, string>()
    const waiting: string[] = Object.values(entries)
    for (const name of waiting) {
      const text = readFileSync(join(emitted, folder, 'src', `${name}.d.ts`), 'utf8')
      for (const imported of importsOf(name, text)) if (!waiting.includes(imported)) waiting.push(imported)
      found.set(name, text)
    }
    return found
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/** Files below `src`, without extension. */
function importsOf(name: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(([, specifier = '']) => {
    const own = /^(\.{1,2}\/[\w./-]+)\.ts$/.exec(specifier)?.[1]
    const found = own === undefined ? '..' : normalize(join(dirname(name), own))
    if (!found.startsWith('..')) return found
    throw new Error(`src/${name}.ts exposes ${specifier} in its public types, which users do not have`)
  })
}
