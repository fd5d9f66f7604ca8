import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../../..')
const PLACE = new URL('place.ts', import.meta.url).href

/** Each starts a program that is beside it, or in the folder of the bundle: `pdf-main`, `check-main` and so on. */
const STARTERS = new Set(
  [
    'io/pdf/src/child/start-child.ts',
    'io/images/src/decoder/process.ts',
    'io/http/src/body/large-bodies.ts',
    'apps/region/src/modules/flows/checks/check-definition.ts',
    'apps/region/src/modules/runs/evaluation/open-evaluation.ts',
  ].map((file) => pathToFileURL(join(root, file)).href),
)

/**
 * Preloaded by the workers of Vitest and by `npm run model`. They start hundreds of children, and one that reads its sources spends most of
 * its CPU time on that. So these files believe to be in the bundle of a region, and start what an operator runs.
 */
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!STARTERS.has(url)) return loaded
    const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    const place = `(await import(${JSON.stringify(PLACE)})).place`
    return { ...loaded, source: text.replaceAll('import.meta.url', place) }
  },
})
