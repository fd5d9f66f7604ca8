import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MODULE_TABLE } from '../../lint/module-table.ts'
import type { Check } from './workspace.ts'

const REQUIRED = ['README.md', 'index.ts']

/** Every module of an app has its row in the table, a page that says what it owns, and an index that others import. */
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
    ...(hasRow ? [] : [`module ${module} of ${app} has no row in tools/lint/module-table.ts`]),
  ]
}
