import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPackage } from './build-package.ts'

const into = join(import.meta.dirname, '../dist')
await buildPackage(into)
for (const name of readdirSync(into)) {
  const bytes = readFileSync(join(into, name))
  process.stdout.write(`dist/${name}: ${bytes.length} bytes, ${gzipSync(bytes).length} gzipped\n`)
}
