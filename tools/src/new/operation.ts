import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationFileLines } from './module.ts'
import { camel, operationName, splitKey } from './names.ts'
import type { Line, Plan } from './plan.ts'

const OPERATIONS = 'pure/protocol/src/operations'
const MATRIX = 'e2e/src/matrix'
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

export interface NewOperation {
  readonly id: string
  readonly method: (typeof METHODS)[number]
  readonly path: string
}

/** A route as data, with its row in the matrix of callers. No module answers it yet. */
export function planOperation(root: string, { id, method, path }: NewOperation): Plan {
  const { area, what } = splitKey(id) ?? { area: '', what: '' }
  const known = areaFile(root, area)
  const name = known ?? area.replaceAll('_', '-')
  const file = `${OPERATIONS}/${name}.ts`
  const constant = freeName(root, operationName(area, what))
  const text = operationText(constant, { id, method, path })
  const isData = path.startsWith('/api/company-data/')
  const created = known === null ? new Map([[file, `${imports('', text)}${text}`]]) : new Map<string, string>()
  return {
    files: created,
    lines: [
      ...(known === null ? operationFileLines(name, camel(area.split('_'))) : extendFile(root, file, text)),
      {
        path: `${MATRIX}/who-may-what.ts`,
        text: `  '${id}': region('${isData ? 'service' : 'portal'}'),\n`,
        before: /^\}\n/m,
      },
    ],
    next: [
      `say in ${file} what ${constant} takes, answers and refuses with, and who calls it; then npm run generate`,
      `say the same again, by hand, in ${MATRIX}/who-may-what.ts`,
      ...(path.includes('{') || method === 'POST' || method === 'PUT'
        ? [`add an example of '${id}' to ${MATRIX}/examples: a request that the route takes`]
        : []),
      `bind it in the routes.ts of its module: bind({ operation: ${constant}, handle: … })`,
      `test it beside the module: success, bad input, no login, another company, the same call twice`,
    ],
  }
}

function operationText(constant: string, { id, method, path }: NewOperation): string {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => `${name}: Type.String({ description: 'Which one.' })`,
  )
  const isData = path.startsWith('/api/company-data/')
  const hasBody = method === 'POST' || method === 'PUT'
  const success =
    method === 'DELETE'
      ? `{ status: 204, about: 'Deleted' }`
      : `{ status: 200, about: 'Done', body: Type.Object({ id: Type.String() }) }`
  return `
export const ${constant} = defineOperation({
  id: '${id}',
  method: '${method}',
  path: '${path}',
  document: '${isData ? 'company-data' : 'account'}',
  summary: '${sentenceOf(id)}',
  callers: ['${isData ? 'service_client' : 'portal'}'],
  rate: 'data',
${params.length === 0 ? '' : `  params: Type.Object({ ${params.join(', ')} }),\n`}${hasBody ? '  body: Type.Object({ name: Type.String() }),\n' : ''}  success: ${success},
  errors: [],
})
`
}

function sentenceOf(id: string): string {
  const words = id.replace('.', ': ').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function extendFile(root: string, path: string, text: string): readonly Line[] {
  const old = readFileSync(join(root, path), 'utf8')
  return [
    { path, text, after: /$(?![\s\S])/ },
    { path, text: imports(old, text), before: /^/ },
  ]
}

/** The imports that the text needs and the file lacks. */
function imports(old: string, text: string): string {
  const needed = [
    ['Type', "import Type from 'typebox'\n"],
    ['defineOperation', "import { defineOperation } from '../operation.ts'\n"],
  ] as const
  return needed
    .filter(([name]) => text.includes(name) && !new RegExp(`^import .*\\b${name}\\b`, 'm').test(old))
    .map(([, line]) => line)
    .join('')
}

/** The file with the operations of this area. */
function areaFile(root: string, area: string): string | null {
  const found = operationFiles(root).find((name) => textOf(root, name).includes(`  id: '${area}.`))
  return found?.replace(/\.ts$/, '') ?? null
}

function freeName(root: string, name: string): string {
  const isTaken = operationFiles(root).some((file) => textOf(root, file).includes(`export const ${name} =`))
  return isTaken ? `${name}Operation` : name
}

function operationFiles(root: string): readonly string[] {
  return readdirSync(join(root, OPERATIONS)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
}

function textOf(root: string, name: string): string {
  return readFileSync(join(root, OPERATIONS, name), 'utf8')
}
