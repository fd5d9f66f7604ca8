import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPackage } from './build-package.ts'

// `npm run build -w @sealpost/sdk [-- FOLDER]`: writes the package to `dist` or to a folder, ready for `npm pack`.
const [folder] = process.argv.slice(2)
const into = folder === undefined ? join(import.meta.dirname, '../dist') : resolve(folder)
await buildPackage(into)
const modules = readdirSync(into, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
for (const name of modules.toSorted()) {
  const bytes = readFileSync(join(into, name))
  process.stdout.write(`${name}: ${bytes.length} bytes, ${gzipSync(bytes).length} gzipped\n`)
}
process.stdout.write(`the package is in ${into}; npm pack ${into} makes its tarball\n`)
