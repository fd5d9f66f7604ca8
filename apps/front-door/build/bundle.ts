import { isBuiltin } from 'node:module'
import { build, type Plugin } from 'vite'

/** Bundles an entry into one script without imports; `name` is the global variable with its exports. */
export async function bundleForBrowser(entry: string, { name = 'sealpost', minify = false } = {}): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [refuseNode],
    build: { write: false, minify, target: 'es2024', lib: { entry, formats: ['iife'], name } },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [script, ...others] = chunks.filter((chunk) => chunk.type === 'chunk')
  if (script === undefined || others.length > 0) throw new Error(`${entry} was not bundled into exactly one script`)
  return script.code
}

/** Vite would replace a Node module with an empty one, and the page would fail in the browser. */
const refuseNode: Plugin = {
  name: 'refuse-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (isBuiltin(source)) throw new Error(`${importer} imports ${source}: it could not run in a browser`)
    return null
  },
}
