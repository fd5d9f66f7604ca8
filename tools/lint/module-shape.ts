import { SUB_MACHINES } from './module-table.ts'

const FILES = [
  'README.md',
  'index.ts',
  'module.ts',
  'context.ts',
  'model.ts',
  'migrations.ts',
  'routes.ts',
  'bus.ts',
  'wire.ts',
]
const FOLDERS = ['operations', 'rules', 'store', 'routes', 'bus', 'testing']
const SIDES = ['service-side', 'customer-side']
const TEST = /\.test\.ts$/

/**
 * Every module has the same files and folders, so a reader of one finds the way in all of them. `path` is relative to
 * `src/modules`; the answer is the objection, or null. `text` is read only to suggest the right folder.
 */
export function shapeObjection(app: string, path: string, text: string): string | null {
  const [module = '', ...below] = path.split('/')
  const inSide = SIDES.includes(below[0] ?? '') ? below.slice(1) : below
  const [first = '', second] = inSide
  const subMachine = second === undefined ? undefined : SUB_MACHINES[app]?.[module]?.[first]
  if (subMachine === 'any names') return null
  const [name = '', ...rest] = subMachine === 'same shape' ? inSide.slice(1) : inSide
  if (rest.length > 0) return FOLDERS.includes(name) ? null : unknownFolder(module, name)
  if (FILES.includes(name) || TEST.test(name)) return null
  return `${name} is not a name of the module shape: ${suggestedHome(name, text)}`
}

function unknownFolder(module: string, folder: string): string {
  return (
    `${folder}/ is not a folder of the module shape: move its files to operations/, rules/ or store/, ` +
    `or list a sub-machine of ${module} in SUB_MACHINES of tools/lint/module-table.ts`
  )
}

function suggestedHome(name: string, text: string): string {
  if (!name.endsWith('.ts')) return 'notes belong in README.md'
  if (/\brunStatement\b/.test(text)) return `it contains SQL, so it belongs in store/${name}`
  if (/\bbind\(\{/.test(text)) return `it binds routes, so it belongs in routes.ts or routes/${name}`
  if (/\bbus\.on[A-Z]/.test(text)) return `it handles bus messages, so it belongs in bus.ts or bus/${name}`
  if (!/^export (async )?(function|const|class)\b/m.test(text))
    return 'it declares types only, so it belongs in model.ts'
  if (/\b(async|await|Promise)\b/.test(text)) return `it works asynchronously, so it belongs in operations/${name}`
  return `it decides without I/O, so it belongs in rules/${name} (or in wire.ts, if it turns rows into answers)`
}
