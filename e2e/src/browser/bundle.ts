import { isBuiltin } from 'node:module'
import { build, type Plugin } from 'vite'

/** One script without imports, from one entry. */
export async function bundleForBrowser(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [refuseNode],
    build: { write: false, minify: false, target: 'es2024', lib: { entry, formats: ['iife'], name: 'sealpost' } },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [script, ...others] = chunks.filter((chunk) => chunk.type === 'chunk')
  if (script === undefined || others.length > 0) throw new Error(`${entry} must become exactly one script`)
  return script.code
}

/** Vite would put an empty module in its place, and the lack would show as something else, or not at all. */
const refuseNode: Plugin = {
  name: 'refuse-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (isBuiltin(source)) throw new Error(`${importer} imports ${source}: it could not run in a browser`)
    return null
  },
}
