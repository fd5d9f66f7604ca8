import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDERS = ['client/*/src', 'apps/*/src']

/** Beside each `x.module.css` its classes as types, so that a class that does not exist does not compile. */
export function styleTypes(): readonly (readonly [path: string, text: string])[] {
  return globSync(
    FOLDERS.map((folder) => `${folder}/**/*.module.css`),
    { cwd: ROOT },
  )
    .toSorted()
    .map((path) => [path.replace(/\.css$/, '.d.css.ts'), typesOf(path)])
}

function typesOf(path: string): string {
  const code = readFileSync(join(ROOT, path))
  const { exports } = transform({ filename: path, code, cssModules: true })
  const members = Object.keys(exports ?? {})
    .toSorted()
    .map((name) => `  readonly ${/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)}: string\n`)
  return `declare const classes: {\n${members.join('')}}\nexport default classes\n`
}
