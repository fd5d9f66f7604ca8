import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

/** Styles do nothing without a browser; a class is called by its own name. */
const CLASSES = 'export default new Proxy({}, { get: (_, name) => name })'

/** Preloaded by the workers of Vitest: Node knows neither JSX nor styles. */
registerHooks({
  load(url, context, next) {
    // Vitest adds a query to the files that it imports.
    const [path = ''] = url.split('?')
    if (path.endsWith('.css')) return { format: 'module', source: CLASSES, shortCircuit: true }
    if (!path.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(path)
    const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), {
      lang: 'tsx',
      jsx: { runtime: 'automatic' },
      typescript: { onlyRemoveTypeImports: true },
      sourcemap: true,
    })
    const [error] = errors
    if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`)
    const lines = Buffer.from(JSON.stringify(map)).toString('base64')
    const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${lines}`
    return { format: 'module', source, shortCircuit: true }
  },
})
