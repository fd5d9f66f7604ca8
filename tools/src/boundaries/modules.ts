import { existsSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { shapeObjection } from '../../lint/module-shape.ts'
import { MODULE_TABLE } from '../../lint/module-table.ts'
import type { Check } from './workspace.ts'

const REQUIRED = ['README.md', 'index.ts']

/** Every module of an app has a row in the table, a README.md and an index.ts. Lint checks the names of its sources. */
export const checkModules: Check = ({ root, manifests }) =>
  manifests
    .filter(({ layer }) => layer === 'apps')
    .flatMap(({ folder }) => {
      const home = join(root, folder, 'src/modules')
      const modules = existsSync(home) ? readdirSync(home) : []
      return modules.flatMap((module) => moduleProblems(basename(folder), module, join(home, module)))
    })

function moduleProblems(app: string, module: string, folder: string): readonly string[] {
  const missing = REQUIRED.filter((file) => !existsSync(join(folder, file)))
  const hasRow = MODULE_TABLE[app]?.[module] !== undefined
  return [
    ...missing.map((file) => `module ${module} of ${app} has no ${file}`),
    ...otherFiles(folder).flatMap((path) => shapeObjection(app, `${module}/${path}`, '') ?? []),
    ...(hasRow ? [] : [`module ${module} of ${app} has no row in tools/lint/module-table.ts`]),
  ]
}

function otherFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}
