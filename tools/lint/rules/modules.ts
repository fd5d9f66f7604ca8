import { basename, relative, sep } from 'node:path'
import { importRule, relativeTarget } from '../imports.ts'
import { MODULE_TABLE } from '../module-table.ts'
import type { Place } from '../place.ts'

/** The files of a module that may be imported where the app is wired. */
const WIRED = ['index.ts', 'module.ts']
const WIRING = ['src/compose.ts', 'src/hooks.ts', 'src/region.ts', 'src/api.ts', 'src/main.ts']

export const modules = importRule(
  'modules import each other through index.ts, and their tests also testing/, as the module table allows',
  (found, place) => {
    const target = relativeTarget(found, place)
    if (target === null || place.layer !== 'apps') return null
    const targetPath = relative(place.package.folder, target).split(sep).join('/')
    const from = moduleOf(place.path)
    const to = moduleOf(targetPath)
    if (from !== null && !place.isTest && WIRING.includes(targetPath))
      return `a module does not import ${targetPath}: it is wired there`
    if (to === null || to.name === from?.name) return null
    const isFixture = place.isTest && to.inside.startsWith('testing/')
    if (from === null) return isFixture || WIRED.includes(to.inside) ? null : throughIndex(to.name)
    if (to.inside !== 'index.ts' && !isFixture) return throughIndex(to.name)
    return mayCall(place, from.name, to.name)
  },
)

function mayCall(place: Place, from: string, to: string): string | null {
  const app = basename(place.package.folder)
  const allowed = MODULE_TABLE[app]?.[from]
  if (allowed === undefined) return `module ${from} of ${app} has no row in tools/lint/module-table.ts`
  if (allowed.includes(to)) return null
  return `${from} may not call ${to}: see tools/lint/module-table.ts; an upward edge is a callback in hooks.ts`
}

function throughIndex(module: string): string {
  return `import ${module} through its index.ts: its other files are private`
}

/** `src/modules/feed/store.ts` is `store.ts` inside `feed`. */
function moduleOf(path: string): { readonly name: string; readonly inside: string } | null {
  const [, name, inside] = /^src\/modules\/([^/]+)\/(.+)$/.exec(path) ?? []
  return name === undefined || inside === undefined ? null : { name, inside }
}
