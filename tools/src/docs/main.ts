import { join } from 'node:path'
import { buildSite } from './build.ts'
import { findExternal } from './external.ts'
import { serveFolder } from './serve.ts'

const root = join(import.meta.dirname, '../../..')
const FOLDER = join(root, '.local/docs')
const PORT = 4180

/**
 * `npm run docs`: the pages of `docs/` and those that they link to, as a static site in `.local/docs`. Fails at dead links
 * and at addresses of other hosts that a page would load. `--serve` serves it on loopback.
 */
async function main(): Promise<void> {
  const startedAt = performance.now()
  const { pages, passages, problems } = buildSite(root, FOLDER)
  const external = problems.length > 0 ? [] : findExternal(FOLDER).map((each) => `loads from another host: ${each}`)
  for (const problem of [...problems, ...external]) console.error(problem)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const wrong = problems.length + external.length
  console.log(`docs: ${pages} pages, ${passages} passages to search, ${wrong} problems, ${seconds} s; in .local/docs`)
  if (wrong > 0) process.exitCode = 1
  else if (process.argv.includes('--serve')) console.log(`served at ${(await serveFolder(FOLDER, PORT)).url}`)
}

await main()
