import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { camel, splitKey } from './names.ts'
import type { Line, Plan } from './plan.ts'

const ERRORS = 'pure/protocol/src/errors'
const DECISION = 'docs/decisions/0007-own-error-keys.md'
const SPECIFIED = 'tools/src/contract/specification.test.ts'

export interface NewError {
  readonly key: string
  readonly status: number
  readonly sentence: string
  readonly remedy: string
}

/** A key of the catalog, listed as unthrown until it is thrown. */
export function planError(root: string, { key, status, sentence, remedy }: NewError): Plan {
  const { area } = splitKey(key) ?? { area: '' }
  const known = areaFile(root, area)
  const name = known ?? area.replaceAll('_', '-')
  const path = `${ERRORS}/${name}.ts`
  const entry = `  ${quote(key)}: { status: ${status}, sentence: ${quote(sentence)}, remedy: ${quote(remedy)} },\n`
  const unthrown: Line =
    known === null
      ? {
          path: `${ERRORS}/unthrown.ts`,
          text: `  ${quote(name)}: [${quote(key)}],\n`,
          before: /^\} as const satisfies/m,
        }
      : { path: `${ERRORS}/unthrown.ts`, text: `${quote(key)}, `, after: new RegExp(`^  '?${name}'?: \\[`, 'm') }
  return {
    files: known === null ? new Map([[path, areaText(area, entry)]]) : new Map(),
    lines: [
      ...(known === null ? areaLines(name, area) : [{ path, text: entry, before: /^\}\)/m }]),
      unthrown,
      { path: SPECIFIED, text: `  ${quote(key)},\n`, after: /^const OWN_KEYS: .*\n/m },
      { path: DECISION, text: `| \`${key}\` | ${status} | ${remedy} |\n`, after: /^\| -+ .*\n/m },
    ],
    next: [
      `throw it: refuse('${key}'), and take it off ${ERRORS}/unthrown.ts`,
      `name it in \`errors\` of the operations that answer it`,
      `say in ${DECISION} what a caller does with it; if the specification names the key, take it off there and off ${SPECIFIED}`,
    ],
  }
}

/** The file of the catalog with the keys of this area. */
function areaFile(root: string, area: string): string | null {
  const names = readdirSync(join(root, ERRORS)).filter((name) => existsSync(join(root, ERRORS, name)))
  const found = names.find(
    (name) => readFileSync(join(root, ERRORS, name), 'utf8').includes(`\n  '${area}.`) && isArea(root, name),
  )
  return found?.replace(/\.ts$/, '') ?? null
}

function isArea(root: string, name: string): boolean {
  return readFileSync(join(root, ERRORS, name), 'utf8').includes('= area({')
}

function areaText(area: string, entry: string): string {
  return `import { area } from './entry.ts'\n\nexport const ${constantOf(area)} = area({\n${entry}})\n`
}

function areaLines(name: string, area: string): readonly Line[] {
  const constant = constantOf(area)
  const title = area.charAt(0).toUpperCase() + area.slice(1).replaceAll('_', ' ')
  const imported = `import { ${constant} } from './${name}.ts'\n`
  return [
    { path: `${ERRORS}/catalog.ts`, text: imported, after: /^import type .*\n/m },
    { path: `${ERRORS}/catalog.ts`, text: `  ...${constant},\n`, before: /^\} as const satisfies/m },
    { path: `${ERRORS}/areas.ts`, text: imported, after: /^import type .*\n/m },
    {
      path: `${ERRORS}/areas.ts`,
      text: `  ${quote(name)}: { title: ${quote(title)}, about: ${quote(`${title}.`)}, entries: ${constant} },\n`,
      before: /^\} as const satisfies/m,
    },
  ]
}

function constantOf(area: string): string {
  return `${camel(area.split('_'))}Errors`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
